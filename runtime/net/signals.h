/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals while a network's library is loaded or starts. Such libraries put their own handlers before
 * those of the runtime, which reports faults, and of the program; UCX takes SIGHUP, to say more. And
 * they start threads, which shall leave signals to the program's.
 */
#ifndef FL_NET_SIGNALS_H
#define FL_NET_SIGNALS_H

#include <signal.h>

enum { FL_NET_SIGNALS = 8, FL_NET_FAULTS = 5 };
static const int fl_net_signals[FL_NET_SIGNALS] = {SIGSEGV, SIGBUS, SIGILL,  SIGFPE,
                                                   SIGABRT, SIGHUP, SIGINT, SIGTERM};

struct fl_net_signals {
    struct sigaction actions[FL_NET_SIGNALS];
    sigset_t mask;
};

/* Until fl_net_signals_restore, the calling thread and the threads that it starts get none but faults. */
static inline void fl_net_signals_keep(struct fl_net_signals *kept) {
    sigset_t blocked;
    sigfillset(&blocked);
    for (int i = 0; i < FL_NET_SIGNALS; i++) {
        (void)sigaction(fl_net_signals[i], NULL, &kept->actions[i]);
        if (i < FL_NET_FAULTS) {
            sigdelset(&blocked, fl_net_signals[i]);
        }
    }
    pthread_sigmask(SIG_SETMASK, &blocked, &kept->mask);
}

static inline void fl_net_signals_restore(const struct fl_net_signals *kept) {
    for (int i = 0; i < FL_NET_SIGNALS; i++) {
        (void)sigaction(fl_net_signals[i], &kept->actions[i], NULL);
    }
    pthread_sigmask(SIG_SETMASK, &kept->mask, NULL);
}

#endif
