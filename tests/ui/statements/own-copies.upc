// A private array that a upc_forall fills, each thread its own, and one thread reads as a whole.
#include <upc_relaxed.h>
#include <stdio.h>

static int filled[100], rows[100][4], elsewhere[100], handed[100], own[100];
void fill(int *);

int f(void) {
    int sum = 0;
    int local[100];
    upc_forall (int i = 0; i < 100; i++; i) {
        filled[i] = i; //~ warning W0512
        rows[i][1] = i; //~ warning W0512
        (local)[(i)] += i; //~ warning W0512
        elsewhere[i] = i;
        handed[i] = i;
        own[i] = i;
    }
    upc_forall (int i = 0; i < 100; i++; continue) // all threads run all of it
        own[i] = i;
    for (int i = 0; i < 100; i++)
        elsewhere[i] = i;
    fill(handed);
    upc_barrier;
    if (MYTHREAD == 0) {
        for (int i = 0; i < 100; i++)
            sum += filled[i] + rows[i][1] + elsewhere[i] + handed[i] + own[i];
        int i = 0;
        while (i < 100)
            sum += local[i++];
        printf("%d\n", own[0]);
    }
    return sum;
}

int g(int n) {
    int parts[THREADS], twice[THREADS], mine[THREADS], i, sum = 0;
    int me = MYTHREAD;
    parts[MYTHREAD] = n; //~ warning W0512
    twice[me] = 2 * n; //~ warning W0512
    mine[me] = n;
    upc_barrier;
    for (i = 0; i < THREADS; i++)
        sum += parts[i] + twice[i];
    for (i = MYTHREAD; i < THREADS; i += THREADS)
        sum += mine[i];
    return sum;
}
