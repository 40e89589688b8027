// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2
//@ exit: 1
// A member of a record that a null pointer-to-shared points to is not at address 0.
//@ stderr: thread 0: error[R0704]: tests/run/exit/null-member.upc:17: an access through a null pointer-to-shared, 8 bytes behind it, as of an element or a member
#include <upc.h>

struct node {
    long value;
    shared struct node *next;
};
shared struct node *volatile head;

int main(void)
{
    if (MYTHREAD == 0)
        head->next = 0;
    upc_barrier;
    return 0;
}
/* stdout:
*/
