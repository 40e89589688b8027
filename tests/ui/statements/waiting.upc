// Loops that wait for another thread.
#include <upc_relaxed.h>

shared int done, turns[THREADS];
strict shared int strictly;
volatile shared int often;
shared struct { int ready; } *shared where;
int own;
int ask(void);

void wait_for(int n) {
    while (!done); //~ warning W0516
    while (turns[MYTHREAD] != n) {} //~ warning W0516
    do {
        ;
    } while (where->ready == 0); //~ warning W0516
    for (; done < n;); //~ warning W0516
    while (done + strictly < n);
    while (!strictly);
    while (!often);
    while (own);
    while (!done && ask());
    while (done < n--);
    for (int i = 0; turns[i]; i++);
    while (!done)
        upc_fence;
    {
#pragma upc strict
        while (!done);
    }
}
