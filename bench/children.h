// SPDX-License-Identifier: BSD-3-Clause
/*
 * Processes that a program forks to measure something with them. The failure of one ends them all:
 * the others would wait for it.
 */
#ifndef CHILDREN_H
#define CHILDREN_H

#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void children_ended_sigsafe(int signal) {
    (void)signal;
    for (int status; waitpid(-1, &status, WNOHANG) > 0;) {
        if (status != 0) {
            _exit(1);
        }
    }
}

/* Whether the caller is the new process. */
static inline int children_fork(void) {
    signal(SIGCHLD, children_ended_sigsafe);
    if (fork() != 0) {
        return 0;
    }
    signal(SIGCHLD, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return 1;
}

/* Until all have ended. */
static inline void children_wait(void) {
    signal(SIGCHLD, SIG_DFL);
    for (int status; wait(&status) > 0;) {
        if (status != 0) {
            _exit(1);
        }
    }
}

#endif
