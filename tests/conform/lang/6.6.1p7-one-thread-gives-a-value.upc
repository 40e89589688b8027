// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.1p7
// Values that only some threads give are a consensus; the others just take part.
#include "../../check.h"

int main(void)
{
    for (int i = 0; i < 50; i++) {
        if (MYTHREAD == i % THREADS)
            upc_barrier i;
        else
            upc_barrier;
        if (MYTHREAD % 2 == 0)
            upc_notify 7;
        else
            upc_notify;
        if (MYTHREAD % 2 == 0)
            upc_wait;
        else
            upc_wait 7;
    }
    return check_done();
}
