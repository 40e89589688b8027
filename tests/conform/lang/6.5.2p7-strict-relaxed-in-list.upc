// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2p7
//@ fail: E0301
// A qualifier list after * is not both strict and relaxed.
int *shared strict relaxed p; //~ error E0301

int main(void)
{
    return 0;
}
