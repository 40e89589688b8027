// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x3 2x2 4x1
// Regular expressions that one thread compiles match on all hosts, at a time; and in one's place comes
// another.
#include "../inputs/check.h"

#include <regex.h>

enum { LINES = 400 };

static char lines[LINES][32];

static int count(const regex_t *expression) {
    int n = 0;
#pragma omp parallel for reduction(+ : n)
    for (int i = 0; i < LINES; i++) {
        regmatch_t at[2];
        if (regexec(expression, lines[i], 2, at, 0) == 0) {
            n += 1 + (int)(at[1].rm_eo - at[1].rm_so);
        }
    }
    return n;
}

int main(void) {
    for (int i = 0; i < LINES; i++) {
        sprintf(lines[i], i % 4 ? "no %d" : "Foo %03d!", i);
    }
    for (int r = 0; r < 3; r++) {
        regex_t expressions[2];
        CHECK(regcomp(&expressions[0], "foo ([0-9]+)", REG_EXTENDED | REG_ICASE) == 0);
        CHECK(regcomp(&expressions[1], r == 1 ? "\\(no\\)" : "(n)o", r == 1 ? 0 : REG_EXTENDED) == 0);
        CHECK(count(&expressions[0]) == LINES / 4 * 4);
        CHECK(count(&expressions[1]) == LINES / 4 * 3 * (r == 1 ? 3 : 2));
        regfree(&expressions[0]);
#pragma omp parallel
        if (omp_get_thread_num() == omp_get_num_threads() - 1) {
            regfree(&expressions[1]);
        }
    }
    static regex_t wrong;
    char message[64];
    CHECK(regerror(regcomp(&wrong, "(", REG_EXTENDED), &wrong, message, sizeof message) > 1);
    return result();
}
