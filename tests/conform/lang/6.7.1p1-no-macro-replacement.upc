// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.7.1p1
// Nothing is replaced after `#pragma upc`.
#include <upc_strict.h>
#define relaxed no such pragma
#define strict nor this
#pragma upc relaxed
#pragma upc strict
#undef relaxed
#undef strict
#include "../../check.h"

int main(void)
{
    return check_done();
}
