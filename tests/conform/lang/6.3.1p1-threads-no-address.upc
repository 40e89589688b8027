// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.3.1p1
//@ fail: E0411
// One cannot take the address of THREADS.
int main(void)
{
    return &THREADS != 0; //~ error E0411
}
