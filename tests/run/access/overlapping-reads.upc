// SPDX-License-Identifier: BSD-3-Clause
// Several reads in one expression, in each other's subscripts too.
#include <upc_relaxed.h>
#include <stdio.h>
shared int a[16*THREADS], c[16*THREADS]; shared [] int *p;
int f(int i, int j) { return a[i] + 2 * (c[j] - a[c[i] + c[j]]) + i; }
int main(void) {
  upc_forall (int i = 0; i < 16*THREADS; i++; &a[i]) { a[i] = i; c[i] = i / 2; }
  upc_barrier;
  int bad = 0;
  for (int i = 0; i < 16*THREADS - 1; i++) { int j = i + 1, s = i + 2 * (j/2 - (i/2 + j/2)) + i; if (f(i, j) != s) bad++; if (a[i] + c[j] != i + j/2) bad++; }
  upc_barrier;
  if (bad) printf("bad %d\n", bad); else if (!MYTHREAD) printf("ok\n");
  return bad;
}
