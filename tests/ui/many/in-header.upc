// SPDX-License-Identifier: BSD-3-Clause
//@ fail: E0315
// A mistake in a header is shown in the header.
#include "inputs/wrong.h"

int main(void)
{
    return 0;
}
