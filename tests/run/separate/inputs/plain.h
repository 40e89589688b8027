// SPDX-License-Identifier: BSD-3-Clause
// Interface of plain.c.
struct plain_pair {
    int i;
    double d;
};
void plain_fill(double *list, int n, int first);
double plain_sum(const double *list, int n);
struct plain_pair plain_swap(struct plain_pair pair);
void plain_repeat(int n, void (*callback)(int));
