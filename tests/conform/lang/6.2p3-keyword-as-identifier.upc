// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.2p3
//@ fail: E0102
// A keyword is reserved and cannot name an object.
int upc_forall; //~ error E0102

int main(void)
{
    return 0;
}
