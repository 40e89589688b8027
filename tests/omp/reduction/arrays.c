/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays, sections of arrays, variable lengths, and pointers. */
#include "../inputs/check.h"

int main(void) {
    int n = omp_get_max_threads(), array[10] = {0}, length = 6, vla[length];
    double *heap = calloc(1000, sizeof *heap);
    long matrix[4][5] = {{0}};
    for (int i = 0; i < length; i++) {
        vla[i] = 1;
    }
#pragma omp parallel for reduction(+ : array, matrix, heap[10 : 900]) reduction(max : vla[1 : 4])
    for (int i = 0; i < 500; i++) {
        array[i % 10] += i;
        matrix[i % 4][i % 5]++;
        heap[10 + i % 900] += 0.5;
        vla[1 + i % 4] = vla[1 + i % 4] > i ? vla[1 + i % 4] : i;
    }
    for (int i = 0; i < 10; i++) {
        CHECK(array[i] == 50 * i + 10 * (49 * 50 / 2));
    }
    for (int i = 0; i < 20; i++) {
        CHECK(matrix[i % 4][i % 5] == 25);
    }
    CHECK(heap[9] == 0 && heap[10] == 0.5 && heap[509] == 0.5 && heap[510] == 0);
    CHECK(vla[0] == 1 && vla[1] == 496 && vla[4] == 499 && vla[5] == 1);
    int counts[3] = {0};
#pragma omp parallel reduction(+ : counts)
    for (int i = 0; i < 3; i++) {
        counts[i] += i;
    }
    CHECK(counts[0] == 0 && counts[1] == n && counts[2] == 2 * n);
    free(heap);
    return result();
}
