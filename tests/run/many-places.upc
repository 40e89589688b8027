// SPDX-License-Identifier: BSD-3-Clause
// Accesses to many places at once, and updates, as compiled loops make them.
//@ mappings: 1x1 3x1 1x3 2:2x1 2:2x2 3:3x1 4:4x2
//@ spec: 5.1.2.3
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

enum { N = 500, MANY = 3000 };
static shared [5] long cells[N * THREADS];
static shared double sums[N * THREADS];
static shared unsigned char bytes[N * THREADS];
static shared float floats[N * THREADS];

static int bad;
static void check(int is, const char *what, long i) {
    if (!is && bad++ < 5) {
        printf("thread %d: %s %ld\n", MYTHREAD, what, i);
    }
}

#define AT(p) upcr_address((unsigned long)(p))

static unsigned long at[MANY];
static long values[MANY], got[MANY];
static long mirror[N]; /* of cells, of which each thread has N */

static long mine(long i) { return (i * THREADS + MYTHREAD) % (N * THREADS); }

static void list(void) {
    for (int i = 0; i < MANY; i++) {
        long k = rand() % N;
        shared void *p = &cells[mine(k)];
        at[i] = AT(*(unsigned long *)&p);
        values[i] = k;
    }
}

static void gather(const char *what) {
    struct upcr_reads reads = {0};
    upcr_gather_start(got, at, MANY, sizeof *got, __FILE__, __LINE__, &reads);
    upcr_get_finish(&reads, __FILE__, __LINE__);
    for (int i = 0; i < MANY; i++) {
        check(got[i] == mirror[values[i]], what, i);
    }
}

static void integers(void) {
    for (int round = 0; round < 5; round++) {
        list();
        long k[MANY], new[MANY];
        for (int i = 0; i < MANY; i++) {
            k[i] = values[i];
            new[i] = rand();
            mirror[k[i]] = new[i];
        }
        upcr_scatter(at, new, MANY, sizeof *new, __FILE__, __LINE__);
        gather("scattered");
        int what = (int[]){UPCR_ADD, UPCR_SUB, UPCR_AND, UPCR_OR, UPCR_XOR}[round];
        for (int i = 0; i < MANY; i++) {
            long *m = &mirror[k[i]];
            switch (what) {
            case UPCR_ADD: *m += new[i]; break;
            case UPCR_SUB: *m -= new[i]; break;
            case UPCR_AND: *m &= new[i]; break;
            case UPCR_OR: *m |= new[i]; break;
            case UPCR_XOR: *m ^= new[i]; break;
            }
        }
        upcr_update_many(what, at, new, MANY, sizeof *new, __FILE__, __LINE__);
        check(cells[mine(k[7])] == mirror[k[7]], "read after updates", k[7]);
        upcr_update(what, (void *)at[3], 12345, sizeof(long), __FILE__, __LINE__);
        switch (what) {
        case UPCR_ADD: mirror[k[3]] += 12345; break;
        case UPCR_SUB: mirror[k[3]] -= 12345; break;
        case UPCR_AND: mirror[k[3]] &= 12345; break;
        case UPCR_OR: mirror[k[3]] |= 12345; break;
        case UPCR_XOR: mirror[k[3]] ^= 12345; break;
        }
        cells[mine(k[4])] += 1;
        mirror[k[4]] += 1;
        gather("updated");
    }
}

static void others(void) {
    for (int i = 0; i < N; i++) {
        shared void *d = &sums[mine(i)], *f = &floats[mine(i)], *b = &bytes[mine(i)];
        unsigned long a;
        for (int j = 0; j < 3; j++) {
            a = AT(*(unsigned long *)&d);
            upcr_update(UPCR_ADD_FLOAT, (void *)a, upcr_bits_of_double(0.5 * j), 8, __FILE__, __LINE__);
            a = AT(*(unsigned long *)&f);
            upcr_update(UPCR_ADD_FLOAT, (void *)a, upcr_bits_of_float(0.25f * j), 4, __FILE__, __LINE__);
            a = AT(*(unsigned long *)&b);
            upcr_update(UPCR_ADD, (void *)a, i, 1, __FILE__, __LINE__);
        }
        check(i % 50 || sums[mine(i)] == 1.5, "double at once", i);
    }
    upc_barrier;
    for (int i = 0; i < N; i++) {
        check(sums[mine(i)] == 1.5, "double", i);
        check(floats[mine(i)] == 0.75f, "float", i);
        check(bytes[mine(i)] == (unsigned char)(3 * i), "byte", i);
    }
}

int main(void) {
    srand(MYTHREAD + 1);
    upc_barrier;
    integers();
    others();
    upc_barrier;
    if (bad) {
        return 1;
    }
    printf("ok\n");
    return 0;
}
