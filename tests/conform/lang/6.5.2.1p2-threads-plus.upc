// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2.1p2
//@ fail: E0315
// ... alone or multiplied by a constant.
shared int x[10 + THREADS]; //~ error E0315

int main(void)
{
    return 0;
}
