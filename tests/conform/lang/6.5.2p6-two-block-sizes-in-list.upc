// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2p6
//@ fail: E0303
// A qualifier list after * has one block size at most.
int *shared [2] shared [3] p; //~ error E0303

int main(void)
{
    return 0;
}
