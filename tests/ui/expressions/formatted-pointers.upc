// Pointers-to-shared as arguments of functions that know private memory only.
#include <stdio.h>
#include <upc.h>

shared char name[8*THREADS];
shared int n;
shared [4] int *p;

int report(const char *format, ...);

int main(void) {
    printf("%s\n", name); //~ warning W0422
    scanf("%d", &n); //~ warning W0422
    printf("%p %d\n", p, n); //~ warning W0422
    fprintf(stderr, "%p %zu\n", (void *)p, upc_threadof(p));
    report("", p);
    return 0;
}
