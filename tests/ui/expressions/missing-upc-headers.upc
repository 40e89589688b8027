// Names of the UPC library whose header is not included: each header is named once.
#include <stdio.h>

shared int *p;
upc_lock_t *l;

int main(void) {
    p = upc_all_alloc(THREADS, sizeof(int)); //~ error E0419
    l = upc_all_lock_alloc();
    upc_lock(l);
    upc_all_broadcast(p, p, 4, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC); //~ error E0419 //~ warning W0514
    upcx_wait(UPC_ADD); //~ error E0419
    printf("%d\n", (int)upc_threadof(p));
    return 0;
}
