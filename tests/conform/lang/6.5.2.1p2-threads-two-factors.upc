// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2.1p2
//@ fail: E0315
// The multiplier is one constant expression.
shared int x[THREADS * 100 * 20]; //~ error E0315

int main(void)
{
    return 0;
}
