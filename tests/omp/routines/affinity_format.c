/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields of omp_capture_affinity: width, side, zeros, also of what is below zero. */
#include "../inputs/check.h"

static int gives(const char *format, const char *expected) {
    char text[100];
    size_t length = omp_capture_affinity(text, sizeof text, format);
    return length == strlen(expected) && strcmp(text, expected) == 0;
}

int main(void) {
    CHECK(gives("%L|%3L|%.3L|%0.3L|%%", "0|0  |  0|000|%"));
    CHECK(gives("%a|%4a|%.4a|%0.4a|%0.7{ancestor_tnum}", "-1|-1  |  -1|-001|-000001"));
    CHECK(gives("%{thread_num}/%{num_threads}", "0/1"));
    return result();
}
