// SPDX-License-Identifier: BSD-3-Clause
// Pointers-to-shared of every layout in conditions and logical operators.
#include "../../check.h"

shared int a[THREADS];
shared [5] char b[5 * THREADS];
shared [] long c[2];

#define TRUTH(T, object)                                                                      \
    do {                                                                                      \
        T set = (object);                                                                     \
        T null = 0;                                                                           \
        int n = 0;                                                                            \
        if (set)                                                                              \
            n++;                                                                              \
        if (!null)                                                                            \
            n++;                                                                              \
        n += set && !null;                                                                    \
        n += null || set;                                                                     \
        n += set ? 1 : 0;                                                                     \
        n += null ? 0 : 1;                                                                    \
        n += !!set - !!null;                                                                  \
        while (null)                                                                          \
            n = 100;                                                                          \
        for (T q = set; q; q = 0)                                                             \
            n++;                                                                              \
        do                                                                                    \
            n++;                                                                              \
        while (null);                                                                         \
        CHECK_EQ(n, 9);                                                                       \
        _Bool truth = set;                                                                    \
        CHECK_EQ(truth, 1);                                                                   \
    } while (0)

int main(void)
{
    TRUTH(shared int *, a);
    TRUTH(shared [5] char *, &b[3]);
    TRUTH(shared [] long *, c);
    TRUTH(shared void *, b);
    TRUTH(upc_lock_t *, upc_all_lock_alloc());
    return check_done();
}
