// SPDX-License-Identifier: BSD-3-Clause
// upc_forall as the body of if, for, switch, do, a labelled statement and a statement expression.
#include "../../check.h"

int main(void)
{
    int turns = 0;
    if (THREADS > 0)
        upc_forall(int i = 0; i < THREADS; i++; i) turns++;
    else
        upc_forall(int i = 0; i < THREADS; i++; i) turns += 100;
    for (int k = 0; k < 3; k++)
        upc_forall(int i = 0; i < THREADS; i++; i + k) turns++;
    switch (THREADS > 0) {
    case 1:
        upc_forall(int i = 0; i < THREADS; i++; i) {
            if (turns < 0)
                continue;
            turns++;
        }
        break;
    case 0:
        turns = -1;
    }
    do
        upc_forall(int i = 0; i < 2 * THREADS; i++; i) turns++;
    while (turns < 7);
again:
    upc_forall(int i = 0; i < THREADS; i++; i) turns++;
    if (turns < 9)
        goto again;
    turns += ({ int t = 0; upc_forall(int i = 0; i < THREADS; i++; i) t++; t; });
    CHECK_EQ(turns, 10);
    return check_done();
}
