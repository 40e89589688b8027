/* SPDX-License-Identifier: BSD-3-Clause */
/* What the runtime does for debuggers (docs/debugging.md): a thread that waits for one at its
 * start, and backtraces of threads that fail. */
#ifndef FL_UPC_DEBUGGER_H
#define FL_UPC_DEBUGGER_H

#include "upc/process.h"

/* If the job is to have this thread frozen: tells the launcher that it is, and returns when a
 * debugger has set upc_process.frozen to 0 or the process gets SIGCONT. */
void upc_debugger_wait(const struct upc_thread *self);

/* Has the calling thread wait for a debugger in the same way. Async-signal-safe. */
void upc_debugger_freeze_sigsafe(void);

/* Finds the script that backtraces need; once, before any thread of the program runs. */
void upc_debugger_start(void);

/* Prints the calling thread's backtrace on stderr, once per process, if the setting asks for it.
 * Async-signal-safe as long as the settings were read before. */
void upc_debugger_backtrace_sigsafe(void);

/* The source line at which a deadly signal has come, "a.upc:7", if the program is compiled with -g,
 * addr2line is installed, and the thread was in the program's own code; else nothing.
 * Async-signal-safe. */
void upc_debugger_place_sigsafe(uintptr_t address, char *text, size_t room);

#endif
