// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5p3
//@ fail: E0303
// One declaration cannot have two block sizes.
shared [2] int shared [3] a[6]; //~ error E0303

int main(void)
{
    return 0;
}
