// SPDX-License-Identifier: BSD-3-Clause
// Pointers-to-shared in every role that a C pointer has: behind pointers, in arrays, structures
// and unions, as parameters and results, swapped, sorted, in conditions. LAYOUT and BLOCK describe
// the pointers under test.
#include "../../../check.h"

typedef LAYOUT int *place;
LAYOUT int a[COUNT];

struct box { char before; place p; short after; place list[3]; };
union either { place p; char bytes[sizeof(place)]; };
shared struct box common;
static place global, table[4];
static place *behind = &global;

static place result(int i)
{
    return a + i;
}

static struct box boxed(place p)
{
    struct box b = {'b', p, 2, {p, p + 1}};
    return b;
}

static int unboxed(struct box b, place extra)
{
    return (int)(b.list[1] - b.p) + b.after + (int)(extra - a);
}

static void swap(place *x, place *y)
{
    place t = *x;
    *x = *y;
    *y = t;
}

static void advance(place *p, int by)
{
    (*p)++;
    p[0] += by - 1;
}

static int total(place list[], int n)
{
    int sum = 0;
    while (n--)
        sum += (int)(*list++ - a);
    return sum;
}

static int before(const void *x, const void *y)
{
    place l = *(const place *)x, r = *(const place *)y;
    return l < r ? -1 : l > r;
}

static place search(place from, int value)
{
    while (*from != value)
        from++;
    return from;
}

static void behind_pointers(void)
{
    *behind = &a[3];
    CHECK(global == a + 3);
    (*behind)++;
    ++*behind;
    behind[0] -= 1;
    CHECK_EQ(global - a, 4);
    **behind = 44;
    CHECK_EQ(a[4], 44);
    *(*behind + 1) = 45;
    (*behind)[2] = 46;
    CHECK_EQ(a[5] + a[6], 91);
    place *const *twice = (place *const[]){behind};
    CHECK_EQ(***twice, 44);
    place x = a, y = a + 7;
    swap(&x, &y);
    CHECK_EQ(x - y, 7);
    advance(&y, 3);
    CHECK_EQ(y - a, 3);
}

static void in_aggregates(void)
{
    struct box b = boxed(&a[2]), c = b, *q = &c;
    c.p++;
    q->p++;
    (*q).list[0] = c.p;
    q->list[2] = q->list[0]--;
    CHECK_EQ(c.p - b.p, 2);
    CHECK_EQ(q->list[0] - a, 3);
    CHECK_EQ(q->list[2] - a, 4);
    CHECK_EQ(unboxed(b, result(5)), 8);
    CHECK_EQ(boxed(a).list[1] - a, 1);
    CHECK(b.list[2] == NULL);
    union either u = {.p = a + 6}, v;
    memcpy(&v, &u, sizeof u);
    CHECK_EQ(v.p - a, 6);
    for (int i = 0; i < 4; i++)
        table[i] = &a[(5 * i + 2) % 7];
    CHECK_EQ(total(table, 4), 2 + 0 + 5 + 3);
    qsort(table, 4, sizeof *table, before);
    CHECK(table[0] == a && table[1] == a + 2 && table[2] == a + 3 && table[3] == &a[5]);
    if (MYTHREAD == 0)
        common = c;
    upc_barrier;
    CHECK_EQ(common.p - a, 4);
    CHECK_EQ(common.list[2] - common.list[0], 1);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        common.p += 2;
        common.list[1] = common.p--;
    }
    upc_barrier;
    CHECK_EQ((common.p - a) * 10 + (common.list[1] - a), 56);
}

static void in_conditions(void)
{
    place p, none = 0;
    int turns = 0;
    if ((p = result(2)))
        turns++;
    while ((p = turns < 5 ? p + 1 : NULL) != NULL)
        turns++;
    CHECK_EQ(turns, 5);
    CHECK(!p && !none && p == none);
    p = none ? none : a;
    CHECK(p == a);
    p = (turns++, result(turns));
    CHECK_EQ(p - a, 6);
    const place fixed = p;
    place const *pointer_to_fixed = &fixed;
    register place fast = *pointer_to_fixed;
    CHECK_EQ(*fast, a[6]);
    place volatile slow = fast;
    CHECK(slow == fixed);
    CHECK_EQ(search(a, 46) - a, 6);
    CHECK_EQ((fixed ?: a) - a, 6);
}

int main(void)
{
    if (MYTHREAD == 0)
        behind_pointers();
    upc_barrier;
    in_aggregates();
    in_conditions();
    return check_done();
}
