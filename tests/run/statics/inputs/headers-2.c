// SPDX-License-Identifier: BSD-3-Clause
// The other half of headers.upc, in C.
#include "plain-state.h"

int plain_count;
int *plain_address = &plain_count;

int plain_register(void)
{
    return __atomic_add_fetch(&plain_count, 1, __ATOMIC_SEQ_CST);
}

int plain_read(void)
{
    return plain_count;
}
