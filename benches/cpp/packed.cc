// A child process of the benchmarks, which measures the C++ library of Protocol Buffers.
//
//     packed TYPE
//
// It reads the number of messages, then each message after its length. All of these numbers are
// words of 64 bits in the byte order of the machine. If serializing a parsed message does not give
// the same bytes, it ends with exit code 1. Each further pair of words is an operation, 0 to parse
// and 1 to serialize, and how often it handles all messages. The answer is a word: the nanoseconds
// that this took.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "packed.pb.h"

static bool read_word(uint64_t* word) { return std::fread(word, sizeof *word, 1, stdin) == 1; }

template <typename Message>
static int serve() {
    uint64_t count;
    if (!read_word(&count)) return 1;
    std::vector<std::string> encoded(count);
    std::vector<Message> messages(count);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t len;
        if (!read_word(&len)) return 1;
        encoded[i].resize(len);
        if (std::fread(encoded[i].data(), 1, len, stdin) != len) return 1;
        if (!messages[i].ParseFromString(encoded[i])) return 1;
        if (messages[i].SerializeAsString() != encoded[i]) return 1;
    }

    Message parsed;
    std::string serialized;
    uint64_t serialize, times;
    while (read_word(&serialize) && read_word(&times)) {
        bool ok = true;
        auto begin = std::chrono::steady_clock::now();
        for (uint64_t i = 0; i < times; i++) {
            if (serialize) {
                // The string keeps its memory, as the vectors of the other contenders do.
                for (const Message& message : messages) ok &= message.SerializeToString(&serialized);
            } else {
                for (const std::string& bytes : encoded) ok &= parsed.ParseFromString(bytes);
            }
        }
        auto elapsed = std::chrono::steady_clock::now() - begin;
        uint64_t nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count();
        if (!ok || std::fwrite(&nanoseconds, sizeof nanoseconds, 1, stdout) != 1) return 1;
        std::fflush(stdout);
    }
    return 0;
}

int main(int argc, char** argv) {
    std::string type = argc == 2 ? argv[1] : "";
    if (type == "uint64") return serve<Uint64>();
    if (type == "sint64") return serve<Sint64>();
    if (type == "int32") return serve<Int32>();
    if (type == "bool") return serve<Bool>();
    std::fprintf(stderr, "packed: '%s' is not a type of fields; give uint64, sint64, int32 or bool\n", type.c_str());
    return 2;
}
