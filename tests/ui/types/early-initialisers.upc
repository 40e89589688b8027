// Initialisers that are evaluated before the threads have met.
#include <upc.h>

shared int a[THREADS];
int first = a[0]; //~ warning W0326
shared int *where = &a[1];
int *own = (int *)&a[0];
upc_lock_t *lock = upc_all_lock_alloc(); //~ warning W0326
unsigned long size = sizeof(a[0]);

int main(void) {
    static int other = 1 + a[1]; //~ warning W0326
    static int mine = MYTHREAD;
    int now = a[0];
    return other + mine + now + first;
}
