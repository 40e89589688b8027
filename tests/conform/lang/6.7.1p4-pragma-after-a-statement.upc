// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.7.1p4
//@ warn: W0105
//@ flags: -Wall -Werror=unknown-pragmas
// After the first statement of a block the pragma has no defined meaning.
#include "../../check.h"
shared int x;

int main(void)
{
    x = 0;
#pragma upc strict //~ warning W0105
    x = 0;
    return check_done();
}
