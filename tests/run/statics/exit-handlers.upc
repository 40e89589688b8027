// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1
// atexit handlers of a process run at its end.
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>

static void last(void)
{
    if (MYTHREAD == 0)
        puts("ok");
}

int main(void)
{
    atexit(last);
    return 0;
}
