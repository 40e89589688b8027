// SPDX-License-Identifier: BSD-3-Clause
// Habits of old programs: implicit int, no prototypes, no return, declarations by hand.
#include <stdio.h>
#include <upc_relaxed.h>
#define N 10

shared int A[N * THREADS], B[N * THREADS];
static total;
extern char *getenv();

sum(n)
{
    int i, s = 0;
    for (i = 0; i < n; i++)
        s += A[i];
    return (s);
}

static print_result(label, value) char *label;
{
    if (MYTHREAD == 0)
        printf("%s\n", value ? label : "wrong");
}

main(argc, argv)
int argc;
char **argv;
{
    int i;
    upc_forall(i = 0; i < N * THREADS; i++; &A[i])
        A[i] = i, B[i] = -i;
    upc_barrier(1);
    total = sum(N * THREADS);
    getenv("HOME");
    print_result("ok", total == N * THREADS * (N * THREADS - 1) / 2 && argc == 1 && argv[0]);
    upc_barrier 2;
    exit(0);
}
