// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 2:2x1 2:3x1
// What an expression reads twice, in conditions whose second part is not always evaluated too.
#include <stdio.h>
#include <upc_relaxed.h>

enum { SLOTS = 31, KEYS = 20 };
struct slot {
    unsigned key, count;
};
static shared [SLOTS] struct slot table[THREADS][SLOTS];
static shared int squares[THREADS], calls[THREADS];

static unsigned find(int owner, unsigned key) {
    unsigned at = key % SLOTS;
    while (table[owner][at].key && table[owner][at].key != key) {
        at = (at + 1) % SLOTS;
    }
    return at;
}

static int called(int value) {
    calls[MYTHREAD]++;
    return value;
}

int main(void) {
    int wrong = 0, other = (MYTHREAD + 1) % THREADS;
    for (unsigned i = 1; i <= KEYS; i++) {
        unsigned key = i * i + (unsigned)MYTHREAD, at = find(MYTHREAD, key);
        table[MYTHREAD][at].key = key;
        table[MYTHREAD][at].count = i;
    }
    squares[MYTHREAD] = MYTHREAD + 2;
    upc_barrier;
    for (unsigned i = 1; i <= KEYS; i++) {
        unsigned key = i * i + (unsigned)other;
        wrong += table[other][find(other, key)].count != i;
        wrong += table[other][find(other, key + 1000)].key != 0;
    }
    const int square = squares[other] * squares[other];
    wrong += square != (other + 2) * (other + 2);
    wrong += (squares[other] > 1000 && called(squares[other])) || calls[MYTHREAD] != 0;
    wrong += !(squares[other] < 0 || squares[other] == other + 2);
    squares[other] = 5;
    wrong += squares[other] + squares[other] != 10;
    upc_barrier;
    if (wrong) {
        printf("thread %d: %d wrong\n", MYTHREAD, wrong);
    } else if (MYTHREAD == 0) {
        puts("ok");
    }
    return wrong;
}
