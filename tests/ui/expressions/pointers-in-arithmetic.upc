// SPDX-License-Identifier: BSD-3-Clause
// A pointer-to-shared has the operators of C pointers, and no others.
shared int *p, *q;
shared [8] double *r;

int main(void)
{
    p + q;    //~ error E0413
    1 - p;    //~ error E0413
    p * 2;    //~ error E0413
    r % 8;    //~ error E0413
    -r;       //~ error E0413
    ~p;       //~ error E0413
    p & 7;    //~ error E0413
    r += 1.5; //~ error E0413
    r *= 2;   //~ error E0413
    p == 7;   //~ error E0413
    r[1.5];   //~ error E0413
    p - q;
    p + 1 - 2;
    return p == q || p < q;
}
