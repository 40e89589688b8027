// SPDX-License-Identifier: BSD-3-Clause
// Duff's device, nested switches and jumps with shared data and UPC statements between.
#include "../../check.h"

shared [8] char from[8 * THREADS], to[8 * THREADS];

static void duff(shared [] char *t, shared [] char *f, int count)
{
    int turns = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *t++ = *f++;
    case 3:      *t++ = *f++;
    case 2:      *t++ = *f++;
    case 1:      *t++ = *f++;
            } while (--turns > 0);
    }
}

static int machine(const char *program)
{
    int state = 0, sum = 0;
next:
    switch (state) {
    case 0:
        switch (*program++) {
        case 'a':
            sum += 1;
            break;
        case 'b':
            state = 1;
            goto next;
        case 0:
            return sum;
        }
        break;
    case 1: {
        sum *= 10;
        upc_fence;
        state = 0;
    }
    }
    goto next;
}

int main(void)
{
    for (int i = 0; i < 8; i++)
        from[8 * MYTHREAD + i] = 'a' + i;
    duff((shared [] char *)&to[8 * MYTHREAD], (shared [] char *)&from[8 * MYTHREAD], 7);
    CHECK_EQ(to[8 * MYTHREAD + 6], 'g');
    CHECK_EQ(to[8 * MYTHREAD + 7], 0);
    CHECK_EQ(machine("aabaaabb"), 2300);
    return check_done();
}
