// SPDX-License-Identifier: BSD-3-Clause
// shared where no qualifier of an object can be.
struct point { int x, y; };
shared struct point *p = &(shared struct point){1, 2}; //~ error E0317

int f(int a[shared 3]); //~ error E0312

_Thread_local shared int both; //~ error E0317

enum shared color { RED }; //~ error E0102
