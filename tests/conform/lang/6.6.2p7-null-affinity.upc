// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.2p7
// A null pointer-to-shared has thread 0, as upc_threadof says.
#include "../../check.h"

int main(void)
{
    int turns = 0;
    shared int *null = 0;
    upc_forall(int i = 0; i < 5; i++; null) turns++;
    CHECK_EQ(turns, MYTHREAD == 0 ? 5 : 0);
    return check_done();
}
