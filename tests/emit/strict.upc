// SPDX-License-Identifier: BSD-3-Clause
// Strict accesses by qualifier and by pragma; the qualifier beats the pragma.
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
