// SPDX-License-Identifier: BSD-3-Clause
// Two different block sizes: directly, through typedefs and typeof, after a star.
typedef shared [2] int pair;
typedef pair *pair_pointer;
shared [2] shared [3] int *a; //~ error E0303
shared [] pair *b; //~ error E0303
int *shared [2] shared [4] c; //~ error E0303
shared [3] pair d[6 * THREADS]; //~ error E0303
struct { shared [5] pair *p; } e; //~ error E0303

int f(shared [4] pair *p) //~ error E0303
{
    return sizeof(shared [7] pair *); //~ error E0303
}
