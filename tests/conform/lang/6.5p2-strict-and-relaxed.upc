// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5p2
//@ fail: E0301
// One declaration cannot be both strict and relaxed.
strict shared relaxed int x; //~ error E0301

int main(void)
{
    return 0;
}
