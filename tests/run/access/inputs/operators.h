// SPDX-License-Identifier: BSD-3-Clause
// All operators of C on shared elements of integer type T, beside the same on a private mirror.
// QUALIFIERS and LENGTH say how the array is laid out. Included once for each type.
#define SHARED_(name) name##_elements
#define SHARED(name) SHARED_(name)
#define RUN_(name) name##_run
#define RUN(name) RUN_(name)

QUALIFIERS T SHARED(NAME)[LENGTH];

#define S SHARED(NAME)[e]
#define SAME(operation) /* on both: equal value, equal effect */                              \
    do {                                                                                      \
        CHECK_EQ(S operation, mirror operation);                                              \
        CHECK_EQ(S, mirror);                                                                  \
    } while (0)
#define SAME_PREFIX(operator)                                                                 \
    do {                                                                                      \
        CHECK_EQ(operator S, operator mirror);                                                \
        CHECK_EQ(S, mirror);                                                                  \
    } while (0)

static void RUN(NAME)(void)
{
    for (int e = MYTHREAD; e < LENGTH; e += THREADS) {
        T mirror;
        SAME(= 100);
        SAME(= (T)(e - 3));
        SAME(+= 7);
        SAME(-= 2);
        SAME(*= 3);
        SAME(/= 2);
        SAME(%= 40);
        SAME(<<= 2);
        SAME(>>= 1);
        SAME(|= 0x21);
        SAME(&= 0x7b);
        SAME(^= 0x15);
        SAME(++);
        SAME(--);
        SAME_PREFIX(++);
        SAME_PREFIX(--);
        SAME_PREFIX(-);
        SAME_PREFIX(+);
        SAME_PREFIX(~);
        SAME_PREFIX(!);
        SAME_PREFIX((short));
        SAME_PREFIX((double));
        SAME_PREFIX(sizeof);
        SAME(+ 1);
        SAME(- 1000000);
        SAME(* 2);
        SAME(/ 3);
        SAME(% 5);
        SAME(<< 3);
        SAME(>> 2);
        SAME(< 20);
        SAME(<= 20);
        SAME(> 20);
        SAME(>= 20);
        SAME(== mirror);
        SAME(!= mirror);
        SAME(& 6);
        SAME(| 6);
        SAME(^ 6);
        SAME(&& mirror);
        SAME(|| 0);
        SAME(? 10 : 20);
        SAME(= (T)(e + 300));
        SAME(= -1);
        SAME(>> 1);
        SAME(= 20);
        SAME(+= 2.5);
        SAME(*= 1.5);
    }
}

#undef SAME
#undef SAME_PREFIX
#undef S
#undef RUN
#undef RUN_
#undef SHARED
#undef SHARED_
#undef NAME
#undef T
