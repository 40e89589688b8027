// SPDX-License-Identifier: BSD-3-Clause
// typeof of shared objects, pointers and values.
#include "../../check.h"

shared [2] int a[4 * THREADS];
shared struct { double d; } s;
static __typeof__(a) *whole = &a;
__typeof__(s) t;

int main(void)
{
    __typeof__(&a[0]) p = &a[1];
    __typeof__(*p) *q = p + 1;
    __typeof__(a[0] + 0) value = 3;
    __typeof__(int) plain = 4;
    static __typeof__(a[0]) another;
    a[4 * MYTHREAD % (4 * THREADS)] = value;
    CHECK_EQ(upc_blocksizeof(*q), 2);
    CHECK_EQ(q - p, 1);
    CHECK_EQ(plain + value, 7);
    CHECK(&(*whole)[2] == q);
    CHECK_EQ(upc_threadof(&t) + upc_threadof(&another), 0);
    return check_done();
}
