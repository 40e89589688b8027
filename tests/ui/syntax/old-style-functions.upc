// SPDX-License-Identifier: BSD-3-Clause
// Declarations after a parameter list in the old style that declare no parameters.
int f(a, b) int a; char *b; { return a + *b; }
int g(a, b) int a;
int main(void) { return 0; } //~ error E0102
