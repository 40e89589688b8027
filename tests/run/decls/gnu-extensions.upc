// SPDX-License-Identifier: BSD-3-Clause
// GNU C in UPC programs: ranges, labels as values, ?:, zero arrays, attributes, asm, typeof.
#include "../../check.h"

struct __attribute__((packed)) packed { char c; int i; };
shared struct packed packed[3 * THREADS];
struct flexible { int n; int list[]; };
static int old_style[] = {[0 ... 3] = 7, [5] = 1};
static int __attribute__((noinline, unused)) helper(int x) { return x; }

static int classify(int c)
{
    switch (c) {
    case 'a' ... 'z':
        return 1;
    case '0' ... '9':
        return 2;
    default:
        return 0;
    }
}

int main(void)
{
    static void *targets[] = {&&one, &&two};
    int step = 0;
    goto *targets[MYTHREAD % 2];
one:
    step++;
two:
    step++;
    CHECK_EQ(step, 2 - MYTHREAD % 2);
    CHECK_EQ(sizeof(struct packed), 5);
    packed[MYTHREAD].i = 0x12345678;
    CHECK_EQ(packed[MYTHREAD].i, 0x12345678);
    packed[MYTHREAD].i++;
    CHECK_EQ(packed[MYTHREAD].i ?: 5, 0x12345679);
    CHECK_EQ(packed[MYTHREAD + THREADS].i ?: 5, 5);
    CHECK_EQ(old_style[3] + old_style[4] + old_style[5], 8);
    CHECK_EQ(classify('q') * 10 + classify('7'), 12);
    struct flexible *f = malloc(sizeof *f + 3 * sizeof(int));
    f->list[2] = 9;
    CHECK_EQ(f->list[2], 9);
    free(f);
    int value = 1;
    __asm__ volatile("" : "+r"(value) : : "memory");
    CHECK_EQ(value, 1);
    __typeof__(value) copy = helper(value);
    __auto_type automatic = copy + 1L;
    CHECK_EQ(sizeof automatic, sizeof(long));
    CHECK(__builtin_expect(copy == 1, 1));
    CHECK_EQ(__builtin_choose_expr(1, 4, "x"), 4);
    CHECK_EQ(__extension__ 5, 5);
    return check_done();
}
