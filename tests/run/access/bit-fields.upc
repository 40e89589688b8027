// SPDX-License-Identifier: BSD-3-Clause
// All operators on shared bit-fields, beside a private mirror of the whole structure.
#include "../../check.h"

struct fields {
    unsigned a : 3;
    int b : 5;
    unsigned c : 11, : 0;
    signed char d : 4;
    _Bool e : 1;
    unsigned long long f : 37;
    int g;
};
shared [2] struct fields s[3 * THREADS];

#define SAME(member, operation)                                                               \
    do {                                                                                      \
        CHECK_EQ(s[e].member operation, m.member operation);                                  \
        CHECK_EQ(s[e].member, m.member);                                                      \
    } while (0)
#define ALL(operation)                                                                        \
    SAME(a, operation);                                                                       \
    SAME(b, operation);                                                                       \
    SAME(c, operation);                                                                       \
    SAME(d, operation);                                                                       \
    SAME(e, operation);                                                                       \
    SAME(f, operation);                                                                       \
    SAME(g, operation)

int main(void)
{
    for (int e = MYTHREAD; e < 3 * THREADS; e += THREADS) {
        struct fields m = {0};
        ALL(= 5);
        ALL(= -3);
        ALL(+= 9);
        ALL(-= 30);
        ALL(*= 3);
        ALL(|= 5);
        ALL(&= 0x1d);
        ALL(^= 0xff);
        ALL(>>= 1);
        ALL(++);
        ALL(--);
        ALL(== 1);
        ALL(? 3 : 4);
        s[e].f = m.f = 0x123456789aULL;
        CHECK_EQ(!s[e].a, !m.a);
        CHECK_EQ(++s[e].c, ++m.c);
        struct fields copy = s[e];
        CHECK(copy.a == m.a && copy.b == m.b && copy.c == m.c && copy.d == m.d);
        CHECK(copy.e == m.e && copy.f == m.f && copy.g == m.g);
    }
    return check_done();
}
