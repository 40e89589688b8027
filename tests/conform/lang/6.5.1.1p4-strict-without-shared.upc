// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p4
//@ fail: E0302
// strict qualifies accesses to shared data only.
strict int x; //~ error E0302

int main(void)
{
    return 0;
}
