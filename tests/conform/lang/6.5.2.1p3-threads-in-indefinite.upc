// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2.1p3
//@ fail: E0316
// An indefinite array lives on one thread: THREADS has no place in its dimensions.
shared [] int x[THREADS]; //~ error E0316

int main(void)
{
    return 0;
}
