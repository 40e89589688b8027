// SPDX-License-Identifier: BSD-3-Clause
// A `;` behind the head of a upc_forall is its body.
#include <upc.h>
#define NOTHING ;
shared int a[10 * THREADS];

void f(void)
{
    int i;
    upc_forall (i = 0; i < 10 * THREADS; i++; &a[i]); //~ warning W0519
    { a[i] = 0; }
    upc_forall (i = 0; i < 10; i++; i)
        ;
    upc_forall (i = 0; i < 10; i++; continue) NOTHING
    upc_forall (i = 0; i < 10; i++; i) ;
    upc_forall (i = 0; i < 10; i++; i) { }
    upc_forall (i = 0; i < 10; i++; i)
        if (a[i]) a[i] = 1;
    for (i = 0; i < 10; i++) ;
}
