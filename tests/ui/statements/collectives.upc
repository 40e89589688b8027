// SPDX-License-Identifier: BSD-3-Clause
// Collective operations that cannot do what is meant, and a lock that may not be held.
#include <upc.h>
#include <upc_collective.h>
shared int to[THREADS], from;
upc_lock_t *lock;

static void flags(upc_flag_t given) {
    upc_all_broadcast(to, &from, 4, UPC_IN_ALLSYNC || UPC_OUT_ALLSYNC); //~ warning W0423
    upc_all_broadcast(to, &from, 4, UPC_IN_ALLSYNC & UPC_OUT_NOSYNC); //~ warning W0423
    upc_all_broadcast(to, &from, 4, UPC_IN_ALLSYNC | UPC_IN_NOSYNC); //~ warning W0423
    upc_all_broadcast(to, &from, 4, UPC_IN_MYSYNC | UPC_OUT_NOSYNC);
    upc_all_broadcast(to, &from, 4, UPC_OUT_NOSYNC);
    upc_all_broadcast(to, &from, 4, given & (UPC_IN_NOSYNC | UPC_OUT_NOSYNC));
    upc_all_broadcast(to, &from, 4, 0);
}

int main(void) {
    flags(0);
    if (MYTHREAD == 0) {
        from = 1;
        upc_barrier; //~ warning W0508
    }
    if (!MYTHREAD)
        from = 4;
    else if (THREADS - 1 == MYTHREAD)
        lock = upc_all_lock_alloc(); //~ warning W0508
    if (MYTHREAD == 1) {
        upc_barrier;
    } else {
        from = 2;
        upc_barrier;
    }
    if (MYTHREAD == THREADS / 2)
        from = 3;
    if (MYTHREAD == from)
        upc_fence;
    if (THREADS == 1)
        upc_barrier;
    upc_lock_attempt(lock); //~ warning W0424
    while (!upc_lock_attempt(lock))
        ;
    return 0;
}

void phases(void) {
    upc_notify;
    from = 1;
    upc_barrier; //~ warning W0511
    upc_notify;
    if (from)
        upc_wait;
    upc_barrier;
    upc_notify;
    upc_all_broadcast(to, &from, 4, 0); //~ warning W0511
    upc_wait;
    upc_notify;
    upc_wait;
}

void waits(int n) {
    upc_wait;
    from = 1;
    upc_wait; //~ warning W0511
    upc_barrier;
    to[MYTHREAD] = 1;
    upc_wait 2; //~ warning W0511
    upc_notify;
    phases();
    upc_wait;
    upc_all_broadcast(to, &from, 4, 0);
    for (int i = 0; i < n; i++) {
        upc_wait;
        upc_notify;
    }
    upc_wait;
    waits(n);
    upc_wait;
    switch (n) {
    case 1:
        upc_notify;
        break;
    case 2:
        upc_barrier;
        goto out;
    default:
        upc_wait;
    }
    upc_barrier;
out:
    upc_wait;
}

int me;

void copies_of_mythread(int given) {
    const int rank = MYTHREAD;
    int other = MYTHREAD;
    me = rank;
    if (rank == 0)
        upc_barrier; //~ warning W0508
    if (0 == me)
        upc_barrier; //~ warning W0508
    other += 1;
    if (other == 0)
        upc_barrier;
    me++;
    if (me == 0)
        upc_barrier;
    me = given;
    if (!me)
        upc_barrier;
}
