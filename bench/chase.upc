// SPDX-License-Identifier: BSD-3-Clause
/*
 * Chasing pointers through a ring of nodes in random order: `shared []` pointers and plain
 * `shared` ones, against C (chase_ref.c).
 */
#include "bench.h"
#include <upc_relaxed.h>

struct plain {
    struct plain *next;
    long value;
};
struct local {
    shared [] struct local *next;
    long value;
};
struct cyclic {
    shared struct cyclic *next;
    long value;
};

long chase_ref(struct plain *p, long n);

BENCH_KERNEL static long chase_local(shared [] struct local *p, long n) {
    long sum = 0;
    for (; n > 0; n--) {
        sum += p->value;
        p = p->next;
    }
    return sum;
}

BENCH_KERNEL static long chase_cyclic(shared struct cyclic *p, long n) {
    long sum = 0;
    for (; n > 0; n--) {
        sum += p->value;
        p = p->next;
    }
    return sum;
}

/* order[0 .. n - 1]: one cycle through all of 0 .. n - 1. */
static long *shuffled(long n) {
    long *order = malloc((size_t)n * sizeof *order);
    unsigned long state = 12345;
    for (long i = 0; i < n; i++) {
        order[i] = i;
    }
    for (long i = n - 1; i > 0; i--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        long j = (long)((state >> 33) % (unsigned long)(i + 1)), swapped = order[i];
        order[i] = order[j];
        order[j] = swapped;
    }
    return order;
}

static void measure(const char *where, long n, long steps, int rounds) {
    char name[64];
    struct bench_times times = {{0}, 0}, cyclic_times = {{0}, 0}, ref = {{0}, 0};
    long *order = shuffled(n);
    struct plain *plain = malloc((size_t)n * sizeof *plain);
    shared [] struct local *local = upc_alloc((size_t)n * sizeof(struct local));
    shared struct cyclic *cyclic = upc_global_alloc((size_t)n, sizeof(struct cyclic));
    for (long i = 0; i < n; i++) {
        long at = order[i], next = order[(i + 1) % n];
        plain[at] = (struct plain){&plain[next], i};
        local[at].next = &local[next];
        local[at].value = i;
        cyclic[at].next = &cyclic[next];
        cyclic[at].value = i;
    }
    for (int round = 0; round < rounds; round++) {
        double t0 = bench_now();
        long sum = chase_local(local, steps);
        double t1 = bench_now();
        long sum_ref = chase_ref(plain, steps);
        double t2 = bench_now();
        long sum_cyclic = chase_cyclic(cyclic, steps);
        double t3 = bench_now();
        bench_add(&times, (t1 - t0) / (double)steps);
        bench_add(&ref, (t2 - t1) / (double)steps);
        bench_add(&cyclic_times, (t3 - t2) / (double)steps);
        bench_check(sum == sum_ref && sum_cyclic == sum_ref, "chase-%s: a sum differs", where);
    }
    snprintf(name, sizeof name, "chase-%s", where);
    bench_rate(name, "M/s", 1e-6, &times, &ref);
    snprintf(name, sizeof name, "chase-%s-cyclic", where);
    bench_rate(name, "M/s", 1e-6, &cyclic_times, &ref);
    upc_free(local);
    upc_free(cyclic);
    free(plain);
    free(order);
}

int main(void) {
    if (MYTHREAD == 0) {
        measure("cache", 1000, 200000, 100);
        measure("memory", 1 << 20, 100000, 30);
    }
    return 0;
}
