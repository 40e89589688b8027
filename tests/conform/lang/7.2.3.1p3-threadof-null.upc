// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.3.1p3
// A null pointer-to-shared has thread 0 and phase 0.
#include "../../check.h"

shared [4] int *p;

int main(void)
{
    CHECK_EQ(upc_threadof(NULL), 0);
    CHECK_EQ(upc_threadof(p), 0);
    CHECK_EQ(upc_phaseof(NULL), 0);
    CHECK_EQ(upc_phaseof(p), 0);
    return check_done();
}
