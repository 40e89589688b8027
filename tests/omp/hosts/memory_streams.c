// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x3 2x2 4x1
// The text that open_memstream makes is there on all hosts, whichever host's thread has made it.
#define _GNU_SOURCE
#include "../inputs/check.h"

enum { NUMBERS = 3000, PARTS = 12 };

static long sum_of(const char *text) {
    long sum = 0;
    char *next;
    for (; *text; text = next + 1) {
        sum += strtol(text, &next, 10);
    }
    return sum;
}

static char *numbers(int first, int n, size_t *bytes) {
    char *text;
    FILE *stream = open_memstream(&text, bytes);
    CHECK(stream && fflush(stream) == 0 && *bytes == 0 && !*text);
    for (int i = first; i < first + n; i++) {
        fprintf(stream, "%d,", i);
        CHECK(i % 100 || (fflush(stream) == 0 && strlen(text) == *bytes));
    }
    CHECK(fclose(stream) == 0 && strlen(text) == *bytes);
    return text;
}

static void positions(void) {
    char *text;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    fputs("hello world", stream);
    CHECK(ftell(stream) == 11 && fseek(stream, 6, SEEK_SET) == 0);
    CHECK(fflush(stream) == 0 && bytes == 6 && strcmp(text, "hello world") == 0);
    fputs("W", stream);
    CHECK(fseek(stream, 14, SEEK_SET) == 0);
    fputs("end", stream);
    CHECK(fclose(stream) == 0 && bytes == 17 && memcmp(text, "hello World\0\0\0end", 18) == 0);
    free(text);
}

int main(void) {
    size_t bytes;
    long sum = 0;
    char *text = numbers(0, NUMBERS, &bytes), *parts[PARTS];
#pragma omp parallel reduction(+ : sum)
    sum += sum_of(text) == NUMBERS * (NUMBERS - 1L) / 2;
    CHECK(sum == omp_get_max_threads());
    free(text);
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < PARTS; i++) {
        size_t length;
        parts[i] = numbers(10 * i, 10, &length);
    }
    for (int i = 0; i < PARTS; i++) {
        CHECK(sum_of(parts[i]) == 100L * i + 45);
        free(parts[i]);
    }
#pragma omp parallel
    positions();
    return result();
}
