/* SPDX-License-Identifier: BSD-3-Clause */
/* See fatal.h. */
#include "core/fatal.h"

#include "platform/os.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
    fl_fatal_sink sink;
    bool quiet;
    _Atomic unsigned ender; /* the thread that ends the process, as the kernel numbers it; 0: none */
} fatal;

const char *fl_code_text(enum fl_code code) {
    static const char *const texts[FL_N_CODES] = {
#define FL_CODE(name, code, title) [FL_CODE_##name] = code,
#include "core/codes.def"
#undef FL_CODE
    };
    return texts[code];
}

void fl_fatal_set_sink(fl_fatal_sink sink) {
    fatal.sink = sink;
}

void fl_warn_set_quiet(bool quiet) {
    fatal.quiet = quiet;
}

void fl_fatal_claim_end_sigsafe(void) {
    unsigned nobody = 0, own = (unsigned)fl_os_thread_id();
    /* Relaxed: the word only chooses. */
    if (!atomic_compare_exchange_strong_explicit(&fatal.ender, &nobody, own, memory_order_relaxed,
                                                 memory_order_relaxed) &&
        nobody != own) {
        for (;;) {
            pause();
        }
    }
}

void fl_fatal(enum fl_code code, const char *format, ...) {
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fl_fatal_claim_end_sigsafe();
    if (fatal.sink) {
        fatal.sink(code, text);
    }
    fprintf(stderr, "error[%s]: %s\n", fl_code_text(code), text);
    _exit(1);
}

void fl_warn(const char *format, ...) {
    if (fatal.quiet) {
        return;
    }
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "warning: %s\n", text);
}
