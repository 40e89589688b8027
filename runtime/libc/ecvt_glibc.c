/* SPDX-License-Identifier: BSD-3-Clause */
/* ecvt and fcvt, which POSIX has had until 2001. musl has no reentrant forms of them: its own stay. */
#include "libc/state.h"

#include <stdlib.h>

enum { DIGITS = 512 }; /* of the largest double, and what may come behind the point */

LIBC_OWN char *ecvt(double value, int digits, int *point_p, int *negative_p) {
    char *text = libc_state(UPC_LIBC_ECVT, DIGITS);
    return ecvt_r(value, digits, point_p, negative_p, text, DIGITS) == 0 ? text : NULL;
}

LIBC_OWN char *fcvt(double value, int digits, int *point_p, int *negative_p) {
    char *text = libc_state(UPC_LIBC_ECVT, DIGITS);
    return fcvt_r(value, digits, point_p, negative_p, text, DIGITS) == 0 ? text : NULL;
}
