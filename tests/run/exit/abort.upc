// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3
//@ exit: 134
// An abort ends the job with 128 + SIGABRT.
#include <stdlib.h>
#include <upc.h>

int main(void)
{
    if (MYTHREAD == 0)
        abort();
    for (;;)
        upc_barrier;
}
/* stdout:
*/
