/* SPDX-License-Identifier: BSD-3-Clause */
/* That an assertion which does not hold ends the process, and says where, in builds that check them;
 * and that it is not evaluated in others. */
#include "core/assert.h"
#include "core/test.h"

static int evaluated;

static bool holds(bool result) {
    evaluated++;
    return result;
}

/* Runs in a child, whose stderr is a pipe. */
static int end_of_child(char *said, size_t room) {
    int ends[2];
    if (pipe(ends) != 0) {
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        signal(SIGABRT, SIG_DFL);
        fl_assert(holds(false));
        _exit(0);
    }
    close(ends[1]);
    ssize_t n = read(ends[0], said, room - 1);
    said[n > 0 ? n : 0] = 0;
    close(ends[0]);
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

int main(void) {
    char said[256];
    int status = end_of_child(said, sizeof said);
    fl_assert(holds(true));
#ifdef FURLONG_ASSERT
    CHECK(evaluated == 1, "a condition is evaluated once");
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "one that does not hold aborts");
    CHECK(strstr(said, "assert_test.c") && strstr(said, "holds(false)"), "and is named: %s", said);
#else
    CHECK(evaluated == 0, "a condition is not evaluated");
    CHECK(status == 0 && !*said, "nothing is said");
#endif
    return test_done();
}
