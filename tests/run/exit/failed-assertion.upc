// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2
//@ exit: 134
//@ stderr: x == 2
// A failed assertion says what failed and ends the job.
#include <assert.h>
#include <upc.h>

shared int x;

int main(void)
{
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        assert(x == 2);
    upc_barrier;
    return 0;
}
/* stdout:
*/
