// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.4p1
//@ fail: E0402
// sizeof's constraints hold: no void.
shared void *p;

int main(void)
{
    return upc_elemsizeof(*p); //~ error E0402
}
