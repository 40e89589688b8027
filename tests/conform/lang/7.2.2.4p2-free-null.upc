// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.2.4p2
// Freeing a null pointer does nothing.
#include "../../check.h"

int main(void)
{
    shared int *p = 0;
    upc_free(p);
    upc_free(NULL);
    upc_free(0);
    return check_done();
}
