/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * State of the process that main sets is set on the other hosts too: the working directory, the
 * mask of new files' rights, the locale of the C library, and what a main program compiled by
 * gfortran tells its library first: its arguments, and some of the compiler's options. A thread in a
 * region sets it for its own host.
 */
#include "spread/inside.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Numbers that libgfortran is told. */
#define FORTRAN_NUMBERS                                                                            \
    FORTRAN(CONVERT, _gfortran_set_convert)                                                        \
    FORTRAN(RECORD_MARKER, _gfortran_set_record_marker)                                            \
    FORTRAN(SUBRECORD, _gfortran_set_max_subrecord_length)
#define FORTRAN(SETTING, function) void function(int number);
FORTRAN_NUMBERS
#undef FORTRAN
void _gfortran_set_args(int n, char **arguments);
void _gfortran_set_options(int n, int *options);
void _gfortran_set_fpe(int which);

#define FORTRAN(SETTING, function) SETTING,
enum setting { DIRECTORY, MASK, LOCALE, ARGUMENTS, OPTIONS, FPE, FORTRAN_NUMBERS };
#undef FORTRAN

/* Which floating-point errors end the program: each thread inherits it from the one that starts it. */
static struct {
    _Atomic bool is_new;
    _Atomic int which;
} fpe;

/* All hosts have set it when this returns: a number, and `bytes` or the address of something that is
 * the same on all hosts. */
static void tell(enum setting setting, int number, const void *from, size_t bytes) {
    /* Relaxed: outside of regions there is one thread. */
    bool in_region = atomic_load_explicit(&fl_spread.in_region, memory_order_relaxed);
    fl_state_note();
    if (!fl_spread_together() || fl_spread_me() > 0 || in_region) {
        return;
    }
    int error = errno;
    const uint64_t words[3] = {setting, (uint64_t)number, (uintptr_t)from};
    for (unsigned host = 1; host < fl_spread_hosts(); host++) {
        if (fl_proxy_ask(host, FL_PROXY_PROCESS_STATE, words, from, bytes, NULL, 0) < 0) {
            fl_fatal(FL_CODE_ONE_HOST_ONLY, "the program %s `%s`, which fails on %s: %s",
                     setting == DIRECTORY ? "goes to the directory" : "sets the locale",
                     (const char *)from,
                     fl_job_host_name(&fl_spread.job, host), strerror(errno));
        }
    }
    errno = error;
}

/* setting, number, address; bytes */
void fl_process_state_serve(const struct fl_proxy_request *request) {
    const char *text = (const char *)request->payload;
    int number = (int)request->words[1], result = 0;
    errno = 0;
    switch (request->words[0]) {
    case DIRECTORY:
        result = FL_NEXT(chdir)(text);
        break;
    case MASK:
        (void)FL_NEXT(umask)((mode_t)number);
        break;
    case LOCALE:
        result = FL_NEXT(setlocale)(number, text) ? 0 : -1;
        errno = errno ? errno : ENOENT;
        break;
    case ARGUMENTS:
        FL_NEXT(_gfortran_set_args)(number, (char **)(uintptr_t)request->words[2]);
        break;
    case OPTIONS:
        FL_NEXT(_gfortran_set_options)(number, (int *)(uintptr_t)request->payload);
        break;
    case FPE:
        /* Relaxed, both: the thread that performs parts hears of the next one later. */
        atomic_store_explicit(&fpe.which, number, memory_order_relaxed);
        atomic_store_explicit(&fpe.is_new, true, memory_order_relaxed);
        break;
#define FORTRAN(SETTING, function)                                                                 \
    case SETTING:                                                                                  \
        FL_NEXT(function)(number);                                                                 \
        break;
        FORTRAN_NUMBERS
#undef FORTRAN
    }
    fl_proxy_answer(request, result, NULL, 0);
}

void fl_process_state_take(void) {
    if (FL_UNLIKELY(atomic_load_explicit(&fpe.is_new, memory_order_relaxed))) {
        atomic_store_explicit(&fpe.is_new, false, memory_order_relaxed);
        FL_NEXT(_gfortran_set_fpe)(atomic_load_explicit(&fpe.which, memory_order_relaxed));
    }
}

/* ---- in the libraries' place ---- */

static void tell_directory(void) {
    char path[PATH_MAX];
    if (getcwd(path, sizeof path)) {
        tell(DIRECTORY, 0, path, strlen(path) + 1);
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
    tell(MASK, (int)mask, NULL, 0);
    return before;
}

FL_EXPORT char *setlocale(int category, const char *name) {
    char *result = FL_NEXT(setlocale)(category, name);
    if (result && name) {
        tell(LOCALE, category, result, strlen(result) + 1);
    }
    return result;
}

FL_EXPORT void _gfortran_set_args(int n, char **arguments) {
    FL_NEXT(_gfortran_set_args)(n, arguments);
    tell(ARGUMENTS, n, arguments, 0);
}

FL_EXPORT void _gfortran_set_options(int n, int *options) {
    FL_NEXT(_gfortran_set_options)(n, options);
    tell(OPTIONS, n, options, (size_t)n * sizeof *options);
}

#define FORTRAN(SETTING, function)                                                                 \
    FL_EXPORT void function(int number) {                                                          \
        FL_NEXT(function)(number);                                                                 \
        tell(SETTING, number, NULL, 0);                                                            \
    }
FORTRAN_NUMBERS
FORTRAN(FPE, _gfortran_set_fpe)
#undef FORTRAN
