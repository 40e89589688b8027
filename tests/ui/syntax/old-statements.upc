// SPDX-License-Identifier: BSD-3-Clause
// Statements of UPC before 1.1.
int main(void)
{
    int i;
    barrier; //~ error E0106
    notify; //~ error E0106
    wait; //~ error E0106
    fence; //~ error E0106
    barrier 5; //~ error E0106
    forall (i = 0; i < 3; i++; i) //~ error E0106
        ;
    return 0;
}
