// SPDX-License-Identifier: BSD-3-Clause
// strict and relaxed together: directly, through typedefs, in pointers, members and casts.
typedef strict shared int strict_int;
typedef relaxed shared [3] char *relaxed_pointer;
strict relaxed shared int a; //~ error E0301
relaxed strict_int b; //~ error E0301
int *relaxed shared strict c; //~ error E0301
struct { strict relaxed shared int *p; } d; //~ error E0301

int main(void)
{
    shared void *p = (relaxed strict_int *)0; //~ error E0301
    return p == 0;
}
