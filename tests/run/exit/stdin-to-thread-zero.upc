// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3
//@ stdin: 41 words
// Standard input is thread 0's.
#include "../../check.h"

shared int number;

int main(void)
{
    if (MYTHREAD == 0) {
        int n;
        char word[10];
        CHECK_EQ(scanf("%d %9s", &n, word), 2);
        CHECK(strcmp(word, "words") == 0);
        number = n;
    }
    upc_barrier;
    CHECK_EQ(number, 41);
    return check_done();
}
