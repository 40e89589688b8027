// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.3.3p1
//@ fail: E0305
// One more than UPC_MAX_BLOCK_SIZE is too large.
shared [UPC_MAX_BLOCK_SIZE + 1] char *p; //~ error E0305

int main(void)
{
    return 0;
}
