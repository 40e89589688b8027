// SPDX-License-Identifier: BSD-3-Clause
// upc_forall with three and with five clauses, and `continue` in the wrong one.
shared int n;

int main(void)
{
    int i;
    upc_forall (i = 0; i < 3; i++) //~ error E0102
        ;
    upc_forall (i = 0; i < 3; i++; i; i) //~ error E0102
        ;
    upc_forall (i = 0; continue; i++; i) //~ error E0102
        ;
    for (i = 0; i < 3; i++; i) //~ error E0102
        ;
    upc_forall (i = 0, i < 3, i++, i) //~ error E0102
        ;
    upc_forall (i) //~ error E0102
        ;
    upc_for_all (i = 0; i < 3; i++; i) //~ error E0420
        ;
    for_each (i = 0; i < 3; i++; i) //~ error E0420
        ;
    upc_forall (i = 0; i < 3; i++) //~ error E0102
        n = i;
    return 0;
}
