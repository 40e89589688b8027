// SPDX-License-Identifier: BSD-3-Clause
// Shared members of structures and unions.
typedef shared int counter;
struct a { shared int x; shared int *good; }; //~ error E0311
union b { int y; char *shared p; }; //~ error E0311
struct c {
    struct { shared [2] double d[2]; } inner; //~ error E0311
    counter e; //~ error E0311
    counter *good;
    shared int bits : 3; //~ error E0311
};
