// Private pointers in shared memory, which mean something to one thread.
#include <upc_relaxed.h>
#include <stdlib.h>

struct node { int value; struct node *next; shared struct node *link; };
int *shared one, *shared parts[THREADS];
shared struct node *shared head;
shared struct node nodes[THREADS];

int f(shared struct node *n, int i) {
    int me = MYTHREAD, sum;
    one = malloc(sizeof(int));
    parts[MYTHREAD] = malloc(sizeof(int));
    sum = *one; //~ warning W0518
    sum += one[i]; //~ warning W0518
    sum += *parts[(MYTHREAD + 1) % THREADS]; //~ warning W0518
    sum += parts[(me + THREADS - 1) % THREADS][0]; //~ warning W0518
    sum += head->next->value; //~ warning W0518
    sum += nodes[0].next->value; //~ warning W0518
    sum += *parts[me] + *parts[MYTHREAD] + *parts[i];
    sum += head->link->value + n->next->value + nodes[MYTHREAD].next->value;
    if (MYTHREAD == 0)
        sum += *one + nodes[0].next->value;
    upc_forall (int j = 0; j < THREADS; j++; j)
        sum += *parts[j];
    return sum;
}
