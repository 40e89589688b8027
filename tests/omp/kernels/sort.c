/* SPDX-License-Identifier: BSD-3-Clause */
/* Merge sort by tasks: halves in tasks, merged by tasks that split what they merge. */
#include "../inputs/check.h"

enum { N = 60000, SMALL = 512 };

static int data[N], work[N];

static int compare(const void *a, const void *b) {
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

/* How many elements are less than a value. */
static int below(const int *from, int n, int value) {
    int first = 0;
    for (int left = n; left > 0;) {
        int half = left / 2;
        if (from[first + half] < value) {
            first += half + 1;
            left -= half + 1;
        } else {
            left = half;
        }
    }
    return first;
}

static void merge(const int *a, int n_a, const int *b, int n_b, int *to) {
    if (n_a + n_b <= SMALL) {
        while (n_a + n_b > 0) {
            int takes_a = n_b == 0 || (n_a > 0 && *a <= *b);
            *to++ = takes_a ? *a++ : *b++;
            n_a -= takes_a;
            n_b -= !takes_a;
        }
        return;
    }
    if (n_a < n_b) {
        merge(b, n_b, a, n_a, to);
        return;
    }
    int middle = n_a / 2, cut = below(b, n_b, a[middle]);
#pragma omp task
    merge(a, middle, b, cut, to);
#pragma omp task
    merge(a + middle, n_a - middle, b + cut, n_b - cut, to + middle + cut);
#pragma omp taskwait
}

static void sort(int *from, int n, int *other) {
    if (n <= SMALL) {
        qsort(from, (size_t)n, sizeof *from, compare);
        return;
    }
    int half = n / 2;
#pragma omp task
    sort(from, half, other);
#pragma omp task
    sort(from + half, n - half, other + half);
#pragma omp taskwait
    merge(from, half, from + half, n - half, other);
#pragma omp taskwait
    memcpy(from, other, (size_t)n * sizeof *from);
}

int main(void) {
    long sum = 0, after = 0;
    int wrong = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < N; i++) {
        data[i] = (int)((unsigned)i * 2654435761u >> 3);
        sum += data[i];
    }
#pragma omp parallel
#pragma omp single nowait
    sort(data, N, work);
#pragma omp parallel for reduction(+ : after, wrong)
    for (int i = 0; i < N; i++) {
        after += data[i];
        wrong += i > 0 && data[i - 1] > data[i];
    }
    CHECK(wrong == 0 && sum == after);
    return result();
}
