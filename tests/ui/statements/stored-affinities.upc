// SPDX-License-Identifier: BSD-3-Clause
// Affinities that are values of what the loop stores.
shared int a[10*THREADS], owner[10*THREADS];

int main(void) {
    int i;
    upc_forall (i = 0; i < 10; i++; a[i]) //~ warning W0509
        a[i] = i;
    upc_forall (i = 0; i < 10; i++; &a[i])
        a[i] = i;
    upc_forall (i = 0; i < 10; i++; owner[i])
        a[i] = i;
    return 0;
}
