// SPDX-License-Identifier: BSD-3-Clause
// Block sizes on shared void.
typedef void nothing;
shared [3] void *a; //~ error E0309
shared [] void *b; //~ error E0309
shared [2] nothing *c; //~ error E0309
shared [1] const void **d; //~ error E0309

shared [4] void *f(shared [4] void *p) //~ error E0309 //~ error E0309
{
    return (shared [2] void *)p; //~ error E0309
}
