// SPDX-License-Identifier: BSD-3-Clause
// ScaLAPACK in UPC: a system of equations whose matrix is distributed over all ranks of MPI, and whose
// parts are the UPC threads' own. A rank has one matrix, so a process must have one UPC thread.
//
//     upcc -cc=mpicc scalapack.upc -lscalapack-openmpi -o scalapack
//     mpirun -n 4 ./scalapack
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
#include <upcx_process.h>

enum { EACH = 20 }; // columns of each thread

void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
void Cblacs_gridexit(int context);
void descinit_(int *desc, const int *m, const int *n, const int *mb, const int *nb, const int *row,
               const int *column, const int *context, const int *lld, int *info);
void pdgesv_(const int *n, const int *columns, double *a, const int *ia, const int *ja,
             const int *desca, int *pivots, double *b, const int *ib, const int *jb,
             const int *descb, int *info);

// The right-hand side, in the memory of thread 0. The matrix has a block of columns at each thread.
shared [] double *b;

int main(int argc, char **argv)
{
    int n = EACH * THREADS, each = EACH, one = 1, zero = 0, context, info, wrong = 0;
    int of_a[9], of_b[9];
    int *pivots = malloc(2 * sizeof *pivots * n);
    if (upcx_processes() != THREADS) {
        fprintf(stderr, "ScaLAPACK knows processes, of which each has several UPC threads here\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    double *own = (double *)(shared [] double *)upc_alloc(sizeof *own * EACH * n);
    b = upc_all_alloc(1, sizeof *own * n);
    for (int j = 0; j < EACH; j++)
        for (int i = 0; i < n; i++)
            own[j * n + i] = i == j + EACH * MYTHREAD ? n + 1 : 1;
    // The solution is 1, 2, 3, ...
    for (int i = 0; MYTHREAD == 0 && i < n; i++)
        b[i] = (i + 1.0) * n + n * (n + 1.0) / 2;
    upc_barrier;

    Cblacs_get(-1, 0, &context);
    Cblacs_gridinit(&context, "Row", 1, THREADS);
    descinit_(of_a, &n, &n, &each, &each, &zero, &zero, &context, &n, &info);
    descinit_(of_b, &n, &one, &each, &each, &zero, &zero, &context, &n, &info);
    double none, *right = MYTHREAD == 0 ? (double *)b : &none;
    pdgesv_(&n, &one, own, &one, &one, of_a, pivots, right, &one, &one, of_b, &info);
    Cblacs_gridexit(context);
    MPI_Barrier(MPI_COMM_WORLD);

    upc_barrier;
    for (int i = 0; i < n; i++)
        wrong |= info != 0 || fabs(b[i] - (i + 1)) > 1e-9 * n;
    upc_barrier;
    if (MYTHREAD == 0)
        printf("%d unknowns\n%s\n", n, wrong ? "wrong" : "ok");
    free(pivots);
    MPI_Finalize();
    return wrong;
}
