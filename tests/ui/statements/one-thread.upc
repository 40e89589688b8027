// Private variables that thread 0 gives a value, for all threads to use.
#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>

int n, sent, root;
shared int *a;
upc_lock_t *lock;
shared int shared_n;

int f(int argc, char **argv) {
    int m, me = MYTHREAD;
    if (MYTHREAD == 0) {
        scanf("%d", &n);
        a = (shared int *)upc_global_alloc(THREADS, sizeof(int));
        sent = atoi(argv[1]);
        root = argc;
    }
    if (me == 0) {
        m = atoi(argv[2]);
        lock = upc_global_lock_alloc();
        shared_n = n + m;
    }
    upc_barrier;
    a[MYTHREAD] = n; //~ warning W0513 //~ warning W0513
    upc_lock(lock); //~ warning W0513
    sent = shared_n;
    upc_unlock(lock);
    return m + sent + root; //~ warning W0513
}

upc_lock_t *locks[8];

void g(int n) {
    upc_lock(lock);
    upc_barrier; //~ warning W0514
    upc_unlock(lock);
    upc_lock(lock);
    if (n) {
        upc_unlock(lock);
        upc_barrier;
    } else
        upc_unlock(lock);
    upc_lock(locks[MYTHREAD % 8]);
    upc_barrier;
    upc_unlock(locks[MYTHREAD % 8]);
}
