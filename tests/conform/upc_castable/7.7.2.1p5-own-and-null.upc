// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.7.2.1p6
// For an object of the calling thread upc_cast is the cast of the language, whatever the phase;
// null gives null.
#include "../../check.h"
#include <upc_castable.h>

shared [3] char blocks[3 * THREADS];
shared double cyclic[THREADS];
shared [] long at_zero[4];

int main(void)
{
    for (int i = 0; i < 3; i++) {
        shared [3] char *p = &blocks[3 * MYTHREAD + i];
        CHECK(upc_cast(p) == (void *)p);
    }
    CHECK(upc_cast(&cyclic[MYTHREAD]) == (void *)&cyclic[MYTHREAD]);
    if (MYTHREAD == 0)
        CHECK(upc_cast(&at_zero[3]) == (void *)&at_zero[3]);
    CHECK(upc_cast(NULL) == NULL);
    shared [3] char *none = NULL;
    CHECK(upc_cast(none) == NULL);
    return check_done();
}
