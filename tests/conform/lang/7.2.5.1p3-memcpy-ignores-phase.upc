// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.5.1p3 7.2.5.2p3
// A pointer into the middle of a block names bytes on one thread, whatever its phase and type.
#include "../../check.h"

shared int cyclic[20 * THREADS];
shared [7] char blocked[14 * THREADS];

int main(void)
{
    for (int k = 0; k < 20; k++)
        cyclic[MYTHREAD + k * THREADS] = 100 * MYTHREAD + k;
    upc_forall(int i = 0; i < 14 * THREADS; i++; &blocked[i]) blocked[i] = 'a' + i % 26;
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS, got[20];
    upc_memget(got, &cyclic[next], sizeof got);
    for (int k = 0; k < 20; k++)
        CHECK_EQ(got[k], 100 * next + k);
    char text[5];
    upc_memget(text, &blocked[7 * next + 2], sizeof text);
    for (int k = 0; k < 5; k++)
        CHECK_EQ(text[k], 'a' + (7 * next + 2 + k) % 26);
    return check_done();
}
