// Statements that must not be in the body of a upc_forall.
#include <upc.h>
#include <upc_collective.h>

shared int a[10*THREADS];

int main(void) {
    int i, j;
    upc_forall (i = 0; i < 10*THREADS; i++; i) {
        if (i == 3)
            upc_barrier; //~ warning W0506
        upc_notify; //~ warning W0506
        upc_wait 1; //~ warning W0506
        upc_fence;
    }
    upc_forall (i = 0; i < THREADS; i++; continue)
        upc_barrier;
    upc_forall (i = 0; i < THREADS; i++; i) {
        shared int *p = upc_all_alloc(THREADS, sizeof(int)); //~ warning W0506
        if (p != NULL)
            upc_all_broadcast(p, a, sizeof(int), 0); //~ warning W0506
        upc_forall (j = 0; j < 3; j++; j)
            upc_all_free(p); //~ warning W0506
        upc_forall (j = 0; j < 3; j++; continue)
            upc_all_free(NULL); //~ warning W0506
        upc_free(NULL);
    }
    upc_forall (i = 0; i < THREADS; i++; continue)
        upc_all_free(NULL);
    upc_forall (i = 0; i < 10*THREADS; i++; &a[i]) {
        for (j = 0; j < 3; j++)
            if (a[i] == j) break;
        switch (a[i]) {
        case 1: break;
        default: continue;
        }
        if (a[i] == 7) goto next;
        if (a[i] == 8) break; //~ warning W0507
        if (a[i] == 9) return 1; //~ warning W0507
        while (1) goto out; //~ warning W0507
next:
        a[i] = 0;
        upc_forall (j = 0; j < 3; j++; j)
            break; //~ warning W0507
    }
out:
    if (i == 3)
        goto inside; //~ warning W0507
    upc_forall (i = 0; i < THREADS; i++; i) {
inside:
        upc_forall (j = 0; j < 3; j++; j) {
again:
            if (a[i]++ < 3)
                goto again;
        }
        if (a[i] == 4)
            goto again; //~ warning W0507
        if (a[i] == 5)
            goto inside;
    }
    return 0;
}
