/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handlers of the client: their table, and the call of a function with the number of parameters
 * that it was registered with. The client's handler numbers are those of gas.h.
 */
#include "gasnet/inside.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST = GEX_AM_INDEX_BASE, LARGEST_ON_STACK = 512 };

/* The values of n parameters, after others. */
#define VALUES_0
#define VALUES_1 , a[0]
#define VALUES_2 VALUES_1, a[1]
#define VALUES_3 VALUES_2, a[2]
#define VALUES_4 VALUES_3, a[3]
#define VALUES_5 VALUES_4, a[4]
#define VALUES_6 VALUES_5, a[5]
#define VALUES_7 VALUES_6, a[6]
#define VALUES_8 VALUES_7, a[7]
#define VALUES_9 VALUES_8, a[8]
#define VALUES_10 VALUES_9, a[9]
#define VALUES_11 VALUES_10, a[10]
#define VALUES_12 VALUES_11, a[11]
#define VALUES_13 VALUES_12, a[12]
#define VALUES_14 VALUES_13, a[13]
#define VALUES_15 VALUES_14, a[14]
#define VALUES_16 VALUES_15, a[15]

#define SHORT_CASE(M)                                                                              \
    case M:                                                                                        \
        ((void (*)(gex_Token_t FL_GASNET_PARAMETERS_##M))function)(token VALUES_##M);              \
        break;
#define LONG_CASE(M)                                                                               \
    case M:                                                                                        \
        ((void (*)(gex_Token_t, void *, size_t FL_GASNET_PARAMETERS_##M))function)(                \
            token, payload, bytes VALUES_##M);                                                     \
        break;

static void call_short(gex_AM_Fn_t function, gex_Token_t token, const gex_AM_Arg_t *a,
                       unsigned n) {
    switch (n) { FL_GASNET_EACH(SHORT_CASE) }
}

static void call_with(gex_AM_Fn_t function, gex_Token_t token, void *payload, size_t bytes,
                      const gex_AM_Arg_t *a, unsigned n) {
    switch (n) { FL_GASNET_EACH(LONG_CASE) }
}

/* A handler may write to a medium payload, but that of a message to the sender's own rank is the
 * sender's memory. */
static void call_with_copy(gex_AM_Fn_t function, gex_Token_t token, const void *payload,
                           size_t bytes, const gex_AM_Arg_t *args, unsigned n) {
    _Alignas(16) char room[LARGEST_ON_STACK];
    char *copy = FL_ALLOCATED(bytes <= sizeof room ? room : malloc(bytes),
                              "a message of %zu bytes", bytes);
    memcpy(copy, payload, bytes);
    call_with(function, token, copy, bytes, args, n);
    if (copy != room) {
        free(copy);
    }
}

static FL_COLD _Noreturn void wrong_message(const struct gas_token *token, unsigned n) {
    static const char *const categories[] = {
        [GEX_FLAG_AM_SHORT] = "short",
        [GEX_FLAG_AM_MEDIUM] = "medium",
        [GEX_FLAG_AM_LONG] = "long",
        [GEX_FLAG_AM_SHORT | GEX_FLAG_AM_MEDIUM] = "short and medium",
        [GEX_FLAG_AM_SHORT | GEX_FLAG_AM_LONG] = "short and long",
        [GEX_FLAG_AM_MEDLONG] = "medium and long",
        [GEX_FLAG_AM_SHORT | GEX_FLAG_AM_MEDLONG] = "all",
    };
    enum { CATEGORIES = GEX_FLAG_AM_SHORT | GEX_FLAG_AM_MEDLONG };
    const gex_AM_Entry_t *entry = &fl_gasnet.handlers[token->handler];
    gex_Flags_t kinds = entry->gex_flags & GEX_FLAG_AM_REQREP;
    if (!entry->gex_fnptr) {
        fl_gasnet_misuse("an active message",
                         "a %s %s from rank %u came for handler %u, which is not registered",
                         categories[1u << token->category],
                         token->is_request ? "request" : "reply", token->source, token->handler);
    }
    fl_gasnet_misuse("an active message",
                     "a %s %s with %u arguments from rank %u came for handler %u (%s), which is "
                     "registered for %s %s with %u arguments",
                     categories[1u << token->category], token->is_request ? "request" : "reply", n,
                     token->source, token->handler, entry->gex_name ? entry->gex_name : "no name",
                     categories[entry->gex_flags & CATEGORIES],
                     kinds == GEX_FLAG_AM_REQREP    ? "requests and replies"
                     : kinds == GEX_FLAG_AM_REQUEST ? "requests"
                                                    : "replies",
                     entry->gex_nargs);
}

static inline const gex_AM_Entry_t *entry_of(gas_token_t token, unsigned n) {
    const gex_AM_Entry_t *entry = &fl_gasnet.handlers[token->handler];
    gex_Flags_t kind = (1u << token->category) |
                       (token->is_request ? GEX_FLAG_AM_REQUEST : GEX_FLAG_AM_REPLY);
    if (FL_UNLIKELY((entry->gex_flags & kind) != kind ||
                    (n != entry->gex_nargs && entry->gex_nargs != FL_GASNET_ANY_ARGS))) {
        wrong_message(token, n);
    }
    return entry;
}
_Static_assert(GEX_FLAG_AM_SHORT == 1u << GAS_SHORT && GEX_FLAG_AM_LONG == 1u << GAS_LONG,
               "a category is the number of its flag");

static void run_handler(gas_token_t token, const uint32_t *args, unsigned n, void *payload,
                        size_t bytes) {
    const gex_AM_Entry_t *entry = entry_of(token, n);
    const gex_AM_Arg_t *values = (const gex_AM_Arg_t *)args;
    if (token->category == GAS_SHORT) {
        call_short(entry->gex_fnptr, token, values, n);
    } else if (FL_UNLIKELY(token->category == GAS_MEDIUM && token->source == gas_rank())) {
        call_with_copy(entry->gex_fnptr, token, payload, bytes, values, n);
    } else {
        call_with(entry->gex_fnptr, token, payload, bytes, values, n);
    }
}

/* In the debug build, which refuses what a handler may not call or leave behind. A reply that waits for
 * room runs handlers within this one. */
static void run_noting(gas_token_t token, const uint32_t *args, unsigned n, void *payload,
                       size_t bytes) {
    gex_Token_t before = fl_gasnet_set_token(token);
    run_handler(token, args, n, payload, bytes);
    (void)fl_gasnet_set_token(before);
    const char *prepared = fl_gasnet_prepared();
    if (fl_gasnet_locks_held() > 0 || prepared) {
        const char *name = fl_gasnet.handlers[token->handler].gex_name;
        fl_gasnet_misuse("a handler", "number %u (%s) has returned and %s%s%s", token->handler,
                         name ? name : "no name",
                         prepared ? "left a " : "holds a lock still", prepared ? prepared : "",
                         prepared ? " that it has prepared neither committed nor cancelled" : "");
    }
}

/* Runs the client's peer completion handler, which is registered for replies, for a request of the
 * library that names it. */
static void run_peer(gas_token_t token, const uint32_t *args, unsigned n, void *payload,
                     size_t bytes) {
    (void)n;
    struct gas_token reply = *token;
    reply.handler = (gas_handler_t)args[0];
    reply.is_request = false;
    gas_handler_function *run = gas_process.handlers[reply.handler];
    (run ? run : run_handler)(&reply, NULL, 0, payload, bytes);
}

/* For short messages alone, of a number of arguments that the registration tells: saves the jump by
 * that number. */
#define RUN_SHORT(M)                                                                               \
    static void run_short_##M(gas_token_t token, const uint32_t *args, unsigned n, void *payload,  \
                              size_t bytes) {                                                      \
        const gex_AM_Arg_t *a = (const gex_AM_Arg_t *)args;                                        \
        gex_AM_Fn_t function = entry_of(token, n)->gex_fnptr;                                      \
        (void)a, (void)payload, (void)bytes;                                                       \
        ((void (*)(gex_Token_t FL_GASNET_PARAMETERS_##M))function)(token VALUES_##M);              \
    }
FL_GASNET_EACH(RUN_SHORT)
#define NAME(M) run_short_##M,
static gas_handler_function *const run_short[] = {FL_GASNET_EACH(NAME)};
#undef NAME

/* ---- the table ---- */

static const char *fault_of(const gex_AM_Entry_t *entry, unsigned most_args) {
    gex_Flags_t kinds = entry->gex_flags & GEX_FLAG_AM_REQREP;
    gex_Flags_t categories = entry->gex_flags & (GEX_FLAG_AM_SHORT | GEX_FLAG_AM_MEDLONG);
    if (entry->gex_index != 0 && entry->gex_index < FIRST) {
        return "numbers below GEX_AM_INDEX_BASE (128) are the library's";
    }
    if (!entry->gex_fnptr) {
        return "it has no function";
    }
    if (!kinds || !categories) {
        return "its flags name no category, or neither request nor reply";
    }
    if (entry->gex_nargs > most_args) {
        return "most are 16 arguments";
    }
    return entry->gex_index && fl_gasnet.handlers[entry->gex_index].gex_fnptr
               ? "its number is taken"
               : NULL;
}

static void add(const gex_AM_Entry_t *entry) {
    bool is_short = !(entry->gex_flags & GEX_FLAG_AM_MEDLONG) &&
                    entry->gex_nargs < FL_GASNET_ANY_ARGS;
    fl_gasnet.handlers[entry->gex_index] = *entry;
    gas_register(entry->gex_index, fl_gasnet_notes_calls() ? run_noting
                                   : is_short              ? run_short[entry->gex_nargs]
                                                           : run_handler);
}

static int choose_index(gex_AM_Entry_t *entry) {
    for (unsigned index = GAS_HANDLERS_MOST - 1; index >= FIRST; index--) {
        if (!fl_gasnet.handlers[index].gex_fnptr) {
            entry->gex_index = (gex_AM_Index_t)index;
            add(entry);
            return GASNET_OK;
        }
    }
    return fl_gasnet_refuse(GASNET_ERR_RESOURCE, "gex_EP_RegisterHandlers",
                            "all %d numbers are taken", GAS_HANDLERS_MOST - FIRST);
}

int fl_gasnet_register(gex_AM_Entry_t *table, size_t n, unsigned most_args) {
    for (size_t i = 0; i < n; i++) {
        const char *fault = fault_of(&table[i], most_args);
        if (fault) {
            return fl_gasnet_refuse(GASNET_ERR_BAD_ARG, "gex_EP_RegisterHandlers",
                                    "entry %zu, number %u (%s): %s", i, table[i].gex_index,
                                    table[i].gex_name ? table[i].gex_name : "no name", fault);
        }
        if (table[i].gex_index != 0) {
            add(&table[i]);
        }
    }
    int result = GASNET_OK;
    for (size_t i = 0; i < n && result == GASNET_OK; i++) {
        if (table[i].gex_index == 0) {
            result = choose_index(&table[i]);
        }
    }
    return result;
}

int gex_EP_RegisterHandlers(gex_EP_t ep, gex_AM_Entry_t *table, size_t n) {
    (void)ep;
    return fl_gasnet_register(table, n, gex_AM_MaxArgs());
}

/* ---- tokens and limits ---- */

gex_TI_t gex_Token_Info(gex_Token_t token, gex_Token_Info_t *info_p, gex_TI_t wanted) {
    (void)wanted;
    *info_p = (gex_Token_Info_t){.gex_srcrank = token->source,
                                 .gex_ep = &fl_gasnet.ep,
                                 .gex_entry = &fl_gasnet.handlers[token->handler],
                                 .gex_is_req = token->is_request,
                                 .gex_is_long = token->category == GAS_LONG};
    return GEX_TI_ALL;
}

#define LIMITS(Way, Category, most)                                                                \
    size_t gex_AM_LUB##Way##Category(void) {                                                       \
        return most;                                                                               \
    }                                                                                              \
    size_t gex_AM_Max##Way##Category(gex_TM_t tm, gex_Rank_t rank, const gex_Event_t *local,       \
                                     gex_Flags_t flags, unsigned n_args) {                         \
        (void)tm, (void)rank, (void)local, (void)flags, (void)n_args;                              \
        return most;                                                                               \
    }
LIMITS(Request, Medium, gas_max_medium())
LIMITS(Request, Long, gas_max_long())
LIMITS(Reply, Medium, gas_max_medium())
LIMITS(Reply, Long, gas_max_long())

size_t gex_Token_MaxReplyMedium(gex_Token_t token, const gex_Event_t *local, gex_Flags_t flags,
                                unsigned n_args) {
    (void)token, (void)local, (void)flags, (void)n_args;
    return gas_max_medium();
}

size_t gex_Token_MaxReplyLong(gex_Token_t token, const gex_Event_t *local, gex_Flags_t flags,
                              unsigned n_args) {
    (void)token, (void)local, (void)flags, (void)n_args;
    return gas_max_long();
}

/* ---- gasnet_memset on another host: a message to the memory's owner, and a reply ---- */

struct fill {
    struct gas_event *event;
    void *to;
    size_t bytes;
    int byte;
};

static void set(gas_token_t token, const uint32_t *args, unsigned n, void *payload, size_t bytes) {
    struct fill fill;
    (void)args, (void)n;
    memcpy(&fill, payload, bytes);
    memset(fill.to, fill.byte, fill.bytes);
    gas_reply_medium(token, FL_GASNET_SET_DONE_HANDLER, &fill, sizeof fill, NULL, 0);
}

static void set_done(gas_token_t token, const uint32_t *args, unsigned n, void *payload,
                     size_t bytes) {
    struct fill fill;
    (void)token, (void)args, (void)n;
    memcpy(&fill, payload, bytes);
    fl_comm_op_end(&fill.event->op);
}

void fl_gasnet_handlers_start(void);
void fl_gasnet_handlers_start(void) {
    gas_register(FL_GASNET_SET_HANDLER, set);
    gas_register(FL_GASNET_SET_DONE_HANDLER, set_done);
    gas_register(FL_GASNET_PEER_HANDLER, run_peer);
}

static gas_rank_t owner_of(const void *address) {
    return fl_space_thread(&gas_process.space, (uint64_t)(uintptr_t)address);
}

gex_Event_t fl_gasnet_set_nb(void *to, int byte, size_t bytes) {
    if (gas_is_here(to)) {
        memset(to, byte, bytes);
        return GEX_EVENT_INVALID;
    }
    struct fill fill = {gas_event_new(), to, bytes, byte};
    fl_comm_op_begin(&fill.event->op);
    (void)gas_request_medium(owner_of(to), FL_GASNET_SET_HANDLER, &fill, sizeof fill, 0, NULL, 0);
    return gas_event_started(fill.event);
}
