// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1
//@ exit: 1
//@ stderr: R0503
//@ stderr: bupc_thread_distance(0, -1)
#include <upc.h>

int main(void)
{
    return (int)bupc_thread_distance(0, -1);
}
