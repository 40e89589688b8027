// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2p8
//@ fail: E0310
// Neither through a typedef, nor in a for clause.
typedef shared int counter;

int main(void)
{
    for (counter i = 0; i < 3; i++) //~ error E0310
        ;
    return 0;
}
