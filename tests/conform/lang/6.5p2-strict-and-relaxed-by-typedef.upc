// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5p2
//@ fail: E0301
// Neither through a typedef.
typedef strict shared int strict_int;
relaxed strict_int x; //~ error E0301

int main(void)
{
    return 0;
}
