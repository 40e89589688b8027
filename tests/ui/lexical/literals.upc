// SPDX-License-Identifier: BSD-3-Clause
// Characters and literals that do not end or that C does not have.
int main(void)
{
    char *s = "no end; //~ error E0101
    char c = 'x; //~ error E0101
    int d = 3 $$ 4 @ 5; //~ error E0101
    return 0;
}
