// SPDX-License-Identifier: BSD-3-Clause
// Programs are linked with the mathematical library unasked.
#include "../../check.h"
#include <math.h>

int main(void)
{
    volatile double two = 2;
    CHECK(fabs(sqrt(two) * sqrt(two) - 2) < 1e-12);
    CHECK(fabs(sin(two) - 0.909297426825682) < 1e-12);
    return check_done();
}
