/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages to the launcher over the control socket (docs/launch.md). Without a launcher they go
 * nowhere. */
#ifndef FL_JOB_CONTROL_H
#define FL_JOB_CONTROL_H

#include "core/fatal.h"
#include "core/status.h"

#include <stddef.h>

struct fl_control_setup {
    int fd;              /* -1: no launcher */
    unsigned (*me)(void); /* the calling thread's number, for messages. Async-signal-safe */
    /* The calling thread ends the process, by a fatal error or else by a deadly signal. In the
     * latter case async-signal-safe. */
    void (*last_words)(bool by_signal);
    /* After the launcher has been told of it: the calling thread may wait for a debugger; or null.
     * Async-signal-safe. */
    void (*told)(void);
    /* Where in the source the calling thread has called what ends with `code`, "a.upc:7: ", or
     * nothing; or null. */
    void (*called_from)(enum fl_code code, char *text, size_t room);
    /* Where a deadly signal has come, for that address, if it has one: in the source, "a.upc:7", or in
     * memory; or nothing; or null. Async-signal-safe. */
    void (*signalled_at)(uintptr_t address, char *text, size_t room);
    /* The thread of another host whose memory the address is; -1: none. Async-signal-safe. */
    long (*elsewhere)(uintptr_t address);
    bool signals; /* report deadly signals even without a launcher */
    void (*abort)(int status); /* ends all processes, where no launcher hears why; or null */
};

/* Registers what reports fatal errors and deadly signals of this process; forked children say
 * nothing. Once, before there are other threads. */
void fl_control_start(const struct fl_control_setup *setup);

/* Ends all processes of the job, if the launcher does not do it when told. */
void fl_control_abort(int status);

/* "KIND" or "KIND NUMBER" or "KIND NUMBER NUMBER". Async-signal-safe. */
void fl_control_send0_sigsafe(const char *kind);
void fl_control_send1_sigsafe(const char *kind, long a);
void fl_control_send2_sigsafe(const char *kind, long a, long b);

/* `function` ends the job at once. Async-signal-safe. */
void fl_control_send_global_exit_sigsafe(long thread, long status, const char *function);

#endif
