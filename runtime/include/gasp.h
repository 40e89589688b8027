/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Global Address Space Performance interface (GASP 1.5): what a performance tool defines, and
 * what programs compiled with `upcc -inst` call. A tool is an object that is linked into the
 * program, or a shared library in LD_PRELOAD; without one, nothing is called. gasp_upc.h has the
 * events of UPC.
 *
 * The functions below are the tool's. Each UPC thread calls gasp_init once, before its main, and
 * hands what it returns to the others; a thread never has two calls under way. What a tool calls of
 * the UPC library makes no events.
 */
#ifndef FURLONG_GASP_H
#define FURLONG_GASP_H

#include <stdarg.h>

#define GASP_VERSION 20060914

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    GASP_MODEL_UPC,
    GASP_MODEL_TITANIUM,
    GASP_MODEL_CAF,
    GASP_MODEL_MPI,
    GASP_MODEL_SHMEM
} gasp_model_t;

typedef enum { GASP_START, GASP_END, GASP_ATOMIC } gasp_evttype_t;

/* The tool's own, of one thread. */
typedef struct _gasp_context_S *gasp_context_t;

/* The thread begins. The arguments are those of the program's main, and may be changed. */
gasp_context_t gasp_init(gasp_model_t srcmodel, int *argc, char ***argv);

/* Something begins, ends, or has happened. `filename` is null and the numbers 0 where the place is
 * not known, the column always; the further arguments are those that gasp_upc.h lists for the
 * event. A tool has one of the two, or both: then the second is called. */
void gasp_event_notify(gasp_context_t context, unsigned int event_tag, gasp_evttype_t event_type,
                       const char *filename, int linenum, int colnum, ...);
void gasp_event_notifyVA(gasp_context_t context, unsigned int event_tag,
                         gasp_evttype_t event_type, const char *filename, int linenum, int colnum,
                         va_list varargs);

/* The program wants measurement on (not 0) or off (pupc_control); returns what it was. Optional. */
int gasp_control(gasp_context_t context, int on);

/* A new event of the program's own (pupc_create_event); returns its tag, from the range that the
 * language's header leaves to tools (gasp_upc.h). Both texts may be null. Optional. */
unsigned int gasp_create_event(gasp_context_t context, const char *name, const char *desc);

#ifdef __cplusplus
}
#endif

#endif
