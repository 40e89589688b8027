// SPDX-License-Identifier: BSD-3-Clause
// Function results in shared expressions, shared values in nested calls, variadic calls.
#include "../../check.h"

typedef struct { int x; double y; char name[6]; } record;
shared [3] record r[6 * THREADS];
shared [3] double d[6 * THREADS];

static record make(int x, double y)
{
    return (record){x, y, "name"};
}

static shared [3] record *at(int i)
{
    return &r[i];
}

static double mean(double x, double y)
{
    return (x + y) / 2;
}

int main(void)
{
    int base = 6 * MYTHREAD;
    char text[60];
    *at(base) = make(3, 1.5);
    r[base + 1] = *at(base);
    at(base + 1)->x += at(base)->x++;
    d[base] = mean(r[base].y, d[base + 1] = mean(1, 2));
    CHECK_EQ(at(base)->x * 10 + at(base + 1)->x, 46);
    CHECK(d[base] == 1.5);
    CHECK_EQ(at(base)->name[make(2, 0).x], 'm');
    CHECK_EQ(make(r[base].x, 0).x, 4);
    snprintf(text, sizeof text, "%d %.1f %c %d", r[base].x, d[base], r[base + 1].name[0],
             (int)upc_phaseof(at(base + 2)));
    CHECK(strcmp(text, "4 1.5 n 2") == 0);
    CHECK(mean(mean(d[base], d[base]), mean(d[base + 1], d[base])) == 1.5);
    return check_done();
}
