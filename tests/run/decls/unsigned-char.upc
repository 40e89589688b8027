// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -funsigned-char
// The C compiler is asked whether char is signed: it differs among machines, and an option says.
#include <stdio.h>
#include <upc.h>

shared[(char)-1 > 0 ? 4 : 2] int a[8 * THREADS];
char c = -1;

int main(void) {
    if (upc_blocksizeof(a) != 4 || upc_phaseof(&a[3]) != 3 || c < 0) {
        printf("block size %zu, phase %zu, c %d\n", upc_blocksizeof(a), upc_phaseof(&a[3]), c);
        return 1;
    }
    printf("ok\n");
    return 0;
}
