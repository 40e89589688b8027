/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Performance tools (GASP, include/gasp.h). Under -inst the linker redirects calls of the functions
 * in gasp_calls.def to this file (--wrap), which notifies the tool before and after each. Programs
 * that are linked without -inst contain nothing of this file.
 */
#include "library/collective.h"
#include "library/tickets.h"
#include "library/upc.h"
#include "upc/cells.h"
#include "upc/process.h"

#include <dlfcn.h>
#include <gasp_upc.h>
#include <pupc.h>

typedef gasp_context_t init_function(gasp_model_t model, int *argc, char ***argv);
typedef void notify_function(gasp_context_t context, unsigned tag, gasp_evttype_t type,
                             const char *file, int line, int column, ...);
typedef void notify_list_function(gasp_context_t context, unsigned tag, gasp_evttype_t type,
                                  const char *file, int line, int column, va_list arguments);

/* Defined by tools that are linked in. */
#pragma weak gasp_init
#pragma weak gasp_event_notify
#pragma weak gasp_event_notifyVA
#pragma weak gasp_control
#pragma weak gasp_create_event

/* Null: the tool lacks it, or there is none. */
static struct {
    init_function *init;
    notify_function *notify;
    notify_list_function *notify_list;
    int (*control)(gasp_context_t context, int on);
    unsigned (*create_event)(gasp_context_t context, const char *name, const char *description);
} tool;

/* The tool's state for the calling UPC thread. */
static _Thread_local struct {
    gasp_context_t context;
    bool began;
    bool listens;
    bool inside; /* a call now is part of one of which the tool has been notified */
} here;

struct place {
    const char *file;
    int line;
};

static void by_list(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file,
                    int line, int column, ...) {
    va_list arguments;
    va_start(arguments, column);
    tool.notify_list(context, tag, type, file, line, column, arguments);
    va_end(arguments);
}

/* The linker does not know the functions of a preloaded tool: dlsym finds them. */
#define FIND(function) (function ? (void *)function : dlsym(RTLD_DEFAULT, #function))

static void find_tool(void) {
    tool.init = (init_function *)FIND(gasp_init);
    tool.notify_list = (notify_list_function *)FIND(gasp_event_notifyVA);
    tool.notify = (notify_function *)FIND(gasp_event_notify);
    *(void **)&tool.control = FIND(gasp_control);
    *(void **)&tool.create_event = FIND(gasp_create_event);
    if (!tool.notify && tool.notify_list) {
        tool.notify = by_list;
    }
}

/* Before any UPC code runs, which looks whether it is heard. */
__attribute__((constructor(101))) static void prepare_tool(void) {
    find_tool();
    upc_heard_cell |= tool.notify ? UPCR_EACH_IS_HEARD : 0;
}

static void begin_thread(int *argc, char ***argv) {
    here.began = true;
    if (tool.notify) {
        here.inside = true;
        here.context = tool.init ? tool.init(GASP_MODEL_UPC, argc, argv) : NULL;
        here.inside = false;
        here.listens = true;
    }
}

/* Whether the tool is to be notified of a call: if so, of none that is made before `leave`. */
static bool enter(void) {
    if (FL_UNLIKELY(!here.began && upc_self)) { /* if main is in C */
        begin_thread(&upc_process.argc, &upc_process.argv);
    }
    bool is_told = here.listens && !here.inside;
    here.inside |= is_told;
    return is_told;
}

/* Forgets the place, which is that of one call only: calls from C have none. */
static void leave(void) {
    here.inside = false;
    upc_self->file = NULL;
    upc_self->line = 0;
}

#define TELL(event, type, place, ...)                                                              \
    tool.notify(here.context, event, type, (place).file, (place).line, 0, ##__VA_ARGS__)

#define AT(file, line)                                                                             \
    (struct place) {                                                                               \
        file, line                                                                                 \
    }
#define CALLED AT(upc_self->file, upc_self->line)
#define PTS(address) (&(upcr_pts){(upcr_pts)(address)})

#define GASP_CALL(function, event, parameters, arguments, at, ...)                                 \
    void __real_##function parameters;                                                             \
    void __wrap_##function parameters;                                                             \
    void __wrap_##function parameters {                                                            \
        if (!enter()) {                                                                            \
            __real_##function arguments;                                                           \
            return;                                                                                \
        }                                                                                          \
        struct place place = at;                                                                   \
        TELL(GASP_UPC_##event, GASP_START, place, ##__VA_ARGS__);                                  \
        __real_##function arguments;                                                               \
        TELL(GASP_UPC_##event, GASP_END, place, ##__VA_ARGS__);                                    \
        leave();                                                                                   \
    }
#define GASP_VALUE(function, event, type, parameters, arguments, at, further, ...)                 \
    type __real_##function parameters;                                                             \
    type __wrap_##function parameters;                                                             \
    type __wrap_##function parameters {                                                            \
        if (!enter()) {                                                                            \
            return __real_##function arguments;                                                    \
        }                                                                                          \
        struct place place = at;                                                                   \
        TELL(GASP_UPC_##event, GASP_START, place, ##__VA_ARGS__);                                  \
        type result = __real_##function arguments;                                                 \
        TELL(GASP_UPC_##event, GASP_END, place, ##__VA_ARGS__, further);                           \
        leave();                                                                                   \
        return result;                                                                             \
    }
#define REDUCTION(T, kind, EVENT, type)                                                            \
    GASP_CALL(upc_all_##kind##T, EVENT,                                                            \
              (upcr_pts dst, upcr_pts src, upc_op_t op, size_t nelems, size_t blk_size,            \
               type (*func)(type, type), upc_flag_t flags),                                        \
              (dst, src, op, nelems, blk_size, func, flags), CALLED, &dst, &src, op, nelems,       \
              blk_size, func, flags, GASP_UPC_REDUCTION_##T)
#define FL_COLL_TYPE(T, type, wide, class) typedef type element_##T;
FL_COLL_TYPES
#undef FL_COLL_TYPE
#define GASP_REDUCTION(T)                                                                          \
    REDUCTION(T, reduce, ALL_REDUCE, element_##T)                                                  \
    REDUCTION(T, prefix_reduce, ALL_PREFIX_REDUCE, element_##T)
#define GASP_OTHER(function)
#include "library/gasp_calls.def"

void __real_upcr_get_several(const struct upcr_read *reads, unsigned n, const char *file);
void __wrap_upcr_get_several(const struct upcr_read *reads, unsigned n, const char *file);
void __wrap_upcr_get_several(const struct upcr_read *reads, unsigned n, const char *file) {
    bool is_told = enter();
    for (unsigned i = 0; is_told && i < n; i++) {
        TELL(GASP_UPC_GET, GASP_START, AT(file, reads[i].line), 1, reads[i].to,
             PTS(reads[i].from), reads[i].bytes);
    }
    __real_upcr_get_several(reads, n, file);
    for (unsigned i = n; is_told && i-- > 0;) {
        TELL(GASP_UPC_GET, GASP_END, AT(file, reads[i].line), 1, reads[i].to, PTS(reads[i].from),
             reads[i].bytes);
    }
    if (is_told) {
        leave();
    }
}

upc_main_function __real_upcr_main, __wrap_upcr_main;
int __wrap_upcr_main(int argc, char **argv, char **envp) {
    begin_thread(&argc, &argv);
    int status = __real_upcr_main(argc, argv, envp);
    if (enter()) {
        TELL(GASP_UPC_COLLECTIVE_EXIT, GASP_ATOMIC, AT(NULL, 0), status);
        leave();
    }
    return status;
}

int __wrap_pupc_control(int on);
int __wrap_pupc_control(int on) {
    int old = 0;
    if (enter()) {
        old = tool.control ? tool.control(here.context, on) : 0;
        leave();
    }
    return old;
}

unsigned __wrap_pupc_create_event(const char *name, const char *description);
unsigned __wrap_pupc_create_event(const char *name, const char *description) {
    unsigned tag = 0;
    if (enter()) {
        tag = tool.create_event ? tool.create_event(here.context, name, description) : 0;
        leave();
    }
    return tag;
}

static void tell_users(unsigned tag, gasp_evttype_t type, va_list arguments) {
    if (enter()) {
        struct place place = CALLED;
        if (tool.notify_list) {
            tool.notify_list(here.context, tag, type, place.file, place.line, 0, arguments);
        } else {
            TELL(tag, type, place);
        }
        leave();
    }
}

#define USERS_EVENT(function, type)                                                                \
    void __wrap_##function(unsigned tag, ...);                                                     \
    void __wrap_##function(unsigned tag, ...) {                                                    \
        va_list arguments;                                                                         \
        va_start(arguments, tag);                                                                  \
        tell_users(tag, type, arguments);                                                          \
        va_end(arguments);                                                                         \
    }
USERS_EVENT(pupc_event_start, GASP_START)
USERS_EVENT(pupc_event_end, GASP_END)
USERS_EVENT(pupc_event_atomic, GASP_ATOMIC)
