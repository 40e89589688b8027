// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g -O0
//@ mappings: 1x1 3x1 1x3 2:4x1
//@ exit: 1
// An element of a null pointer-to-shared would be found in some thread's memory: with -g and -O0 it is not.
//@ stderr: thread 0: error[R0704]: tests/run/exit/null-element.upc:18: an access through a null pointer-to-shared, 20 bytes behind it, as of an element or a member
#include <upc.h>

#define IS_NULL(p) ((p) + zero == NULL && &(p)[zero] == NULL)
static shared int *volatile cyclic;
static shared [3] int *volatile blocked;
static shared [300000] int *volatile wide;
static volatile int zero, five = 5;

int main(void)
{
    if (MYTHREAD == 0)
        cyclic[IS_NULL(cyclic) && IS_NULL(blocked) && IS_NULL(wide) ? five : 0] = 1;
    upc_barrier;
    return 0;
}
/* stdout:
*/
