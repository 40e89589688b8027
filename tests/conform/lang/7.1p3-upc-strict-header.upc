// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.1p3
//@ mappings: 2x1 1x2
// Every inclusion of <upc_strict.h> asserts strict again, and includes <upc.h>.
#include <upc_strict.h>
#include <upc_relaxed.h>
#include <upc_strict.h>
size_t declared_by_upc(void)
{
    return upc_threadof(NULL);
}
#define X shared []
#define Y shared []
#define BETWEEN
#include "inputs/store-buffering.h"
