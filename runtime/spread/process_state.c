/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * State of the process that main sets is set on the other hosts too: the working directory, the
 * mask of new files' rights, the locale of the C library. A thread in a region sets it for its own
 * host.
 */
#include "spread/inside.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum setting { DIRECTORY, MASK, LOCALE };

/* All hosts have set it when this returns. `text` may be null. */
static void tell(enum setting setting, int number, const char *text) {
    /* Relaxed: outside of regions there is one thread. */
    bool in_region = atomic_load_explicit(&fl_spread.in_region, memory_order_relaxed);
    fl_state_note();
    if (!fl_spread_together() || fl_spread_me() > 0 || in_region) {
        return;
    }
    int error = errno;
    const uint64_t words[3] = {setting, (uint64_t)number};
    for (unsigned host = 1; host < fl_spread_hosts(); host++) {
        size_t bytes = text ? strlen(text) + 1 : 0;
        if (fl_proxy_ask(host, FL_PROXY_PROCESS_STATE, words, text, bytes, NULL, 0) < 0) {
            fl_fatal(FL_CODE_ONE_HOST_ONLY, "the program %s `%s`, which fails on %s: %s",
                     setting == DIRECTORY ? "goes to the directory" : "sets the locale", text,
                     fl_job_host_name(&fl_spread.job, host), strerror(errno));
        }
    }
    errno = error;
}

/* setting, number; text */
void fl_process_state_serve(const struct fl_proxy_request *request) {
    const char *text = (const char *)request->payload;
    int result = 0;
    errno = 0;
    switch (request->words[0]) {
    case DIRECTORY:
        result = FL_NEXT(chdir)(text);
        break;
    case MASK:
        (void)FL_NEXT(umask)((mode_t)request->words[1]);
        break;
    case LOCALE:
        result = FL_NEXT(setlocale)((int)request->words[1], text) ? 0 : -1;
        errno = errno ? errno : ENOENT;
        break;
    }
    fl_proxy_answer(request, result, NULL, 0);
}

static void tell_directory(void) {
    char path[PATH_MAX];
    if (getcwd(path, sizeof path)) {
        tell(DIRECTORY, 0, path);
    }
}

FL_EXPORT int chdir(const char *path) {
    char own[PATH_MAX]; /* the kernel finds this thread's stack there */
    size_t length = strnlen(path, sizeof own);
    if (length == sizeof own) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int result = FL_NEXT(chdir)(memcpy(own, path, length + 1));
    if (result == 0) {
        tell_directory();
    }
    return result;
}

FL_EXPORT int fchdir(int fd) {
    int result = FL_NEXT(fchdir)(fd);
    if (result == 0) {
        tell_directory();
    }
    return result;
}

FL_EXPORT mode_t umask(mode_t mask) {
    mode_t before = FL_NEXT(umask)(mask);
    tell(MASK, (int)mask, NULL);
    return before;
}

FL_EXPORT char *setlocale(int category, const char *name) {
    char *result = FL_NEXT(setlocale)(category, name);
    if (result && name) {
        tell(LOCALE, category, result);
    }
    return result;
}
