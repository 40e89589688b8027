/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See exit.h. Since glibc 2.41, one thread's call of exit keeps those of all others waiting: a handler
 * that waits for other threads of the process would wait for ever. So what a thread does at its end
 * comes before the C library's exit, by a function of that name which programs, and shared libraries,
 * find first. Calls inside the C library (err, error) do not find it, and reach the handler alone.
 */
#include "job/exit.h"

#include "core/fatal.h"
#include "platform/c_library.h"

#include <dlfcn.h>
#include <stdlib.h>

static struct {
    void (*each)(int status);
} prepared;

void fl_exit_prepare(void (*each)(int status), void (*last)(int status)) {
    prepared.each = each;
    if (!fl_libc_at_exit(last)) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory to register an exit handler");
    }
}

static void act_for_thread(int status) {
    fl_libc_note_exit(status);
    if (prepared.each) {
        prepared.each(status);
    }
}

/* Weak: the program may have its own, and with -static it has the C library's. */
__attribute__((weak, visibility("default"))) void exit(int status) {
    act_for_thread(status);
    void (*next)(int) = NULL;
    *(void **)&next = dlsym(RTLD_NEXT, "exit");
    next(status);
    __builtin_unreachable();
}

/* upcc links with `--wrap=exit` for programs that are linked with -static; those of other linkers
 * have no such name. */
__attribute__((weak)) _Noreturn void __real_exit(int status);
_Noreturn void __wrap_exit(int status);

void __wrap_exit(int status) {
    act_for_thread(status);
    __real_exit(status);
}
