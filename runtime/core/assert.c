/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void fl_assert_failed(const char *condition, const char *file, int line) {
    char text[512];
    int n = snprintf(text, sizeof text,
                     "furlong: %s:%d: `%s` does not hold: a mistake in Furlong itself, please report it\n",
                     file, line, condition);
    (void)!write(STDERR_FILENO, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
    abort();
}
