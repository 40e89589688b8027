/* SPDX-License-Identifier: BSD-3-Clause */
/* See process_state.h. Functions that can have a state for each thread are in runtime/libc. */
#include "upc/process_state.h"

#include "core/fatal.h"
#include "upc/process.h"

#include <stdio.h>
#include <string.h>

/* Functions, and variables that functions set. Those whose state programs want for the whole
 * process, such as signal, are not among them. */
static const char *const shared_names[] = {
    "chdir",         "fchdir",        "gethostbyaddr",    "gethostbyname",    "getgrent",
    "getmntent",     "getnetbyname",  "getopt",           "getopt_long",      "getopt_long_only",
    "getprotobyname", "getprotobynumber", "getprotoent",  "getpwent",         "getservbyname",
    "getservbyport", "getservent",    "getutent",         "signgam",          "tmpnam",
};
enum { N_NAMES = sizeof shared_names / sizeof *shared_names };

static void note(const char *name, void *used_p) {
    bool *used = used_p;
    name += strspn(name, "_"); /* glibc's __signgam */
    for (unsigned i = 0; i < N_NAMES; i++) {
        used[i] |= strcmp(name, shared_names[i]) == 0;
    }
}

void upc_process_state_warn(void) {
    if (fl_os_program_is_static()) {
        fl_warn("the program was linked with -static, so localtime, gmtime, asctime and others of "
                "the C library have one state for all pthreads of a process; link it without, or "
                "use upcrun -p 1; -q is silent about it");
        return;
    }
    bool used[N_NAMES] = {false};
    char text[512] = "";
    size_t length = 0;
    fl_os_program_imports(note, used);
    for (unsigned i = 0; i < N_NAMES; i++) {
        if (used[i]) {
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s",
                                       length ? ", " : "", shared_names[i]);
        }
    }
    if (length > 0) {
        fl_warn("the program uses %s of the C library, of which the pthreads of a process have one "
                "state together; upcrun -p 1 gives each thread its own, -q is silent about it",
                text);
    }
}
