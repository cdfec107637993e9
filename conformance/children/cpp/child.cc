// Speaks the protocol of `sweep protocol` for a package and a wire type.
#include "implementations.h"

#include <cstdlib>
#include <cstring>
#include <iostream>

int main(int, char **words) {
    const Codec &codec = packages.at(words[1]).at(words[2]);
    uint32_t length;
    while (std::cin.read(reinterpret_cast<char *>(&length), 4)) {
        std::string body(length, 0), results;
        std::cin.read(&body[0], length);
        const int size = std::atoi(body.substr(5, 3).c_str()) / 8;
        for (size_t at = 8; at < length; at += 1 + uint8_t(body[at])) {
            std::string input = body.substr(at + 1, uint8_t(body[at])), result;
            uint64_t value = 0;
            if (body[0] == 'd') {
                size_t used = codec.decode(input, value);
                if (used > 0) result = char(used) + std::string(reinterpret_cast<char *>(&value), size);
            } else {
                std::memcpy(&value, input.data(), input.size());
                result = codec.encode(value);
            }
            results += char(result.size()) + result;
        }
        length = results.size();
        std::cout.write(reinterpret_cast<char *>(&length), 4) << results << std::flush;
    }
}
