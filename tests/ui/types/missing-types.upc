// SPDX-License-Identifier: BSD-3-Clause
// C89's implicit int, in shared declarations.
shared a; //~ error E0102
static shared [] b[3]; //~ error E0102
shared *c; //~ error E0102
void f(shared *p); //~ error E0102
const shared int d;
