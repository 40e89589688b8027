// SPDX-License-Identifier: BSD-3-Clause
/*
 * OpenSHMEM between two PEs of a host: put and get of 8 bytes, an atomic addition, and a barrier.
 * Plain OpenSHMEM, for our library and for Open MPI's.
 */
#include "shmem_ops.h"

static const struct {
    const char *name, *unit;
    double scale;
    void (*run)(long times);
    long times;
    int both;
} measured[] = {
    {"oshmem-put-8", "ns", 1e9, put_times, TIMES, 0},
    {"oshmem-get-8", "ns", 1e9, get_times, TIMES, 0},
    {"oshmem-add-8", "ns", 1e9, add_times, SLOW_TIMES, 0},
    {"oshmem-barrier", "us", 1e6, shmem_barrier_all_times, SLOW_TIMES, 1},
};
enum { N = sizeof measured / sizeof *measured };

int main(void) {
    static struct bench_times times[N];
    shmem_init();
    heap = shmem_malloc(8 * sizeof *heap);
    if (shmem_my_pe() == 0) {
        check_shmem();
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i++) {
            measure(measured[i].run, measured[i].times, measured[i].both, &times[i]);
        }
    }
    for (int i = 0; i < N && shmem_my_pe() == 0; i++) {
        bench_time(measured[i].name, measured[i].unit, measured[i].scale, &times[i]);
    }
    /* In place of shmem_finalize, in which processes of Open MPI 4.1 crash. */
    fflush(stdout);
    shmem_barrier_all();
    shmem_global_exit(0);
    return 0;
}
