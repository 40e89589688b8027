// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.7.1p1
//@ warn: W0105
// `#pragma upc` knows two words.
#include "../../check.h"
#pragma upc sloppy //~ warning W0105

int main(void)
{
    return check_done();
}
