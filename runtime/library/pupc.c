/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions by which programs notify performance tools (include/pupc.h), in programs without
 * tools: under -inst gasp.c has these functions. And those by which tools in C query
 * pointers-to-shared (include/gasp_upc.h). */
#include "library/upc.h"
#include "upc/process.h"

#include <gasp_upc.h>
#include <pupc.h>

/* A preloaded tool finds it in the program. */
#define FOR_TOOLS __attribute__((visibility("default")))

int pupc_control(int on) {
    (void)on;
    return 0;
}

unsigned pupc_create_event(const char *name, const char *desc) {
    (void)name;
    (void)desc;
    return 0;
}

void pupc_event_start(unsigned event, ...) {
    (void)event;
}

void pupc_event_end(unsigned event, ...) {
    (void)event;
}

void pupc_event_atomic(unsigned event, ...) {
    (void)event;
}

static upcr_pts seen(const gasp_upc_PTS_t *pts) {
    return pts->of_furlong;
}

FOR_TOOLS size_t gasp_upc_threadof(const gasp_upc_PTS_t *pts) {
    return upc_threadof(seen(pts));
}

/* A phase that `shared void *` could not hold is no error here: tools only inspect pointers. */
FOR_TOOLS size_t gasp_upc_phaseof(const gasp_upc_PTS_t *pts) {
    size_t phase = upcr_phase(seen(pts));
    return phase == UPCR_PHASE_UNKNOWN ? 0 : phase;
}

FOR_TOOLS size_t gasp_upc_addrfield(const gasp_upc_PTS_t *pts) {
    return upc_addrfield(seen(pts));
}

FOR_TOOLS int gasp_upc_mythread(void) {
    return upc_self ? (int)upc_self->me : -1;
}

FOR_TOOLS int gasp_upc_threads(void) {
    return (int)upc_process.job.threads;
}
