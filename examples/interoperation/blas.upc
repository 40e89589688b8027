// SPDX-License-Identifier: BSD-3-Clause
// BLAS in UPC: C = A B by a thread's own rows of A and C. B goes from thread to thread in bands, by
// upc_memget; what is multiplied is private, or a thread's own part cast to a pointer of C.
//
//     upcc -O2 blas.upc -lblas -o blas
//     upcrun -n 4 ./blas
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>

enum { EACH = 24 }; // rows of each thread

// The interface of Fortran, which every BLAS has: arrays by columns, arguments by address.
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);

// Matrices of THREADS * EACH columns: each thread has its rows of all three.
shared [] double *shared a[THREADS], *shared b[THREADS], *shared c[THREADS];

// What stands in row i and column j of A, B and their product.
static double in_a(int i, int j)
{
    return i == j ? 2 : 0.5 * (j == 0);
}
static double in_b(int i, int j)
{
    return i + 10.0 * j;
}
static double in_c(int i, int j)
{
    return i == 0 ? 2 * in_b(0, j) : 2 * in_b(i, j) + 0.5 * in_b(0, j);
}

int main(void)
{
    int n = EACH * THREADS, each = EACH, wrong = 0;
    double one = 1;
    size_t bytes = sizeof(double) * EACH * n;
    a[MYTHREAD] = upc_alloc(bytes);
    b[MYTHREAD] = upc_alloc(bytes);
    c[MYTHREAD] = upc_alloc(bytes);
    double *own_a = (double *)a[MYTHREAD], *own_b = (double *)b[MYTHREAD];
    double *own_c = (double *)c[MYTHREAD], *panel = malloc(bytes);
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < n; j++) {
            own_a[i * n + j] = in_a(i + EACH * MYTHREAD, j);
            own_b[i * n + j] = in_b(i + EACH * MYTHREAD, j);
            own_c[i * n + j] = 0;
        }
    upc_barrier;
    for (int step = 0; step < THREADS; step++) {
        // Each begins with its own band, so that not all want the same one.
        int t = (MYTHREAD + step) % THREADS;
        upc_memget(panel, b[t], bytes);
        // Rows of C are columns of Fortran: C' = B' A'.
        dgemm_("N", "N", &n, &each, &each, &one, panel, &n, &own_a[EACH * t], &n, &one,
               own_c, &n);
    }
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < n; j++)
            wrong |= fabs(own_c[i * n + j] - in_c(i + EACH * MYTHREAD, j)) > 1e-9 * n;
    free(panel);
    upc_barrier;
    printf(wrong ? "thread %d: wrong\n" : "", MYTHREAD);
    if (MYTHREAD == 0)
        printf("a product of %d rows\n%s\n", n, wrong ? "wrong" : "ok");
    return wrong;
}
