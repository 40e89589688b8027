// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2p8
//@ fail: E0310
// No automatic array is shared.
int main(void)
{
    shared [] int a[10]; //~ error E0310
    return a[0];
}
