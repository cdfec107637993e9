// A function of the C library by `fun`, with its name as the argument: `sinf` is a function of f32; `sin`
// is one of f64, and a reference for sinf, with results of f64. For little-endian machines, with -lm.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ROW(name) {#name "f", name##f, NULL}, {#name, NULL, name},
static const struct row {
    const char *name;
    float (*single)(float);
    double (*precise)(double);
} rows[] = {ROW(sin) ROW(cos) ROW(tan) ROW(asin) ROW(acos) ROW(atan) ROW(sinh) ROW(cosh) ROW(tanh)
            ROW(exp) ROW(exp2) ROW(expm1) ROW(log) ROW(log2) ROW(log10) ROW(log1p) ROW(cbrt) ROW(sqrt) {0}};

int main(int count, char **words) {
    static uint8_t body[8 + 1024 * 9], results[1024 * 9];
    const struct row *row = rows;
    while (row->name && (count < 2 || strcmp(row->name, words[1]))) row++;
    if (!row->name) return fputs("math.c needs the name of a function, such as sinf\n", stderr);
    uint32_t length;
    while (fread(&length, 4, 1, stdin) && fread(body, 1, length, stdin) == length) {
        int is_f32 = !memcmp(body, "fun f32 ", 8);
        if (!is_f32 && (row->single || memcmp(body, "fun f64 ", 8)))
            return fputs("math.c has no other tasks than fun f32, and fun f64 without the f\n", stderr);
        uint8_t *result = results, *end = body + length;
        for (uint8_t *input = body + 8; input < end; input += 1 + *input) {
            float x;
            double wide;
            memcpy(&x, input + 1, 4);
            if (is_f32) wide = x;
            else memcpy(&wide, input + 1, 8);
            if (row->single) x = row->single(x);
            else wide = row->precise(wide);
            *result = row->single ? 4 : 8;
            memcpy(result + 1, row->single ? (void *)&x : &wide, *result);
            result += 1 + *result;
        }
        length = result - results;
        fwrite(&length, 4, 1, stdout);
        fwrite(results, 1, length, stdout);
        fflush(stdout);
    }
}
