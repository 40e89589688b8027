// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.5.4p2 7.2.5.4p3
// upc_memset sets n bytes to c converted to unsigned char.
#include "../../check.h"

shared [16] unsigned char data[16 * THREADS];
shared double numbers[THREADS];

int main(void)
{
    int next = (MYTHREAD + 1) % THREADS;
    upc_memset(&data[16 * next], 0x1AB, 16);
    upc_memset(&data[16 * next + 4], -1, 3);
    upc_memset(&data[16 * next], 0, 0);
    numbers[next] = 3.5;
    upc_memset(&numbers[next], 0, sizeof(double));
    upc_barrier;
    for (int i = 0; i < 16; i++)
        CHECK_EQ(data[16 * MYTHREAD + i], i >= 4 && i < 7 ? 0xFF : 0xAB);
    CHECK(numbers[MYTHREAD] == 0.0);
    return check_done();
}
