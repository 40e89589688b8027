// Locks and arrays that every thread allocates for itself, and uses as if there were one.
#include <upc_relaxed.h>

upc_lock_t *global, *shared published;
shared int *shared table, counter;
shared int *shared tables[THREADS];
void give(shared int *, upc_lock_t *);

void locks(int n) {
    upc_lock_t *lock = upc_global_lock_alloc();
    upc_lock_t *one = NULL, *own = upc_global_lock_alloc(), *given = upc_global_lock_alloc();
    upc_lock(lock); //~ warning W0515
    counter++;
    upc_unlock(lock);
    global = upc_global_lock_alloc();
    upc_lock(global); //~ warning W0515
    upc_unlock(global);
    if (MYTHREAD == 0) one = published = upc_global_lock_alloc();
    upc_lock(one);
    published = own;
    upc_lock(own);
    give(NULL, given);
    upc_lock(given);
    for (int i = 0; i < n; i++) {
        upc_lock_t *each = upc_global_lock_alloc();
        upc_lock(each);
    }
}

int arrays(int n) {
    shared int *a = (shared int *)upc_global_alloc(THREADS, sizeof(int));
    shared int *b, *own = upc_global_alloc(n, sizeof(int)), *c = upc_global_alloc(n, sizeof(int));
    shared int *given = upc_global_alloc(n, sizeof(int)), *part = upc_global_alloc(n, 4);
    a[MYTHREAD] = n; //~ warning W0515
    b = upc_global_alloc(n, sizeof(int));
    upc_forall (int i = 0; i < n; i++; &b[i]) //~ warning W0515
        b[i] = i;
    tables[MYTHREAD] = own;
    own[MYTHREAD] = n;
    for (int i = 0; i < n; i++)
        c[i] = i;
    give(given, NULL);
    given[MYTHREAD] = n;
    give(&part[5], NULL);
    part[MYTHREAD] = n;
    upc_barrier;
    upc_free(a);
    return own[0] + c[1] + b[2];
}
