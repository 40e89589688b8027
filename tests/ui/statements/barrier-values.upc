// SPDX-License-Identifier: BSD-3-Clause
// Values of barriers that are not assignable to int.
struct point { int x, y; } point;
shared int s, *p;
static void nothing(void)
{
}

int main(void)
{
    upc_barrier point; //~ error E0501
    upc_notify &s; //~ error E0501
    upc_wait p; //~ error E0501
    upc_barrier nothing(); //~ error E0501
    upc_notify "one"; //~ error E0501
    upc_wait &point; //~ error E0501
    upc_barrier nothing; //~ error E0501
    upc_barrier
    p = &s; //~ error E0501
    upc_barrier
    s = 1; //~ warning W0510
    upc_barrier
        2;
    upc_barrier s;
    upc_barrier 1.5;
    return 0;
}
