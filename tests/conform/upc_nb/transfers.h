// SPDX-License-Identifier: BSD-3-Clause
// A row of bytes at each thread, what it should hold, and every kind of transfer between rows.
#ifndef FURLONG_TESTS_TRANSFERS_H
#define FURLONG_TESTS_TRANSFERS_H

#include "../../check.h"
#include <upc_nb.h>

#define ROW 4100

shared [ROW] unsigned char rows[THREADS][ROW], others[THREADS][ROW];
static unsigned char mine[ROW];

static inline unsigned char byte_of(int thread, int i)
{
    return (unsigned char)(thread * 41 + i * 7 + i / 256);
}

// Each thread fills its own row.
static inline void fill(void)
{
    for (int i = 0; i < ROW; i++) {
        rows[MYTHREAD][i] = byte_of(MYTHREAD, i);
        others[MYTHREAD][i] = 0xee;
        mine[i] = 0xdd;
    }
    upc_barrier;
}

static const int lengths[] = {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 1023, 4096, ROW};
#define LENGTHS ((int)(sizeof lengths / sizeof lengths[0]))

#endif
