// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.3p5
// The null pointer-to-shared casts to a null pointer, from every layout.
#include "../../check.h"

shared int *plain;
shared [8] int *blocked;
shared [] int *indefinite;
shared void *generic;

int main(void)
{
    CHECK((int *)plain == NULL);
    CHECK((int *)blocked == NULL);
    CHECK((int *)indefinite == NULL);
    CHECK((void *)generic == NULL);
    CHECK((char *)generic == NULL);
    return check_done();
}
