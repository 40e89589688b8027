// SPDX-License-Identifier: BSD-3-Clause
// Shared objects with automatic storage, in all forms.
typedef shared [2] int pair;
struct point { int x, y; };

int main(void)
{
    shared int a; //~ error E0310
    shared [] int b[10]; //~ error E0310
    int *shared c; //~ error E0310
    pair d; //~ error E0310
    register shared int e; //~ error E0310
    auto shared struct point f; //~ error E0310
    shared int *good, g; //~ error E0310
    for (shared int h = 0;;) //~ error E0310
        break;
    {
        shared int i = 3; //~ error E0310
    }
    static shared int good_too;
    extern shared int good_as_well;
    return a;
}
