// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.4.4p2 7.2.4.5p3
// Freeing a null lock does nothing.
#include "../../check.h"

int main(void)
{
    upc_lock_free(NULL);
    upc_lock_t *none = 0;
    upc_lock_free(none);
    upc_all_lock_free(none);
    return check_done();
}
