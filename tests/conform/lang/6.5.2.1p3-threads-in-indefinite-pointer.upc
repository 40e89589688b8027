// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2.1p3
//@ fail: E0316
// Also not in the type of a pointer.
shared [] int (*p)[4 * THREADS]; //~ error E0316

int main(void)
{
    return 0;
}
