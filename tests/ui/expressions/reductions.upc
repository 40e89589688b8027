// SPDX-License-Identifier: BSD-3-Clause
// Reductions whose letters or block size are not those of the array.
#include <stdint.h>
#include <upc.h>
#include <upc_collective.h>
typedef double real;
enum colour { RED, GREEN };
struct point { double x, y; };
shared [4] real a[4*THREADS], prefixes[4*THREADS];
shared int counts[THREADS];
shared long total;
shared float f;
shared char letters[THREADS];
shared _Bool flags[THREADS];
shared enum colour colours[THREADS];
shared struct point points[THREADS];
shared real sum;

void wrong(shared [4] real *p) {
    upc_all_reduceI(&sum, a, UPC_ADD, 4*THREADS, 4, NULL, 0); //~ warning W0431
    upc_all_reduceF(&f, p, UPC_ADD, 4*THREADS, 4, NULL, 0); //~ warning W0431
    upc_all_reduceI(&total, counts, UPC_ADD, THREADS, 1, NULL, 0); //~ warning W0431
    upc_all_reduceUI(&counts[0], counts, UPC_MIN, THREADS, 1, NULL, 0); //~ warning W0431
    upc_all_prefix_reduceL(prefixes, &a[0], UPC_ADD, 4*THREADS, 4, NULL, 0); //~ warning W0431
    upc_all_reduceD(&sum, a, UPC_ADD, 4*THREADS, 1, NULL, 0); //~ warning W0431
}

void right(shared [4] real *p, shared void *any, size_t block) {
    upc_all_reduceD(&sum, a, UPC_ADD, 4*THREADS, upc_blocksizeof(a), NULL, 0);
    upc_all_reduceD(&sum, a, UPC_ADD, 4*THREADS, block, NULL, 0);
    upc_all_reduceD(&sum, a, UPC_ADD, 4, 0, NULL, 0);
    upc_all_reduceD(&sum, p, UPC_ADD, 3, 4, NULL, 0);
    upc_all_reduceD(&sum, p, UPC_ADD, 1, 1, NULL, 0);
    upc_all_reduceUI(&counts[0], counts, UPC_ADD, THREADS, 1, NULL, 0);
    upc_all_reduceI((shared void *)&sum, (shared void *)a, UPC_ADD, 8*THREADS, 8, NULL, 0);
    upc_all_reduceI(any, any, UPC_ADD, THREADS, 1, NULL, 0);
    upc_all_reduceC(letters, &letters[1], UPC_ADD, 1, 1, NULL, 0);
    upc_all_reduceUC(flags, flags, UPC_LOGOR, THREADS, 1, NULL, 0);
    upc_all_reduceI(colours, colours, UPC_ADD, THREADS, 1, NULL, 0);
    upc_all_reduceD(&points[0].x, &points[0], UPC_ADD, 2, 0, NULL, 0);
}
