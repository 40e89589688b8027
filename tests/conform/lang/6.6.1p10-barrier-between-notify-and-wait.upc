// SPDX-License-Identifier: BSD-3-Clause
//@ warn: W0511
//@ spec: 6.6.1p10
//@ mappings: 1x1 2x1 1x2
//@ exit: 1
//@ stderr: R0302
// Example 1: { upc_notify; upc_barrier; upc_wait; } is a run-time error.
#include <upc.h>

int main(void)
{
    upc_notify;
    upc_barrier;
    upc_wait;
    return 0;
}
/* stdout:
*/
