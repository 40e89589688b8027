// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 1x7
// A thread that closes its stdout prints no more; the others do.
#include <stdio.h>
#include <upc.h>

int main(void)
{
    if (MYTHREAD > 0 && fclose(stdout) != 0)
        return 2;
    upc_barrier;
    if (MYTHREAD == 0)
        printf("thread 0 alone\n");
    return 0;
}
/* stdout:
thread 0 alone
*/
