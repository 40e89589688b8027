// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.1p2
//@ mappings: 1x1 2x2
//@ exit: 9
// It may be called below any depth of calls, within a upc_forall too.
#include <upc.h>

static void deep(int n)
{
    if (n == 0)
        upc_global_exit(9);
    deep(n - 1);
}

int main(void)
{
    upc_forall(int i = 0; i < THREADS; i++; i) deep(20);
    return 0;
}
/* stdout:
*/
