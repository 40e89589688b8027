// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1
//@ flags: -g
//@ exit: 1
//@ stderr: R0505
//@ stderr: cannot count 2147483648
#include <upc.h>

static bupc_sem_t *shared s;

int main(void)
{
    s = bupc_sem_alloc(0);
    bupc_sem_post(s);
    bupc_sem_postN(s, BUPC_SEM_MAXVALUE);
    return 0;
}
