// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.2p13
// `continue` in the body goes on with the next iteration, of this upc_forall or a loop in it.
#include "../../check.h"

int main(void)
{
    int odd = 0, inner = 0;
    upc_forall(int i = 0; i < 6 * THREADS; i++; i) {
        for (int k = 0; k < 4; k++) {
            if (k == 2)
                continue;
            inner++;
        }
        if (i / THREADS % 2 == 0)
            continue;
        odd++;
    }
    CHECK_EQ(odd, 3);
    CHECK_EQ(inner, 18);
    upc_forall(int i = 0; i < THREADS; i++; i) {
        switch (i) {
        default:
            continue;
        }
    }
    int after = 0;
    upc_forall(int i = 0; i < THREADS; i++; i) after++;
    CHECK_EQ(after, 1);
    return check_done();
}
