// SPDX-License-Identifier: BSD-3-Clause
// A comment that never ends.
int main(void)
{
    return 0;
}
/* the rest is gone
shared int x;
