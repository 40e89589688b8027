/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields of omp_capture_affinity: width, side, zeros, also of what is below zero. The format that the
 * program sets is that of all threads. */
#include "../inputs/check.h"

static int gives(const char *format, const char *expected) {
    char text[100];
    size_t length = omp_capture_affinity(text, sizeof text, format);
    return length == strlen(expected) && strcmp(text, expected) == 0;
}

/* All threads say what they are as the format has it. */
static void all_say(const char *format) {
    int wrong = 0;
    omp_set_affinity_format(format);
#pragma omp parallel reduction(+ : wrong)
    {
        char text[100], expected[100];
        snprintf(expected, sizeof expected, format[1] == 'n' ? "%d of %d" : "%2$d, %1$d",
                 omp_get_thread_num(), omp_get_num_threads());
        size_t length = omp_capture_affinity(text, sizeof text, NULL);
        wrong += length != strlen(expected) || strcmp(text, expected) != 0;
    }
    CHECK(wrong == 0);
}

int main(void) {
    CHECK(gives("%L|%3L|%.3L|%0.3L|%%", "0|0  |  0|000|%"));
    CHECK(gives("%a|%4a|%.4a|%0.4a|%0.7{ancestor_tnum}", "-1|-1  |  -1|-001|-000001"));
    CHECK(gives("%{thread_num}/%{num_threads}", "0/1"));
    all_say("%n of %N");
    all_say("%N, %n");
    return result();
}
