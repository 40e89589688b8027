// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 1x3 2:2x2 3:3x1
//@ limit: 20
//@ exit: 1
//@ stderr: R0310
//@ stderr: no thread can go on: all wait in upcx_wait
// Each waits for a signal before it sends its own.
#include <upc.h>
#include <upcx_pairwise.h>

int main(void)
{
    int next = (MYTHREAD + 1) % THREADS, before = (MYTHREAD + THREADS - 1) % THREADS;
    upcx_signal(next);
    upcx_wait(before);
    upcx_wait(before);
    upcx_signal(next);
    return 0;
}
