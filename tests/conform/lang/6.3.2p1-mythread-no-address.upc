// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.3.2p1
//@ fail: E0411
// One cannot take the address of MYTHREAD.
static void use(const void *p)
{
    (void)p;
}

int main(void)
{
    use(&MYTHREAD); //~ error E0411
    return 0;
}
