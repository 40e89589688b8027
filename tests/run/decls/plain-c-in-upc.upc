// SPDX-License-Identifier: BSD-3-Clause
// C17 that UPC does not touch, in a UPC file: it is as it was.
#include "../../check.h"

typedef struct list { struct list *next; int v : 5, : 0; union { int i; float f; }; } list;
enum { A = 1, B = A << 3, C = sizeof(list) > 4 ? 2 : 3 };
static int (*(*table[2])(int))(void);
static inline _Noreturn void stop(void) { exit(9); }
_Static_assert(sizeof(char) == 1, "one");
static const char *const words[] = {[2] = "two", [0] = u8"zero", "one"};
static _Alignas(32) char aligned[3];
static int seven(void) { return 7; }
static int (*choose(int x))(void) { (void)x; return seven; }
extern int unused_declaration(int, char *[], const volatile void *restrict);
static int sum(int n, int v[static 1], int m[n][2]) { return v[0] + m[n - 1][1]; }
static long long fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
;

int main(void)
{
    int m[2][2] = {{1, 2}, {3, 4}}, x = 3, *p = &x, **pp = &p;
    list l = {.v = -3, .i = 0x3f800000}, *q = &l;
    double d = 0x1.8p1, e = .5e1, f = 1e-2L;
    unsigned long long big = 0xFFFFffffFFFFffffULL, octal = 0777;
    wchar_t wide[] = L"wide";
    char joined[] = "a" "\x41" "\101" "b\n\t\\\"", c = '\'';
    table[0] = choose;
    CHECK_EQ(table[0](1)(), 7);
    CHECK_EQ(sum(2, m[1], m), 7);
    CHECK_EQ(q->v + (int)q->f, -2);
    CHECK_EQ(**pp << 2 | 1, 13);
    CHECK_EQ(fact(15), 1307674368000LL);
    CHECK(d == 3 && e == 5 && f < 1);
    CHECK_EQ(big + 1 + octal, 511);
    CHECK_EQ(sizeof wide / sizeof *wide + sizeof joined, 14);
    CHECK_EQ(c + (-7 / 2) + (-7 % 2), 39 - 4);
    CHECK_EQ((B | C) ^ (x ? ~0 : 0), ~(8 | 2));
    CHECK(words[1][0] == 'o' && !aligned[1]);
    for (int i = 0, j = 10; i < j; i++, j--)
        x += i & 1 ? j : -i;
    CHECK_EQ(x, 3 - 0 + 9 - 2 + 7 - 4);
    do {
        if (x > 100)
            break;
        x *= 2;
    } while (1);
    CHECK_EQ(x, 104);
    switch (x) { int never; case 104: never = 1; x = never; default:; }
    CHECK_EQ(x, 1);
    if (x > 1) stop(); else if (x) x = 2; else;
    goto out;
    x = 50;
out:
    CHECK_EQ((int){x}, 2);
    CHECK_EQ(((list){.v = 3, .i = 4}).i, 4);
    CHECK_EQ(&m[1][1] - *m, 3);
    CHECK_EQ(_Generic(x, int: 1, default: 2) + _Alignof(double), 9);
    return check_done();
}
