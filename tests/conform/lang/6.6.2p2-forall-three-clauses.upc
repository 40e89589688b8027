// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.2p2
//@ fail: E0102
// upc_forall has four clauses.
int main(void)
{
    upc_forall(int i = 0; i < 3; i++) //~ error E0102
        ;
    return 0;
}
