// SPDX-License-Identifier: BSD-3-Clause
// strict and relaxed need shared in the same list.
strict int a; //~ error E0302
relaxed char *b; //~ error E0302
shared int *strict c; //~ error E0302
typedef relaxed double number; //~ error E0302
struct { strict int *p; } d; //~ error E0302

int f(strict int *p) //~ error E0302
{
    return *(relaxed int *)p; //~ error E0302
}
