/* SPDX-License-Identifier: BSD-3-Clause */
/* Nests of loops as one: rectangular, with steps, triangular. */
#include "../inputs/check.h"

static int hits[7][11][5], triangle[20][20];

int main(void) {
#pragma omp parallel for collapse(3)
    for (int i = 0; i < 7; i++) {
        for (long j = 10; j >= 0; j--) {
            for (unsigned k = 0; k < 5; k++) {
                hits[i][j][k]++;
            }
        }
    }
#pragma omp parallel for collapse(3) schedule(dynamic, 3)
    for (int i = 6; i >= 0; i -= 2) {
        for (long j = 0; j < 11; j += 5) {
            for (unsigned k = 1; k < 5; k++) {
                hits[i][j][k]++;
            }
        }
    }
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 11; j++) {
            for (int k = 0; k < 5; k++) {
                CHECK(hits[i][j][k] == 1 + (i % 2 == 0 && j % 5 == 0 && k > 0));
            }
        }
    }
    int last_i = -1, last_j = -1;
#pragma omp parallel for collapse(2) lastprivate(last_i, last_j) schedule(guided)
    for (int i = 0; i < 13; i++) {
        for (int j = 0; j < 3; j++) {
            last_i = i;
            last_j = j;
        }
    }
    CHECK(last_i == 12 && last_j == 2);
#pragma omp parallel for collapse(2)
    for (int i = 0; i < 20; i++) {
        for (int j = 0; j < i; j++) {
            triangle[i][j]++;
        }
    }
    for (int i = 0; i < 20; i++) {
        for (int j = 0; j < 20; j++) {
            CHECK(triangle[i][j] == (j < i));
        }
    }
    return result();
}
