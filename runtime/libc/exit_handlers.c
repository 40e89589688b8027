/* SPDX-License-Identifier: BSD-3-Clause */
/* atexit (C17 7.22.4.2): what a UPC thread registers is called by that thread when it ends, as in a
 * process of its own. In a process of one UPC thread, and before main, the handlers are the C library's. */
#include "core/fatal.h"
#include "libc/state.h"

#include <stdlib.h>

struct handler {
    void (*call)(void);
    struct handler *before; /* registered earlier, so called later */
};

struct handlers {
    struct handler *last;
};

extern int __cxa_atexit(void (*call)(void *), void *argument, void *object);

/* Handlers may register others. */
static void call_handlers(void) {
    struct handlers *handlers = libc_state(UPC_LIBC_ATEXIT, sizeof *handlers);
    while (handlers->last) {
        struct handler *handler = handlers->last;
        handlers->last = handler->before;
        handler->call();
        free(handler);
    }
}

static void call_for_process(void *handler) {
    void (*call)(void);
    *(void **)&call = handler;
    call();
}

LIBC_OWN int atexit(void (*call)(void)) {
    if (!upc_self || !upc_self->in_upc || upc_process.job.count == 1) {
        return __cxa_atexit(call_for_process, *(void **)&call, NULL);
    }
    struct handlers *handlers = libc_state(UPC_LIBC_ATEXIT, sizeof *handlers);
    struct handler *handler = malloc(sizeof *handler);
    if (!handler) {
        return 1;
    }
    *handler = (struct handler){call, handlers->last};
    handlers->last = handler;
    upc_self->call_exit_handlers = call_handlers;
    return 0;
}
