// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.1p4
//@ mappings: 1x1 2x1 1x3 2x2 8x1
// No thread passes upc_wait before every thread has executed its upc_notify.
#include "../../check.h"

strict shared int arrived[THREADS];

int main(void)
{
    for (int phase = 1; phase <= 300; phase++) {
        arrived[MYTHREAD] = phase;
        upc_notify;
        upc_wait;
        for (int t = 0; t < THREADS; t++)
            CHECK(arrived[t] == phase || arrived[t] == phase + 1);
    }
    return check_done();
}
