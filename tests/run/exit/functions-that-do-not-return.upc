// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x3 3x1
//@ flags: -O1 -Wall -Werror
//@ exit: 4
// The C compiler knows that upc_global_exit does not return, and does not warn of what would follow.
#include <stdnoreturn.h>
#include <upc.h>

static noreturn void give_up(int status)
{
    upc_global_exit(status);
}

static int half(int n)
{
    if (n % 2 == 0)
        return n / 2;
    upc_global_exit(4);
}

int main(void)
{
    int n = half(2 * MYTHREAD);
    upc_barrier;
    if (n == 0)
        give_up(half(1));
    upc_barrier;
    return 0;
}
