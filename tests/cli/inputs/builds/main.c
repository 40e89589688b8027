// SPDX-License-Identifier: BSD-3-Clause
#include <stdio.h>

long one(void), two(void), three(void);

int main(void) {
    printf("%ld %ld %ld\n", one(), two(), three());
}
