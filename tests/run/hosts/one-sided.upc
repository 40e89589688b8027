// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2:2x1 3:5x1 2:2x2
//@ env: FURLONG_ONE_SIDED=1
// One-sided transfers among messages: what a thread writes it reads, and what it has published others
// read; over ends of chunks, and in memory that is freed and allocated anew.
#include <string.h>
#include <upc.h>
#include <upc_atomic.h>
#include "expect.h"

enum { SMALL = 64, LARGE = 5 << 20, ROUNDS = 100, BLOCKS = 12 };
static shared [SMALL] long words[SMALL * THREADS];
static shared long counters[THREADS], totals[THREADS];
static strict shared int ready[THREADS];
static char out[LARGE], in[LARGE];

#define NEXT ((MYTHREAD + 1) % THREADS)
#define BEFORE ((MYTHREAD + THREADS - 1) % THREADS)

/* Elements of the next thread, whose words only this one accesses, by every kind of access; among them
 * atomic operations on counters that all add to. */
static void elements(upc_atomicdomain_t *domain)
{
    long mirror[SMALL] = {0}, added = 0, sum = 0;
    unsigned state = 1 + MYTHREAD;
    upc_memset(&words[NEXT * SMALL], 0, sizeof mirror);
    for (int i = 0; i < 20 * ROUNDS; i++) {
        state = state * 1103515245 + 12345;
        int at = state >> 16 & (SMALL - 1);
        const long one = 1;
        switch (state >> 24 & 7) {
        case 0:
            words[NEXT * SMALL + at] = mirror[at] = i;
            break;
        case 1:
            words[NEXT * SMALL + at] += 3;
            mirror[at] += 3;
            break;
        case 2:
            upc_atomic_relaxed(domain, NULL, UPC_ADD, &counters[at % THREADS], &one, NULL);
            added++;
            break;
        case 3:
            upc_memget(in, &words[NEXT * SMALL], sizeof mirror);
            expect("memget", memcmp(in, mirror, sizeof mirror), 0);
            break;
        case 4:
            mirror[at] = -i;
            upc_memput(&words[NEXT * SMALL], mirror, sizeof mirror);
            break;
        default:
            expect("element", words[NEXT * SMALL + at], mirror[at]);
        }
    }
    totals[MYTHREAD] = added;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        sum += counters[t] - totals[t];
    expect("counted", sum, 0);
    upc_barrier;
}

/* Data, then a flag that says that it is there: round after round. */
static void hand_over(void)
{
    for (int r = 1; r <= ROUNDS; r++) {
        for (int i = 0; i < SMALL; i++)
            words[NEXT * SMALL + i] = r * 100 + i;
        ready[NEXT] = r;
        while (ready[MYTHREAD] != r)
            ;
        for (int i = 0; i < SMALL; i++)
            expect("handed over", words[MYTHREAD * SMALL + i], r * 100 + i);
        upc_barrier;
    }
}

static void blocks(void)
{
    for (int r = 0; r < BLOCKS; r++) {
        shared [] char *block = upc_alloc(LARGE);
        static shared [] char *shared all[THREADS];
        memset((char *)block, 99, LARGE);
        all[MYTHREAD] = block;
        upc_barrier;
        shared [] char *other = all[NEXT];
        size_t from = r * 4099, bytes = LARGE - 2 * from;
        memset(out, r + MYTHREAD, LARGE);
        upc_memput(other + from, out, bytes);
        upc_memget(in, other, LARGE);
        expect("before", in[from - (r > 0)], r > 0 ? 99 : r + MYTHREAD);
        expect("begin to end", memcmp(in + from, out, bytes), 0);
        upc_barrier;
        expect("here", ((char *)block)[LARGE / 2], (char)(r + BEFORE));
        upc_free(block);
    }
}

int main(void)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD, 0);
    elements(domain);
    hand_over();
    blocks();
    upc_barrier;
    return done();
}
