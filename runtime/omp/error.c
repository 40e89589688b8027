/* SPDX-License-Identifier: BSD-3-Clause */
/* error at(execution). OpenMP 5.1 §2.5.4. */
#include "core/fatal.h"
#include "omp/team.h"

#include <string.h>

/* Without a message: null. SIZE_MAX: it ends with a zero. */
static int length_of(const char *message, size_t length) {
    return length == SIZE_MAX ? (int)strlen(message) : (int)length;
}

FL_OMP_API void GOMP_warning(const char *message, size_t length) {
    if (message) {
        fl_warn("the program's error directive: %.*s", length_of(message, length), message);
    } else {
        fl_warn("the program's error directive");
    }
}

FL_OMP_API void GOMP_error(const char *message, size_t length) {
    if (message) {
        fl_fatal(FL_CODE_OMP_ERROR, "error directive encountered: %.*s",
                 length_of(message, length), message);
    }
    fl_fatal(FL_CODE_OMP_ERROR, "error directive encountered");
}
