// SPDX-License-Identifier: BSD-3-Clause
// Names that mean two things, of which C would see one.
shared int a = 1;
shared int a = 2; //~ error E0323
shared int b;
static shared int b; //~ error E0323
shared int c;
int c(void); //~ error E0323
typedef shared int d;
d d; //~ error E0323
typedef shared int e;
typedef shared [2] int e; //~ error E0323
typedef shared long f;
typedef shared long f;
extern shared int g;
shared int g;
shared int g = 3;
extern shared int g;
static shared int h;
extern shared int h;
shared int *i(shared int *p);
shared int *i(shared int *p)
{
    static shared int g;
    static shared int g; //~ error E0323
    extern shared int h;
    return p ? &g : &h;
}
