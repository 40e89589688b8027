// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x3 2x2
// Tables of functions, strings and structures, const and not.
#include "../../check.h"

static int add(int x, int y) { return x + y; }
static int sub(int x, int y) { return x - y; }

static int (*operations[])(int, int) = {add, sub, &add};
static int (**cursor)(int, int) = operations;
static const struct { const char *name; int (*f)(int, int); int arity; } table[] = {
    {"add", add, 2},
    {.f = sub, .name = "sub"},
    {0},
};
static const char *strings[] = {"a", "bc" "d", 0};
static const char matrix[2][4] = {"abc", {'x', 'y'}};
static const int primes[] = {2, 3, 5, [5] = 13};
static double (*const math)(const char *) = atof;

int main(void)
{
    operations[2] = MYTHREAD % 2 ? sub : add;
    upc_barrier;
    CHECK_EQ(operations[2](5, 3), MYTHREAD % 2 ? 2 : 8);
    CHECK_EQ(cursor[1](5, 3), 2);
    CHECK_EQ((*table[1].f)(9, 4), 5);
    CHECK(strcmp(table[1].name, "sub") == 0 && table[1].arity == 0 && table[2].f == 0);
    CHECK(strcmp(strings[1], "bcd") == 0);
    CHECK_EQ(matrix[1][1] + matrix[0][3], 'y');
    CHECK_EQ(sizeof primes / sizeof *primes, 6);
    CHECK_EQ(primes[5] + primes[4], 13);
    CHECK(math("2.5") == 2.5);
    return check_done();
}
