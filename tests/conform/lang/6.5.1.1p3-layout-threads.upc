// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p3
//@ fail: E0304
// THREADS is no constant in the dynamic environment.
shared [THREADS] int *p; //~ error E0304

int main(void)
{
    return 0;
}
