// Statements of UPC that are written as calls, and semicolons that they lack.
#include <upc.h>

shared int a[THREADS];

int main(void) {
    upc_barrier(); //~ error E0102
    upc_notify ( ); //~ error E0102
    upc_wait(); upc_fence(); //~ error E0102
    //~^ error E0102
    upc_barrier (1);
    a[MYTHREAD] = 1;
    if (MYTHREAD == 0) {
        upc_barrier //~ error E0102
    }
    upc_barrier //~ error E0102
    return 0;
}
