// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 1x1 3x1 1x2
//@ exit: 1
//@ stderr: R0502
//@ stderr: bupc_memput_vlist: the destination has 4 bytes, the source 3
// The two sides of a transfer must have the same number of bytes.
#include <upc.h>

shared [8] char x[8 * THREADS];

int main(void)
{
    char here[8] = {0};
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        bupc_smemvec_t to = {&x[0], 4};
        bupc_pmemvec_t from[2] = {{here, 1}, {here + 5, 2}};
        bupc_memput_vlist(1, &to, 2, from);
    }
    upc_barrier;
    return here[0];
}

/* stdout:
*/
