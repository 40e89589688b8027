// Memory of one thread that a program takes for that of all.
#include <upc_relaxed.h>

struct node { int value; shared struct node *next; };
struct text { int length; char bytes[]; };

shared int cyclic[10 * THREADS];
shared [10] int blocked[10 * THREADS];
shared [] int one[1000];
shared int *p;
shared [] int *shared parts[THREADS];

void allocate(size_t n, size_t bytes) {
    p = upc_alloc(10 * sizeof(int)); //~ warning W0427
    shared [4] int *q = (shared [4] int *)upc_alloc(n * sizeof(int)); //~ warning W0427
    shared [4] int *block = upc_alloc(4 * sizeof(int));
    shared [] int *all = upc_alloc(n * sizeof(int));
    shared struct node *node = upc_alloc(sizeof *node);
    shared int *unknown = upc_alloc(bytes);
    shared void *any = upc_alloc(10 * sizeof(int));
    shared struct text *text = upc_alloc(sizeof(struct text) + 100);
    *q = *block + *all + node->value + *unknown + (any == 0);
}

void copy(int *to, int i) {
    upc_memget(to, cyclic, 10 * sizeof(int));
    upc_memget(to, cyclic, 11 * sizeof(int)); //~ warning W0428
    upc_memput(&blocked[10 * i], to, 10 * sizeof(int));
    upc_memput(&blocked[10 * i], to, 44); //~ warning W0428
    upc_memset(cyclic + i, 0, 1000); //~ warning W0428
    upc_memcpy(one, &cyclic[0], 44); //~ warning W0428
    upc_memcpy(one, one + 500, 500);
    upc_memget(to, one, i);
    upc_memget(to, &parts[i][5], 1000);
    upc_memget(to, parts[i], 1000);
    upc_memget(to, parts[i] + 5, 1000);
    upc_memget(to, cyclic, sizeof cyclic); //~ warning W0428
    upc_memget(to, &cyclic[i], sizeof(cyclic[0]));
    upc_memput(blocked, to, 10 * THREADS * sizeof(int)); //~ warning W0428
    upc_memput(blocked, to, THREADS * sizeof(int));
    upc_memget(to, one, sizeof one);
    int hundred[100];
    upc_memget(hundred, one, 100); //~ warning W0429
    upc_memget(&hundred[1], one, 99);
    static shared [] double eight[8];
    double copies[8];
    upc_memget(&copies[3], &eight[3], sizeof(double)); // as many bytes as there are elements
    upc_memget(copies, eight, sizeof eight / sizeof eight[0]); //~ warning W0429
}
