// SPDX-License-Identifier: BSD-3-Clause
// Part of 6.7.1p3-relaxed-at-first.upc: a unit that is strict throughout.
#pragma upc strict
extern shared int value;

int read_strictly(void)
{
    return value;
}
