// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p8
//@ fail: E0309
// shared void has no block size.
shared [3] void *p; //~ error E0309

int main(void)
{
    return 0;
}
