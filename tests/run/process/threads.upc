// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 1x7 2:5x1 2:4x2
// The processes hold all threads, each one, in order; the threads of one share the address of what
// is C's.
#include <stdio.h>
#include <unistd.h>
#include <upc.h>
#include <upcx_process.h>

shared int pid[THREADS];

int main(void)
{
    int next = 0, bad = 0, own = upcx_process_of(MYTHREAD);
    for (int p = 0; p < upcx_processes(); p++) {
        bad += upcx_process_first(p) != next || upcx_process_threads(p) < 1;
        for (int i = 0; i < upcx_process_threads(p); i++)
            bad += upcx_process_of(next++) != p;
    }
    pid[MYTHREAD] = getpid();
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        bad += (pid[t] == getpid()) != (upcx_process_of(t) == own);
    upc_barrier;
    puts(bad || next != THREADS ? "wrong" : "ok");
    return bad != 0 || next != THREADS;
}
