// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x3 2x1 2x2 3x1 3x3
// A thread that goes on in a region with what a function of the C library has kept since another one
// finds it, though regions are kept on host 0 before, after or between the two: the last of an even
// number of threads begins with a text in one of the first regions, that of an odd one later.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 3000, STEPS = 400, WORDS = 20, LARGE = 1 << 21 };

static int a[N], b[N];
static char words[WORDS * 4 + 1];
static double sums[64];

/* Short, and of what other threads have written. */
static void step(void) {
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        b[i] = a[(i * 7 + 3) % N] + 1;
    }
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        a[i] = b[N - 1 - i];
    }
}

/* Worth several hosts. */
static void work(void) {
#pragma omp parallel
    {
        double sum = 0;
        for (int i = 1; i < LARGE; i++) {
            sum += 1.0 / i;
        }
        sums[omp_get_thread_num()] = sum;
    }
}

static int goes_on(char *text, int word) {
    int bad = 0, last = omp_get_max_threads() - 1;
#pragma omp parallel reduction(+ : bad)
    if (omp_get_thread_num() == last) {
        const char *found = strtok(word == 0 ? text : NULL, " ");
        bad += !found || atoi(found) != 100 + word;
    }
    return bad;
}

int main(void) {
    int bad = 0, first = omp_get_max_threads() % 2 ? 230 : 0;
    for (int w = 0; w < WORDS; w++) {
        sprintf(words + 4 * w, "%d ", 100 + w);
    }
    for (int s = 0, word = 0; s < STEPS && word < WORDS; s++) {
        step();
        if (s >= first && s % 10 == 0) {
            bad += goes_on(words, word++);
            work();
        }
    }
    printf("%s\n", bad ? "wrong" : "ok");
    return bad;
}
