// Speaks the protocol of `sweep protocol` for an implementation and a wire type. Without them, lists both.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <string>

// A value in two's complement and its length, which is 0 for an error.
using Decoded = std::pair<uint64_t, size_t>;
struct Codec {
    std::function<Decoded(const std::string &)> decode;
    std::function<std::string(uint64_t)> encode;
};
struct Implementation {
    std::string source;
    std::map<std::string, Codec> types;
};

#include "nanopb.h"
#include "protobuf.h"
#include "protozero.h"

static const std::map<std::string, Implementation> implementations{
    {"nanopb", with_nanopb::all}, {"protobuf", with_protobuf::all}, {"protozero", with_protozero::all}};

int main(int count, char **words) {
    if (count < 3) {
        for (const auto &[name, one] : implementations) {
            std::cout << name << " " << one.source;
            for (const auto &[type, codec] : one.types) std::cout << " " << type;
            std::cout << "\n";
        }
        return 0;
    }
    const Codec &codec = implementations.at(words[1]).types.at(words[2]);
    uint32_t length;
    while (std::cin.read(reinterpret_cast<char *>(&length), 4)) {
        std::string body(length, 0), results;
        std::cin.read(&body[0], length);
        int bits = std::atoi(body.substr(5, 3).c_str()), above = 64 - bits;
        for (size_t at = 8; at < length; at += 1 + uint8_t(body[at])) {
            std::string input = body.substr(at + 1, uint8_t(body[at])), result;
            if (body[0] == 'd') {
                auto [value, used] = codec.decode(input);
                if (used > 0) result = char(used) + std::string(reinterpret_cast<char *>(&value), bits / 8);
            } else {
                uint64_t value = 0;
                std::memcpy(&value, input.data(), input.size());
                // Extends the sign.
                result = codec.encode(body[4] == 'i' ? uint64_t(int64_t(value << above) >> above) : value);
            }
            results += char(result.size()) + result;
        }
        length = results.size();
        std::cout.write(reinterpret_cast<char *>(&length), 4) << results << std::flush;
    }
}
