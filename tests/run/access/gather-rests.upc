// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2:2x1
//@ env: FURLONG_READ_CACHE=1
/*
 * A gather of another host's words takes longer than cached lines may serve: most reads are served
 * by lines all the same, or each of them would wait for the host. But lines are fetched anew.
 */
#include <stdio.h>
#include <upc_relaxed.h>

enum { LINES = 24, STEP = 64, READS = 20000 };
static shared [LINES * STEP] long words[THREADS][LINES * STEP];
static strict shared int done;

/* Counts in all its words as fast as it can. */
static void count(void) {
    long *own = (long *)words[MYTHREAD];
    for (volatile long n = 1; !done; n++) {
        for (int i = 0; i < LINES; i++) {
            own[i * STEP] = n;
        }
    }
}

static long gather(void) {
    long changed = 0, last[LINES] = {0};
    for (int i = 0; i < READS; i++) {
        int line = i * 7 % LINES;
        long now = words[1][line * STEP];
        changed += now != last[line];
        last[line] = now;
    }
    return changed;
}

int main(void) {
    upc_barrier;
    if (MYTHREAD == 1) {
        count();
        return 0;
    }
    long changed = gather(), more = 0;
    while (more == 0) { /* the counting thread may be asleep */
        more = gather();
    }
    done = 1;
    if (changed > READS / 2) {
        printf("%ld of %d reads found another value\n", changed, READS);
        return 1;
    }
    puts("ok");
    return 0;
}
