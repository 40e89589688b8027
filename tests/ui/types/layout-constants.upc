// SPDX-License-Identifier: BSD-3-Clause
// Block sizes that are not integer constants, negative, or too large.
int n = 4;
const int m = 4;
double d;
shared [n] int *a; //~ error E0304
shared [m] int *b; //~ error E0304
shared [2.0] int *c; //~ error E0304
shared ["x"] int *e; //~ error E0304
shared [THREADS] int *f; //~ error E0304
shared [-4] int *g; //~ error E0305
shared [UPC_MAX_BLOCK_SIZE + 1] int *h; //~ error E0305
shared [2 - 3] int i[THREADS]; //~ error E0305
shared [sizeof(d) - 7] int *good;
