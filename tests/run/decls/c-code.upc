// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -Wall -Werror
// `#pragma upc c_code` and `upc_code` of Berkeley UPC, which end with the file that they stand in;
// and the pragmas of its driver.
#include "../../check.h"
#pragma detect_upc suspend_insertion
#include "inputs/in-c.h"
#pragma detect_upc resume_insertion

shared int before[THREADS];
#pragma upc c_code
#include "inputs/as-c.h"
static int upc_forall(int shared)
{
    int strict = shared, upc_barrier = 2;
    return strict * upc_barrier;
}
shared shared_int = 5;
#pragma upc upc_code
shared int after[THREADS];

int main(void)
{
    struct in_c s = {1, 2, 3};
    after[MYTHREAD] = s.
#pragma upc c_code
        shared + s.strict + s.THREADS + upc_forall(4);
#pragma upc upc_code
    before[MYTHREAD] = after[MYTHREAD];
    upc_barrier;
    CHECK_EQ(before[(MYTHREAD + 1) % THREADS], 6 + 8);
    CHECK_EQ(shared_int + header_shared + included_shared, 5);
#pragma upc c_code
    CHECK_EQ(relaxed(1), 2);
#pragma upc upc_code
    upc_barrier;
    return check_done();
}
