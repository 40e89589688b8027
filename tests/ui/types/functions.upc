// SPDX-License-Identifier: BSD-3-Clause
// Functions that are shared or return shared objects.
shared int a(void); //~ error E0313
int *shared b(void); //~ error E0313
shared int *good(void);
typedef shared int counter;
counter c(void); //~ error E0313
shared int (*d)(void); //~ error E0313

typedef void action(void);
shared action h; //~ error E0313
strict shared action *i; //~ error E0313
typedef shared action shared_action; //~ error E0313
void j(shared action *k); //~ error E0313
typedef counter counting(void); //~ error E0313
action *shared l;

shared [3] int e(int x) //~ error E0313
{
    return x;
}
