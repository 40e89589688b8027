// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2.1p2
//@ fail: E0315
// The multiplier is positive.
shared int x[0 * THREADS]; //~ error E0315

int main(void)
{
    return 0;
}
