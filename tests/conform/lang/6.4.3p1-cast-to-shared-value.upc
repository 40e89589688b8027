// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.3p1
//@ fail: E0412
// A cast makes a value: its type cannot be shared.
int main(void)
{
    return (shared int)5; //~ error E0412
}
