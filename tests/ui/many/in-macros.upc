// SPDX-License-Identifier: BSD-3-Clause
// Mistakes inside macros are shown where the macro is used.
#define DECLARE(name) shared int name
#define BAD_CAST(p) ((shared int *)(p))
#define COMPARE(x, y) ((x) == (y))
shared [2] int a[2 * THREADS];

int main(void)
{
    DECLARE(local); //~ error E0310
    int x;
    BAD_CAST(&x); //~ error E0407
    return COMPARE(a, &x); //~ error E0404
}
