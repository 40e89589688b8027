/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals of accesses to absent pages: the program's own handlers of them come second, and no
 * thread may block them. Signals that omprun passes on are for host 0. And fork, which is refused.
 */
#include "spread/inside.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static bool is_fault(int number) {
    return number == SIGSEGV || number == SIGBUS;
}

FL_EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *before_p) {
    bool by_program = fl_object_of(__builtin_return_address(0)) != FL_OBJECT_OWN;
    if (!is_fault(number) || !by_program || !fl_spread_together()) {
        return FL_NEXT(sigaction)(number, action, before_p);
    }
    fl_os_fault_program(number, action, before_p);
    return 0;
}

FL_EXPORT sighandler_t signal(int number, sighandler_t handler) {
    bool by_program = fl_object_of(__builtin_return_address(0)) != FL_OBJECT_OWN;
    if (!is_fault(number) || !by_program || !fl_spread_together()) {
        return FL_NEXT(signal)(number, handler);
    }
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
    fl_os_fault_program(number, &action, &before);
    return before.sa_flags & SA_SIGINFO ? SIG_DFL : before.sa_handler;
}

/* A thread keeps its alternate stack, which is large enough to fetch a page on. */
FL_EXPORT int sigaltstack(const stack_t *stack, stack_t *before_p) {
    bool by_program = fl_object_of(__builtin_return_address(0)) != FL_OBJECT_OWN;
    return FL_NEXT(sigaltstack)(by_program && fl_spread_together() ? NULL : stack, before_p);
}

/* A copy that the kernel can read, without SIGSEGV and SIGBUS if they would be blocked. */
static const sigset_t *without_faults(int how, const sigset_t *set, sigset_t *room) {
    if (!set || !fl_spread_together()) {
        return set;
    }
    *room = *set;
    if (how != SIG_UNBLOCK) {
        sigdelset(room, SIGSEGV);
        sigdelset(room, SIGBUS);
    }
    return room;
}

FL_EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *before_p) {
    sigset_t room, before;
    int error = FL_NEXT(pthread_sigmask)(how, without_faults(how, set, &room), &before);
    if (!error && before_p) {
        *before_p = before;
    }
    return error;
}

FL_EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *before_p) {
    int error = pthread_sigmask(how, set, before_p);
    errno = error ? error : errno;
    return error ? -1 : 0;
}

/* ---- signals that omprun passes on ---- */

static void ignore(int number) {
    (void)number;
}

/* main has set its handlers on host 0; elsewhere the default would end the job. Not SIG_IGN, which
 * commands that the program starts would inherit. */
void fl_signals_start(void) {
    static const int passed_on[] = {SIGUSR1, SIGUSR2};
    const struct sigaction ignored = {.sa_handler = ignore, .sa_flags = SA_RESTART};
    for (size_t i = 0; fl_spread_me() > 0 && i < sizeof passed_on / sizeof *passed_on; i++) {
        struct sigaction set;
        if (FL_NEXT(sigaction)(passed_on[i], NULL, &set) == 0 && set.sa_handler == SIG_DFL) {
            (void)FL_NEXT(sigaction)(passed_on[i], &ignored, NULL);
        }
    }
}

/* ---- fork ---- */

/* The child would run on the parent's own stack, which is shared memory. system, popen and
 * posix_spawn need no copy of it. */
FL_EXPORT pid_t fork(void) {
    if (fl_spread_together() && fl_object_of(__builtin_return_address(0)) != FL_OBJECT_OWN) {
        fl_fatal(FL_CODE_ONE_HOST_ONLY, "fork is called by a program over several hosts, whose "
                 "memory its child would share; use system, popen or posix_spawn, or one host");
    }
    return FL_NEXT(fork)();
}
