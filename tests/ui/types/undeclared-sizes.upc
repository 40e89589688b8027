// SPDX-License-Identifier: BSD-3-Clause
// Sizes of shared arrays that C would not see.
shared [undeclared] int a[THREADS]; //~ error E0304
shared int b[undeclared * THREADS]; //~ error E0315
shared int c[undeclared]; //~ error E0314
shared [] int d[-1]; //~ error E0324
shared int e[THREADS][2 - 4]; //~ error E0324
