// A function of u32 by `fun`: the square root, rounded down. For little-endian machines.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t square_root(uint32_t n) {
    uint32_t root = 0;
    for (uint32_t bit = 1u << 15; bit; bit >>= 1)
        if ((root | bit) * (root | bit) <= n) root |= bit;
    return root;
}

int main(void) {
    static uint8_t body[8 + 1024 * 5];
    uint32_t length, n;
    while (fread(&length, 4, 1, stdin) && fread(body, 1, length, stdin) == length) {
        if (memcmp(body, "fun u32 ", 8)) return fputs("child.c has no other task than fun u32\n", stderr);
        for (uint32_t at = 8; at < length; at += 5) {
            memcpy(&n, body + at + 1, 4);
            n = square_root(n);
            memcpy(body + at + 1, &n, 4); // inputs and results have the same length
        }
        length -= 8;
        fwrite(&length, 4, 1, stdout);
        fwrite(body + 8, 1, length, stdout);
        fflush(stdout);
    }
}
