// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.3.1p1
//@ fail: E0411
// One cannot assign to THREADS.
int main(void)
{
    THREADS = 4; //~ error E0411
    return 0;
}
