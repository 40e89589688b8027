// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 5.1.2.2p2
// Reaching the } of main ends the thread with status 0.
#include "../../check.h"

int main(void)
{
    if (MYTHREAD == 0)
        puts("ok");
}
