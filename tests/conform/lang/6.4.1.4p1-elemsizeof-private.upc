// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.4p1
//@ fail: E0401
// upc_elemsizeof applies to shared types only.
double a[3];

int main(void)
{
    return upc_elemsizeof a; //~ error E0401
}
