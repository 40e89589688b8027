/* SPDX-License-Identifier: BSD-3-Clause */
/* Small programs in one: `program N` runs case N, and `program` prints how many there are. Thread 0 first
 * prints what the checker is to say. */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_atomic.h>
#include <upc_collective.h>
#include <upc_nb.h>
#include <upcx_pairwise.h>
#include <bupc_extensions.h>

#define LAST (THREADS - 1)
#define ME MYTHREAD
#define NEXT ((MYTHREAD + 1) % THREADS)
#define BEFORE ((MYTHREAD + THREADS - 1) % THREADS)

struct test {
    void (*run)(void);
    const char *says;
};

static int sink; /* keeps reads */

static int run_case(const struct test *tests, int n, int argc, char **argv) {
    if (argc < 2) {
        if (ME == 0) printf("%d\n", n);
        return 0;
    }
    const struct test *test = &tests[atoi(argv[1]) - 1];
    if (ME == 0) printf("%s\n", test->says ? test->says : "");
    upc_barrier;
    test->run();
    upc_barrier;
    return 0;
}
