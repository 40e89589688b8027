// Iterations that every thread performs.
#include <upc_relaxed.h>

shared int a[10 * THREADS], sum, m[10][THREADS];
int own[10];

void f(void) {
    upc_forall (int i = 0; i < 10 * THREADS; i++; ) //~ warning W0517
        a[i] = i;
    upc_forall (int i = 0; i < 10 * THREADS; i++; /* who? */) { //~ warning W0517
        if (i > 5)
            sum += a[i];
    }
    upc_forall (int i = 0; i < 10 * THREADS; i++; ) //~ warning W0517
        a[i]++;
    upc_forall (int i = 0; i < 10 * THREADS; i++; continue)
        a[i] = i;
    upc_forall (int i = 0; i < 10; i++; )
        own[i] = a[i];
    upc_forall (int i = 0; i < 10; i++; )
        a[10 * MYTHREAD + i] = i;
    upc_forall (int i = 0; i < 10 * THREADS; i++; )
        if (i % THREADS == MYTHREAD)
            a[i] = i;
    upc_forall (int i = MYTHREAD; i < 10 * THREADS; i += THREADS; )
        a[i] = i;
    upc_forall (int i = 0; i < 10; i++; )
        upc_forall (int j = 0; j < THREADS; j++; &m[i][j])
            m[i][j] = i;
    upc_forall (int i = 0; i < 10; i++; i)
        upc_forall (int j = 0; j < THREADS; j++; )
            m[i][j] = i;
    upc_forall (int i = 0; i < 10 * THREADS; i++; MYTHREAD) //~ warning W0517
        a[i] = i;
    upc_forall (int i = 0; i < 10; i++; MYTHREAD)
        own[i] = a[i];
}
