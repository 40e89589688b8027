// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x4 2x2 2x3
// What a command has printed is shown before what other hosts print after it, though another thread
// of its host settles what has been printed while the command runs.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 40 };

/* Both settle what the thread's host has printed. */
static int seen(const int *flag) {
    int value;
#pragma omp critical
    value = *flag;
    return value;
}

static void tell(int *flag) {
#pragma omp critical
    *flag = 1;
}

int main(void) {
    static int over[ROUNDS];
    char text[40 * ROUNDS] = "", expected[40 * ROUNDS] = "";
    fflush(stdout);
    int before = dup(1);
    if (!freopen("shown.txt", "w+", stdout)) {
        return 1;
    }
#pragma omp parallel
    for (int i = 0, last = omp_get_num_threads() - 1; i < ROUNDS; i++) {
        int me = omp_get_thread_num();
        if (me == last) {
            if (system("sleep 0.01; echo command") != 0) {
                abort();
            }
            tell(&over[i]);
        } else {
            while (!seen(&over[i])) {
            }
            if (me == 0) {
                printf("main\n");
                fflush(stdout);
            }
        }
#pragma omp barrier
    }
    fflush(stdout);
    rewind(stdout);
    size_t n = fread(text, 1, sizeof text - 1, stdout);
    fflush(stdout);
    dup2(before, 1);
    for (int i = 0; i < ROUNDS; i++) {
        strcat(expected, "command\nmain\n");
    }
    if (n != strlen(expected) || strcmp(text, expected) != 0) {
        fprintf(stderr, "shown:\n%s", text);
        return 1;
    }
    remove("shown.txt");
    printf("ok\n");
    return 0;
}
