// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 3x1 1x3 5x1 2:2x2
//@ flags: -O2
// Pointers into one array are in the order of their elements, in every layout (UPC 1.3 §6.4.2p5).
#include <upc_relaxed.h>
#include "../hosts/expect.h"

enum { N = 60 };
struct triple { int x[3]; };
static shared int cyclic[N * THREADS];
static shared [7] short sevens[N * THREADS];
static shared [4] struct triple triples[N * THREADS];
static shared [6] int rows[N * THREADS][3];
static shared [300000] char wide[600000 * THREADS];

#define COMPARE(name, at, n, step)                                                                 \
    for (long i = 0; i <= (n); i += step)                                                          \
        for (long j = 0; j <= (n); j += step) {                                                    \
            expect(name " <", (at) + i < (at) + j, i < j);                                         \
            expect(name " <=", (at) + i <= (at) + j, i <= j);                                      \
            expect(name " >", (at) + i > (at) + j, i > j);                                         \
            expect(name " >=", (at) + i >= (at) + j, i >= j);                                      \
            expect(name " -", ((at) + i) - ((at) + j), i - j);                                     \
        }

int main(void)
{
    COMPARE("cyclic", cyclic, N * THREADS, 1)
    COMPARE("blocks of 7", sevens, N * THREADS, 1)
    COMPARE("records", triples, N * THREADS, 1)
    COMPARE("rows", rows, N * THREADS, 1)
    COMPARE("from within a block", &sevens[3], (N - 1) * THREADS, 1)
    COMPARE("wide", wide, 600000 * THREADS, 29993)
    upc_barrier;
    return MYTHREAD == 0 ? done() : wrong;
}
