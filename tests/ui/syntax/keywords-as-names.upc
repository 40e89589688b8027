// SPDX-License-Identifier: BSD-3-Clause
// Words of UPC where names are wanted.
int shared_count, THREADS; //~ error E0102
int shared; //~ error E0102
shared [3] long; //~ error E0102
shared struct { int x; }; //~ error E0102
struct { int relaxed; } s; //~ error E0302

int f(int strict) //~ error E0302
{
    return strict; //~ error E0102
}

int main(void)
{
    int MYTHREAD = 3; //~ error E0102
    return 0;
}
