// SPDX-License-Identifier: BSD-3-Clause
// The other half of extern-forms.upc.
#include <upc.h>

struct pair {
    int a, b;
};
struct never_complete {
    double d;
};

int open_array[] = {1, 2, 3};
const int constants[3] = {1, 2, 3};
static struct pair private_pair = {11, 12};
const struct pair *const pairs[] = {&private_pair};
struct pair pair, grid[2][3] = {{{1, 2}}};
struct never_complete handle;
volatile int watched = 100;
_Atomic int counted;
shared int *to_shared;
int only_in_function;
struct local_tag {
    long x;
} only_in_function_too;

static int twice(int n)
{
    return 2 * n;
}

int (*function)(int) = twice;

int same_handle(void *p)
{
    return p == &handle;
}

struct pair *grid_of(int i, int j)
{
    return &grid[i][j];
}
