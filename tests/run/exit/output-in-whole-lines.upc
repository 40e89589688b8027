// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 4x1 1x4 2x2
//@ sort
// Lines of different threads do not mix, however they are put together.
#include <stdio.h>
#include <upc.h>

int main(void)
{
    for (int i = 0; i < 2; i++) {
        printf("thread %d ", (int)MYTHREAD);
        for (int k = 0; k < 20; k++)
            putchar('a' + MYTHREAD);
        puts("");
    }
    return 0;
}
/* stdout:
thread 0 aaaaaaaaaaaaaaaaaaaa
thread 0 aaaaaaaaaaaaaaaaaaaa
thread 1 bbbbbbbbbbbbbbbbbbbb
thread 1 bbbbbbbbbbbbbbbbbbbb
thread 2 cccccccccccccccccccc
thread 2 cccccccccccccccccccc
thread 3 dddddddddddddddddddd
thread 3 dddddddddddddddddddd
*/
