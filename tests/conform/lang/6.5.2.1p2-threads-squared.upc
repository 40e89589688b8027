// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2.1p2
//@ fail: E0315
// THREADS does not multiply itself.
shared int x[THREADS * THREADS]; //~ error E0315

int main(void)
{
    return 0;
}
