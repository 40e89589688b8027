// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.2p7
// Null pointers-to-shared of every kind compare equal to null and to each other.
#include "../../check.h"

shared int *plain;
shared [5] int *blocked;
shared [] int *indefinite;
shared void *generic;

int main(void)
{
    CHECK(plain == NULL);
    CHECK(blocked == NULL);
    CHECK(indefinite == NULL);
    CHECK(generic == NULL);
    CHECK(generic == plain);
    CHECK(generic == blocked);
    CHECK(indefinite == generic);
    CHECK((shared int *)0 == plain);
    CHECK((shared [5] int *)generic == blocked);
    return check_done();
}
