// SPDX-License-Identifier: BSD-3-Clause
// Constants that name THREADS or MYTHREAD, where the number of threads is not fixed.
#include <upc.h>

enum { WORKERS = THREADS - 1 };                            //~ error E0327
struct flags { unsigned set : THREADS; };                  //~ error E0327
struct member { int m __attribute__((aligned(THREADS))); }; //~ error E0327
struct __attribute__((aligned(8 * THREADS))) record { int m; }; //~ error E0327
_Static_assert(THREADS > 2, "too few");                    //~ error E0327
int vector __attribute__((vector_size(4 * THREADS)));      //~ error E0327
int private_one __attribute__((aligned(THREADS)));         //~ error E0327
shared int one __attribute__((aligned(THREADS)));          //~ error E0327
shared int __attribute__((aligned(MYTHREAD + 1))) another; //~ error E0327
_Alignas(THREADS) shared int third;                        //~ error E0327
int *table[] = { [THREADS] = 0 };                          //~ error E0327
shared int fine __attribute__((aligned(sizeof(THREADS) * 16)));

int f(int n)
{
    _Static_assert(sizeof(MYTHREAD) == 4, "an int");
    switch (n) {
    case MYTHREAD: //~ error E0327
        return 1;
    case 5 ... THREADS: //~ error E0327
        return 2;
    }
    return __builtin_choose_expr(THREADS, 1, 2); //~ error E0327
}
