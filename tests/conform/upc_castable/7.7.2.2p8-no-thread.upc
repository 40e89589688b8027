// SPDX-License-Identifier: BSD-3-Clause
//@ env: FURLONG_CHECK=0
// Of a thread that does not exist no region is castable.
#include "../../check.h"
#include <upc_castable.h>

int main(void)
{
    CHECK_EQ(upc_thread_info(THREADS).guaranteedCastable, 0);
    CHECK_EQ(upc_thread_info(THREADS).probablyCastable, 0);
    CHECK_EQ(upc_thread_info((size_t)-1).guaranteedCastable, 0);
    return check_done();
}
