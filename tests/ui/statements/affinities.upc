// SPDX-License-Identifier: BSD-3-Clause
// Affinities that are neither integers nor pointers-to-shared.
struct point { int x, y; } point;
shared struct point shared_point;
double d;
int a[3];
static void nothing(void)
{
}

int main(void)
{
    int i;
    upc_forall (i = 0; i < 3; i++; d) //~ error E0502
        ;
    upc_forall (i = 0; i < 3; i++; &a[i]) //~ error E0502
        ;
    upc_forall (i = 0; i < 3; i++; point) //~ error E0502
        ;
    upc_forall (i = 0; i < 3; i++; shared_point) //~ error E0502
        ;
    upc_forall (i = 0; i < 3; i++; nothing()) //~ error E0502
        ;
    upc_forall (i = 0; i < 3; i++; "x") //~ error E0502
        ;
    upc_forall (i = 0; i < 3; i++; &shared_point.y)
        ;
    return 0;
}
