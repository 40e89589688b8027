// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.2p1
//@ fail: E0401
// upc_localsizeof applies to shared types only.
int a[4];

int main(void)
{
    return upc_localsizeof(a); //~ error E0401
}
