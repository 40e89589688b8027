// SPDX-License-Identifier: BSD-3-Clause
// Functions of C's library for shared memory, UPC's for private memory, and arguments in disorder.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc.h>
shared int a[10*THREADS];
shared char *text;
int q[10];

int main(void) {
    memcpy(q, a, sizeof q); //~ error E0408
    memcpy(a, q, sizeof q); //~ error E0408
    memset(a, 0, 4); //~ error E0408
    free(text); //~ error E0408
    free((void *)text); //~ warning W0430
    if (strlen(text) > 3) //~ error E0408
        fwrite(text, 1, 3, stdout); //~ error E0408
    upc_free(q); //~ error E0407
    upc_memset(q, 0, 4); //~ error E0407
    upc_memget(a, q, 4); //~ error E0408
    //~^ error E0407
    upc_memput(q, a, 4); //~ error E0407
    //~^ error E0408
    upc_lock_t *l = upc_lock_alloc(); //~ error E0407
    //~^ warning W0426
    upc_memset(&q[3], 0, 4); //~ error E0407
    upc_all_free(&q); //~ error E0407
    q[0] = text; //~ error E0408
    int first = (shared int *)text; //~ error E0408
    THREADS = 4; //~ error E0411
    if (MYTHREAD = 0) //~ error E0411
        return 1;
    return 0;
}
