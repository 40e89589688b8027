// SPDX-License-Identifier: BSD-3-Clause
// Strict accesses by qualifier and by pragma; the qualifier beats the pragma.
//@ flags: -network=smp
#include <upc_relaxed.h>

strict shared int flag;
shared int data;
relaxed shared int hint;

void publish(int value) {
    data = value;
    flag = 1;
}

int take(void) {
    while (!flag)
        ;
    return data;
}

void inside(void) {
#pragma upc strict
    data = 1;
    hint = 1;
    upc_fence;
}

// Strict accesses leave nothing to wait for: only the first read needs a fence.
int often(int n) {
    int sum = flag;
    for (int i = 0; i < n; i++)
        sum += flag;
    return sum + flag;
}

// A write in the loop may come before any read in it.
int each(int n, int *p) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        p[i] = flag;
    return sum;
}

struct pair {
    int a, b;
};
strict shared struct pair both;

struct pair exchange(struct pair with) {
    struct pair old = both;
    both = with;
    flag++;
    return old;
}
