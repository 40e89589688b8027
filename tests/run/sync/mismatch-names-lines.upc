// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x2
//@ exit: 1
//@ stderr: mismatch-names-lines.upc:10
// A mismatched barrier names the source line of the barrier.
#include <upc.h>

int main(void)
{
    upc_barrier MYTHREAD;
    return 0;
}
/* stdout:
*/
