// SPDX-License-Identifier: BSD-3-Clause
// Constant indices past the end of shared arrays.
shared [] int a[10];
shared [] int m[4][5];
shared int cyclic[10*THREADS];
shared int each[THREADS];
shared [] int tail[1];
shared [] int *end = &a[10];

int main(void) {
    a[10] = 1; //~ warning W0425
    a[-1] = 1; //~ warning W0425
    m[4][0] = 1; //~ warning W0425
    m[3][5] = 1; //~ warning W0425
    cyclic[10] = 1;
    cyclic[-1] = 1; //~ warning W0425
    cyclic[10 * THREADS] = 1; //~ warning W0425
    each[THREADS] = 1; //~ warning W0425
    each[THREADS - 1] = cyclic[9 * THREADS] + each[MYTHREAD + 1];
    tail[3] = 1;
    shared [] int *p = &a[10];
    return a[9] + *(p - 1) + sizeof a[10];
}
