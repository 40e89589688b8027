// SPDX-License-Identifier: BSD-3-Clause
// Idioms with pointers-to-shared that move: copy, search, reverse, two at a time.
#include "../../check.h"

shared [5] char text[40 * THREADS], copy[40 * THREADS];

int main(void)
{
    int n = 40 * THREADS;
    if (MYTHREAD == THREADS - 1) {
        for (int i = 0; i < n - 1; i++)
            text[i] = 'a' + i % 26;
        shared [5] char *from = text, *to = copy;
        while ((*to++ = *from++))
            ;
        CHECK_EQ(from - text, n);
        CHECK_EQ(to - copy, n);
        for (shared [5] char *l = copy, *r = copy + n - 2; l < r; l++, r--) {
            char c = *l;
            *l = *r;
            *r = c;
        }
    }
    upc_barrier;
    for (int i = 0; i < n - 1; i++)
        CHECK_EQ(copy[i], text[n - 2 - i]);
    shared [5] char *p;
    for (p = text; *p && *p != 'z'; ++p)
        ;
    CHECK_EQ(p - text, 25);
    for (p = &text[n - 1]; p > text && p[-1] != 'a'; p -= 1)
        ;
    CHECK_EQ(p[-1], 'a');
    return check_done();
}
