// SPDX-License-Identifier: BSD-3-Clause
#include <upc_relaxed.h>

shared int n;
shared [] int *p;

void operands(int i)
{
    asm("" : "+r"(n)); //~ error E0414
    __asm__ volatile("" : : "r"(p[i]), "r"(i)); //~ error E0414
    asm("" : "+r"(i), "=m"(*(int *)p) : "r"(p), "i"(sizeof n));
}
