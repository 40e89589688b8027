// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.1p7
// If no notify has a value nothing is compared, whatever the waits say.
#include "../../check.h"

int main(void)
{
    upc_notify;
    upc_wait 17 + MYTHREAD;
    upc_notify;
    if (MYTHREAD == 0)
        upc_wait -1;
    else
        upc_wait;
    return check_done();
}
