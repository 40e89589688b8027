// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p4
//@ fail: E0302
// relaxed qualifies accesses to shared data only; here shared qualifies the referenced type.
shared int *relaxed p; //~ error E0302

int main(void)
{
    return 0;
}
