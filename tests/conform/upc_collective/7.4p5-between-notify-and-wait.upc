// SPDX-License-Identifier: BSD-3-Clause
//@ warn: W0511
//@ exit: 1
//@ stderr: R0307
//@ stderr: upc_all_gather between upc_notify
// Refused even where nothing would have to wait.
#include <upc.h>
#include <upc_collective.h>

static shared int source[THREADS];
static shared [] int target[32];

int main(void)
{
    upc_notify;
    upc_all_gather(target, source, sizeof(int), UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    upc_wait;
    return 0;
}
