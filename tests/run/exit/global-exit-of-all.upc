// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x5
//@ repeat: 5
//@ exit: 5
//@ sort
//@ not-emulated: qemu makes no timers for single threads, so nothing bounds the flush
// All threads call upc_global_exit at once, with unfinished lines: these do not run into each other.
#include <stdio.h>
#include <upc.h>

int main(void)
{
    printf("thread %d", MYTHREAD);
    upc_barrier;
    upc_global_exit(5);
}
/* stdout:
thread 0
thread 1
thread 2
thread 3
thread 4
*/
