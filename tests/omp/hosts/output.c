// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x4 2x2 4x1 3x1 3x2 2x7
// What the threads of all hosts print is shown in the order in which they have printed it, and goes
// where main has sent it.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINES = 30, LONG = 5000, MOST = 1 << 20 };

static char *expected;
static size_t n_expected;

static void expect(const char *text) {
    strcpy(expected + n_expected, text);
    n_expected += strlen(text);
}

static void expect_line(const char *what, int i) {
    char line[100];
    snprintf(line, sizeof line, "%s %d\n", what, i);
    expect(line);
}

int main(void) {
    int threads = omp_get_max_threads(), turn = 0;
    expected = malloc(MOST);
    char *text = malloc(LONG + 2);
    fflush(stdout);
    int before = dup(1);
    if (!freopen("shown.txt", "w+", stdout)) {
        return 1;
    }

    printf("main\n");
    expect("main\n");
#pragma omp parallel
    {
        for (int i = 0; i < threads; i++) {
            if (i == omp_get_thread_num()) {
                printf("after a barrier %d\n", i);
            }
#pragma omp barrier
        }
    }
    for (int i = 0; i < threads; i++) {
        expect_line("after a barrier", i);
    }

#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < LINES; i++) {
#pragma omp ordered
        printf("%d ", i); /* no line */
    }
    for (int i = 0; i < LINES; i++) {
        char word[20];
        snprintf(word, sizeof word, "%d ", i);
        expect(word);
    }
    puts("");
    expect("\n");

#pragma omp parallel for ordered schedule(dynamic)
    for (int i = 0; i < LINES; i++) {
#pragma omp ordered
        {
            printf("ordered %d\n", i);
            if (i % 3 == 0) {
                fflush(stdout);
            }
        }
    }
    for (int i = 0; i < LINES; i++) {
        expect_line("ordered", i);
    }

    /* past the stream, and more than its buffer */
    memset(text, 'x', LONG);
    strcpy(text + LONG, "\n");
#pragma omp parallel
    {
        for (int done = 0; !done;) {
#pragma omp critical
            if (turn == omp_get_thread_num()) {
                char line[] = "written\n";
                fflush(stdout);
                if (write(1, line, strlen(line)) != (ssize_t)strlen(line)) {
                    abort();
                }
                fputs(text, stdout);
                turn++;
                done = 1;
            }
        }
    }
    for (int i = 0; i < threads; i++) {
        expect("written\n");
        expect(text);
    }

    /* what commands print */
    fflush(stdout);
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < threads; i++) {
#pragma omp ordered
        {
            char command[40];
            snprintf(command, sizeof command, "echo command %d", i);
            if (system(command) != 0) {
                abort();
            }
        }
    }
    for (int i = 0; i < threads; i++) {
        expect_line("command", i);
    }

    /* turns by atomic operations */
    turn = 0;
#pragma omp parallel
    {
        int mine = omp_get_thread_num(), now;
        do {
#pragma omp atomic read seq_cst
            now = turn;
        } while (now != mine);
        printf("turn %d\n", mine);
#pragma omp atomic write seq_cst
        turn = mine + 1;
    }
    for (int i = 0; i < threads; i++) {
        expect_line("turn", i);
    }

    long size = ftell(stdout);
    rewind(stdout);
    char *shown = calloc(1, MOST);
    size_t n = fread(shown, 1, MOST - 1, stdout);
    fflush(stdout);
    dup2(before, 1);
    if ((size_t)size != n || strcmp(shown, expected) != 0) {
        size_t same = 0;
        while (shown[same] && shown[same] == expected[same]) {
            same++;
        }
        fprintf(stderr, "after %zu of %zu bytes: %.60s\n", same, n_expected, shown + same);
        return 1;
    }
    remove("shown.txt");
    printf("ok\n");
    return 0;
}
