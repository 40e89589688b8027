// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p5
// shared stands wherever a qualifier may: pointees of members, parameters, results, casts.
#include "../../check.h"

struct S1 {
    shared char *p1;
    char *(*f)(shared char *);
    shared [] int *arr[2];
    int shared *post;
};
shared char text[5 * THREADS];
shared struct S1 shared_struct;

static shared char *next(shared char *p, shared const char *const *unused)
{
    (void)unused;
    return p + 1;
}

int main(void)
{
    struct S1 s = {.p1 = text};
    if (MYTHREAD == 0) {
        *next(s.p1, 0) = 'x';
        shared_struct.p1 = text;
    }
    upc_barrier;
    CHECK_EQ(text[1], 'x');
    CHECK(shared_struct.p1 == text);
    CHECK_EQ(((shared char *)((shared void *)text))[1], 'x');
    CHECK_EQ(sizeof(shared char *), sizeof s.p1);
    return check_done();
}
