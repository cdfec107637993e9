// A function of every integer type by `fun`: the square root of its bits, rounded down.
// For little-endian machines.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t square_root(uint64_t n) {
    uint64_t root = 0;
    for (uint64_t bit = 1ull << 31; bit; bit >>= 1)
        if ((root | bit) * (root | bit) <= n) root |= bit;
    return root;
}

int main(void) {
    static uint8_t body[8 + 1024 * 9];
    uint32_t length;
    while (fread(&length, 4, 1, stdin) && fread(body, 1, length, stdin) == length) {
        if (memcmp(body, "fun i", 5) && memcmp(body, "fun u", 5))
            return fputs("child.c has no other tasks than fun of integers\n", stderr);
        for (uint32_t at = 8; at < length; at += 1 + body[at]) {
            uint64_t n = 0;
            memcpy(&n, body + at + 1, body[at]);
            n = square_root(n);
            memcpy(body + at + 1, &n, body[at]); // inputs and results have the same length
        }
        length -= 8;
        fwrite(&length, 4, 1, stdout);
        fwrite(body + 8, 1, length, stdout);
        fflush(stdout);
    }
}
