// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.3.2p1
//@ fail: E0411
// One cannot change MYTHREAD.
int main(void)
{
    MYTHREAD++; //~ error E0411
    return 0;
}
