// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x3 3x1 2:2x1 2:2x2 3:3x1 3:5x1
//@ flags: -O2
//@ args: {seed}
//@ limit: 240
//@ spec: 5.1.2.3
// Loops of many shapes over shared arrays, with random bounds and subscripts, against the same over
// private copies. Arrays may be the same, so that what a loop reads may be what it has just written.
// Threads take turns; all keep the copies.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>

enum { N = 600, M = 500, SHAPES = 26, ROUNDS = 150 };

struct record {
    char tag[3];
    int key;
    double value;
};

static shared [7] long blocked[N * THREADS];
static shared long cyclic[N * THREADS];
static shared [N] long wide[N * THREADS];
static shared [] long one[N];
static shared double sums[N * THREADS];
static shared [5] struct record records[N * THREADS];
static strict shared int flag;
static shared [] long *shared apart_shared;
static shared [] long *apart; /* the last thread's */

static long p_blocked[N], p_cyclic[N], p_wide[N], p_one[N], p_apart[N];
static double p_sums[N];
static struct record p_records[N];
static int p_flag;

static int idx[M];
static long got[M];

/* What a loop is given. */
static struct {
    long lo, hi, offset, stride, limit;
} p;

/* The shapes: A is read, B written, R and D are records and numbers. */
#define SHAPES_OF(NAME, A, B, R, D, FLAG)                                                          \
    static long NAME(int shape) {                                                                  \
        long s = 0, lo = p.lo, hi = p.hi, o = p.offset, i;                                         \
        switch (shape) {                                                                           \
        case 0: for (i = lo; i < hi; i++) s += A[i + o]; break;                                    \
        case 1: for (i = hi - 1; i >= lo; i--) s = 3 * s + A[i]; break;                            \
        case 2: for (i = lo; i < hi; i++) { if (A[i] > p.limit) break; s += A[i]; } break;         \
        case 3: i = lo; while (i < hi) { s += A[o + i]; i++; } break;                              \
        case 4: for (i = lo; i < hi; i++) B[idx[i]] = i; break;                                    \
        case 5: for (i = lo; i < hi; i++) B[idx[i]] += A[i]; break;                                \
        case 6: for (i = lo; i < hi; i++) s += A[idx[i]]; break;                                   \
        case 7: for (int j = lo; j < hi; j++) if (idx[j] % 3) s += 2 * A[idx[j]]; break;           \
        case 8:                                                                                    \
            for (i = lo; i < hi; i++) {                                                            \
                int j = idx[i], k = j / 2;                                                         \
                if (j > o) s += A[j]; else if (k) s -= A[k + 1] * j; else s++;                     \
            }                                                                                      \
            break;                                                                                 \
        case 9: for (i = lo; i < hi; i++) B[i] = A[idx[i]]; break;                                 \
        case 10: for (i = lo; i < hi; i++) B[o + i] += A[i]; break;                                \
        case 11: for (i = lo; i < hi; i++) got[i] = A[idx[i]] - i; break;                          \
        case 12: for (i = lo; i < hi; i++) s += A[B[i] & 255]; break;                              \
        case 13: for (i = lo; i < hi; i++) { B[idx[i]] ^= i; B[i]--; ++B[o]; } break;              \
        case 14: for (i = lo; i < hi; i += p.stride) s += A[i] * B[i]; break;                      \
        case 15: for (i = lo; i < hi; i++) { s += A[idx[i]]; if (i % 50 == 0) FLAG = s; } break;   \
        case 16: for (i = lo; i < hi; i++) { s += B[idx[i]]++; s -= --B[i]; } break;               \
        case 17: for (i = lo; i < hi; i++) B[o + i] = A[i] + A[i + 1]; break;                      \
        case 18: for (i = lo; i < hi; i++) s += R[idx[i]].key * (long)R[i].value; break;           \
        case 19: for (i = lo; i < hi; i++) { R[idx[i]].value -= i; R[i].key += 2; } break;         \
        case 20: for (i = lo; i < hi; i++) { D[idx[i]] += i; D[i] -= 2; s += D[o] > 7; } break;    \
        case 21: for (i = lo; i < hi; i++) B[A[i] & 127] |= 1 << i % 16; break;                    \
        case 22: for (i = lo; i < hi; i++) B[hi - i] &= A[i] | o; break;                           \
        case 23: for (i = lo; i < hi; i++) { long j = A[i] & 63; s += A[j]; B[j + o] = s; } break; \
        case 24: for (i = lo; i < hi; i++) { p.limit = idx[i]; s += A[p.limit]; } break;           \
        case 25: for (i = lo; i < hi; i++) { s += R[idx[i]].tag[1]; R[idx[i]].tag[1]++; } break;   \
        }                                                                                          \
        return s;                                                                                  \
    }

#define PAIR(A, B)                                                                                 \
    SHAPES_OF(A##_##B, A, B, records, sums, flag)                                                  \
    SHAPES_OF(p_##A##_##B, p_##A, p_##B, p_records, p_sums, p_flag)

PAIR(blocked, cyclic)
PAIR(blocked, blocked)
PAIR(cyclic, wide)
PAIR(wide, wide)
PAIR(one, blocked)
PAIR(cyclic, one)
PAIR(apart, apart)
PAIR(apart, cyclic)

static const struct {
    const char *name;
    long (*shared_one)(int), (*private_one)(int);
} pairs[] = {
    {"blocked, cyclic", blocked_cyclic, p_blocked_cyclic},
    {"blocked, blocked", blocked_blocked, p_blocked_blocked},
    {"cyclic, wide", cyclic_wide, p_cyclic_wide},
    {"wide, wide", wide_wide, p_wide_wide},
    {"one, blocked", one_blocked, p_one_blocked},
    {"cyclic, one", cyclic_one, p_cyclic_one},
    {"apart, apart", apart_apart, p_apart_apart},
    {"apart, cyclic", apart_cyclic, p_apart_cyclic},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static int bad;

static void expect(const char *pair, int shape, const char *what, long is, long should_be) {
    if (is != should_be && bad++ < 9) {
        printf("thread %d: %s, shape %d: %s %ld, not %ld (lo %ld hi %ld offset %ld)\n", MYTHREAD,
               pair, shape, what, is, should_be, p.lo, p.hi, p.offset);
    }
}

static void compare(const char *pair, int shape) {
    for (int i = 0; i < N; i++) {
        expect(pair, shape, "blocked", blocked[i], p_blocked[i]);
        expect(pair, shape, "cyclic", cyclic[i], p_cyclic[i]);
        expect(pair, shape, "wide", wide[i], p_wide[i]);
        expect(pair, shape, "one", one[i], p_one[i]);
        expect(pair, shape, "apart", apart[i], p_apart[i]);
        expect(pair, shape, "sums", (long)sums[i], (long)p_sums[i]);
        expect(pair, shape, "key", records[i].key, p_records[i].key);
        expect(pair, shape, "value", (long)records[i].value, (long)p_records[i].value);
        expect(pair, shape, "tag", records[i].tag[1], p_records[i].tag[1]);
    }
}

static void start(void) {
    if (MYTHREAD == THREADS - 1) {
        apart_shared = upc_alloc(N * sizeof(long));
    }
    upc_barrier;
    apart = apart_shared;
    for (int i = 0; i < N; i++) {
        long v = rand() % 1000 - 200;
        p_blocked[i] = v;
        p_cyclic[i] = 2 * v;
        p_wide[i] = 3 - v;
        p_one[i] = v ^ 5;
        p_apart[i] = -v;
        p_sums[i] = v / 3;
        p_records[i] = (struct record){{1, v % 50, 3}, v, v + 1};
        if (MYTHREAD == 0) {
            blocked[i] = p_blocked[i];
            cyclic[i] = p_cyclic[i];
            wide[i] = p_wide[i];
            one[i] = p_one[i];
            apart[i] = p_apart[i];
            sums[i] = p_sums[i];
            records[i] = p_records[i];
        }
    }
    upc_barrier;
}

int main(int argc, char **argv) {
    srand(argc > 1 ? atoi(argv[1]) : 1);
    start();
    for (int round = 0; round < ROUNDS; round++) {
        int pair = rand() % PAIRS, shape = rand() % SHAPES, far = rand() % 2;
        p.lo = rand() % 50;
        p.hi = rand() % 3 ? p.lo + rand() % 400 : p.lo + rand() % 12;
        p.offset = rand() % 90;
        p.stride = 1 + rand() % 6;
        p.limit = 700 + rand() % 300;
        for (int i = 0; i < M; i++) {
            idx[i] = rand() % (far ? N - 1 : 20);
            got[i] = 0;
        }
        long limit = p.limit, should_be = pairs[pair].private_one(shape);
        long copies[M];
        memcpy(copies, got, sizeof got);
        p.limit = limit;
        upc_barrier;
        if (round % THREADS == MYTHREAD) {
            memset(got, 0, sizeof got);
            expect(pairs[pair].name, shape, "result", pairs[pair].shared_one(shape), should_be);
            expect(pairs[pair].name, shape, "copies", memcmp(copies, got, sizeof got) == 0, 1);
            compare(pairs[pair].name, shape);
        }
        upc_barrier;
        if (round % 25 == 0) {
            compare("afterwards", shape);
            upc_barrier;
        }
    }
    if (!bad) {
        printf("ok\n");
    }
    return bad != 0;
}
