// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 1x7
//@ stdin: of the terminal
// freopen gives each thread its own stdout; setvbuf does not mix the lines of threads.
#include "../../check.h"
#include <string.h>
#include <upc.h>

static void buffers(void)
{
    static char buffer[4096];
    CHECK_EQ(setvbuf(stdout, buffer, _IOFBF, sizeof buffer), 0);
    for (int i = 0; i < 100; i++) {
        printf("thread %d ", MYTHREAD);
        printf("prints %d\n", i);
    }
}

int main(void)
{
    char name[32], text[64] = "", line[64];
    snprintf(name, sizeof name, "output of %d", MYTHREAD);
    FILE *input = fopen("input", "w");
    CHECK(input && fputs("of the file\n", input) >= 0 && fclose(input) == 0);
    upc_barrier;
    if (MYTHREAD == 0) {
        CHECK(freopen("input", "r", stdin) == stdin);
        CHECK(fgets(text, sizeof text, stdin) && strcmp(text, "of the file\n") == 0);
    }
    upc_barrier;
    int failures = check_done(); /* the last that goes to the real stdout */
    if (!freopen(name, "w", stdout))
        return 2;
    buffers();
    fflush(stdout);
    FILE *written = fopen(name, "r");
    for (int i = 0; i < 100; i++) {
        snprintf(line, sizeof line, "thread %d prints %d\n", MYTHREAD, i);
        if (!written || !fgets(text, sizeof text, written) || strcmp(text, line) != 0)
            return 3;
    }
    return failures || fgets(text, sizeof text, written);
}
