/* SPDX-License-Identifier: BSD-3-Clause */
/* See fatal.h. */
#include "core/fatal.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
    fl_fatal_sink sink;
    bool quiet;
    atomic_flag entered;
} fatal = {.entered = ATOMIC_FLAG_INIT};

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

void fl_fatal(enum fl_code code, const char *format, ...) {
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    /* Relaxed is enough: the flag only chooses who speaks. */
    if (atomic_flag_test_and_set_explicit(&fatal.entered, memory_order_relaxed)) {
        for (;;) {
            pause();
        }
    }
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
