// Programs for Berkeley UPC include <upc.h> only. Each header that it brings there is named once.
#include <upc_relaxed.h>

shared [] uint32_t *counts;
shared int data[10 * THREADS];

static int abs(int x) { return x < 0 ? -x : x; } // the program's own

int main(int argc, char **argv) {
    assert(argc > 0); //~ warning W0107
    if (MYTHREAD == 0)
        printf("%d %" PRIu32 "\n", INT_MAX, (uint32_t)MIN(argc, abs(-3))); //~ warning W0107
        //~^ warning W0107
        //~^^ warning W0107
        //~^^^ warning W0107
    assert(argc < INT_MAX);
    struct { int strlen; } own = { (int)sizeof(uint32_t) };
    upc_barrier;
    return own.strlen == 4 ? 0 : 1;
}
