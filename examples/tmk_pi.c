/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plain C on several hosts that share memory, without UPC: each process integrates a part of
 * 4 / (1 + x * x) from 0 to 1, and adds it to a sum under a lock.
 *
 *     cc tmk_pi.c -o tmk_pi $(pkg-config --cflags --libs furlong-tmk)
 *     upcrun -n 4 -hosts ada,bert,cleo,dora ./tmk_pi
 */
#include <furlong/tmk.h>

#include <stdio.h>

enum { STEPS = 4000000 };

static double *sum; /* each process has this pointer; what it points to is shared */

int main(int argc, char **argv) {
    Tmk_startup(argc, argv);
    if (Tmk_proc_id == 0) {
        sum = Tmk_malloc(sizeof *sum);
        *sum = 0;
        Tmk_distribute(&sum, sizeof sum);
    }
    Tmk_barrier(0);

    double mine = 0;
    for (unsigned i = Tmk_proc_id; i < STEPS; i += Tmk_nprocs) {
        double x = (i + 0.5) / STEPS;
        mine += 4 / (1 + x * x) / STEPS;
    }
    Tmk_lock_acquire(0);
    *sum += mine;
    Tmk_lock_release(0);

    Tmk_barrier(1);
    if (Tmk_proc_id == 0) {
        printf("pi is %.8f, by %u processes\n", *sum, Tmk_nprocs);
    }
    Tmk_exit(0);
}
