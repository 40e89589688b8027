// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2
// Declarations of objects that another file defines, and all that can be done with them.
//@ with: extern-forms-2.upc
//@ separate
#include "../../check.h"
#include <unistd.h>

struct pair {
    int a, b;
};
struct never_complete;
int same_handle(void *);
struct pair *grid_of(int, int);

extern int open_array[];
extern const int constants[3];
extern const struct pair *const pairs[];
extern struct pair pair, grid[2][3];
extern struct never_complete handle;
extern volatile int watched;
extern _Atomic int counted;
extern int later_defined;
extern int (*function)(int);
extern shared int *to_shared;
extern char **environ;
extern int weak_and_missing __attribute__((weak));

static int own = 4;
extern int own;

int *addresses[] = {&pair.b, &open_array[2], open_array + 1, &later_defined, &grid[1][2].a};
static struct {
    const char *name;
    int *value;
} options[] = {{"pair", &pair.a}, {"watched", (int *)&watched}};
__typeof__(pair) copy_of_pair;
shared int data[4 * THREADS];

static int *later(void)
{
    return &later_defined;
}

int later_defined = 9;

static int in_function(void)
{
    extern int only_in_function, own;
    extern struct local_tag {
        long x;
    } only_in_function_too;
    only_in_function_too.x++;
    return ++only_in_function + own + (int)only_in_function_too.x;
}

static int shadowed(int pair)
{
    int open_array = pair;
    return open_array;
}

int main(void)
{
    CHECK(sizeof pair == 2 * sizeof(int) && sizeof grid == 6 * sizeof pair);
    CHECK(sizeof(open_array[0]) == sizeof(int) && _Alignof(__typeof__(grid)) == _Alignof(int));
    pair.b = MYTHREAD;
    open_array[2] += MYTHREAD;
    grid[1][2].a = 7 * MYTHREAD;
    watched++;
    counted += MYTHREAD;
    to_shared = &data[4 * MYTHREAD];
    upc_barrier;
    CHECK(addresses[0] == &pair.b && *addresses[0] == MYTHREAD);
    CHECK_EQ(*addresses[1], 3 + MYTHREAD);
    CHECK_EQ(*addresses[2], 2);
    CHECK(addresses[3] == later() && *later() == 9);
    CHECK_EQ(*addresses[4], 7 * MYTHREAD);
    CHECK(options[0].value == &pair.a && *options[1].value == 101);
    CHECK_EQ(counted, MYTHREAD);
    CHECK(to_shared == &data[4 * MYTHREAD]);
    CHECK_EQ(constants[1] + pairs[0]->a, 2 + 11);
    CHECK(same_handle(&handle));
    CHECK_EQ(in_function(), 1 + 4 + 1);
    CHECK_EQ(in_function(), 2 + 4 + 2);
    CHECK_EQ(shadowed(3), 3);
    CHECK_EQ(function(3), 6);
    CHECK(&weak_and_missing == NULL);
    CHECK(environ != NULL && optind == 1 && stderr != NULL);
    int *p = &open_array[1], sum = 0;
    for (int i = 0; i < 3; i++)
        sum += open_array[i] * *p;
    CHECK_EQ(sum, 2 * (6 + MYTHREAD));
    upc_forall (int i = 0; i < 4 * THREADS; i++; &data[i])
        data[i] = open_array[0] + pair.b + i * grid[0][0].b;
    upc_barrier;
    for (int i = 0; i < 4 * THREADS; i++)
        CHECK_EQ(data[i], 1 + i % THREADS + 2 * i);
    pair = (struct pair){1, 2};
    CHECK(pair.a + pair.b == 3 && grid_of(1, 2) == &grid[1][2]);
    return check_done();
}
