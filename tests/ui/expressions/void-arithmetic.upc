// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic and subscripts on pointers to shared void and to incomplete structures.
struct unknown;
shared void *v;
shared struct unknown *u;

int main(void)
{
    v + 1; //~ error E0403
    1 + v; //~ error E0403
    v++; //~ error E0403
    --v; //~ error E0403
    v += 4; //~ error E0403
    v[0]; //~ error E0403
    u + 1; //~ error E0403
    u -= 2; //~ error E0403
    *u; //~ error E0421
    (void)*u; //~ error E0421
    return 0;
}
