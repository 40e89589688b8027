// SPDX-License-Identifier: BSD-3-Clause
/*
 * <shmem.h> between two PEs of a host, in turns with what <furlong/gas.h> has for the same: its
 * functions are made of those, and should cost no more.
 */
#include "shmem_ops.h"

#include <furlong/gas.h>

static long *there;
static gas_ad_t counter;

static void gas_put_8(void) {
    long *to = there;
    BENCH_FORGET(to);
    gas_put(to, &here, sizeof here);
}

static void gas_get_8(void) {
    const long *from = there;
    BENCH_FORGET(from);
    gas_get(&here, from, sizeof here);
}

static void gas_add_8(void) {
    const uint64_t one = 1;
    uint64_t before;
    gas_ad_op(&counter, &before, there, GAS_OP_FADD, &one, NULL);
    here += (long)before;
}

BENCH_REPEATED(gas_put_8)
BENCH_REPEATED(gas_get_8)
BENCH_REPEATED(gas_add_8)
BENCH_REPEATED(gas_barrier)

static const struct {
    const char *name, *unit;
    double scale;
    void (*run)(long times), (*reference)(long times);
    long times;
    int both;
} measured[] = {
    {"shmem-put-8", "ns", 1e9, put_times, gas_put_8_times, TIMES, 0},
    {"shmem-get-8", "ns", 1e9, get_times, gas_get_8_times, TIMES, 0},
    {"shmem-add-8", "ns", 1e9, add_times, gas_add_8_times, TIMES, 0},
    {"shmem-barrier", "us", 1e6, shmem_barrier_all_times, gas_barrier_times, SLOW_TIMES, 1},
};
enum { N = sizeof measured / sizeof *measured };

static void check(void) {
    check_shmem();
    gas_get_8();
    bench_check(here == 42, "gas sees %ld", here);
}

int main(void) {
    static struct bench_times times[N], references[N];
    shmem_init();
    heap = shmem_calloc(8, sizeof *heap);
    there = shmem_ptr(heap, 1);
    gas_ad_create(&counter, GAS_I64, GAS_OP_FADD);
    if (shmem_my_pe() == 0) {
        check();
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i++) {
            measure(measured[i].run, measured[i].times, measured[i].both, &times[i]);
            measure(measured[i].reference, measured[i].times, measured[i].both, &references[i]);
        }
    }
    for (int i = 0; i < N && shmem_my_pe() == 0; i++) {
        bench_time_against(measured[i].name, measured[i].unit, measured[i].scale, &times[i],
                           &references[i]);
    }
    shmem_finalize();
    return 0;
}
