/* SPDX-License-Identifier: BSD-3-Clause */
#include "sum.h"

#include <upc.h>
#include <upc_collective.h>

static shared long given[THREADS];
static shared long result;

long sum_of_threads(long mine) {
    given[MYTHREAD] = mine;
    upc_all_reduceL(&result, given, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    return result;
}
