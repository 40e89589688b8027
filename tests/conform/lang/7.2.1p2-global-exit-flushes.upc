// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.1p2
//@ mappings: 1x1 2x1 1x3 2x2
//@ exit: 5
// upc_global_exit flushes what the calling thread has printed, and ends threads that sleep.
#include <stdio.h>
#include <unistd.h>
#include <upc.h>

int main(void)
{
    if (MYTHREAD == 0) {
        printf("no newline at the end");
        upc_global_exit(5);
    }
    sleep(100);
    return 0;
}
/* stdout:
no newline at the end
*/
