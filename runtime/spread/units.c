/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Units of Fortran. A unit belongs to the host that has opened it, host 0 if none has; that host
 * performs statements of other hosts, by one call of libgfortran after another: the statement
 * begins, transfers items, and is done. Values are copied, so the unit's host need not have the
 * memory that they come from. Its side is in units_served.c.
 */
#include "spread/units.h"

#include <stdlib.h>
#include <string.h>

/* ---- the hosts of units ---- */

enum { UNITS = 1024, NO_HOST = -1 };
enum { ERROR = 0, INPUT = 5, OUTPUT = 6 }; /* open from the start, on each host */

static struct {
    struct fl_mutex mutex;
    struct {
        int unit, host;
    } open[UNITS]; /* the same on all hosts */
    _Atomic unsigned n;
} units;

/* NO_HOST: no host has opened it. */
static int who_opened(int unit) {
    int host = NO_HOST;
    /* Relaxed: the thread that opened the unit has waited until it was known here. */
    if (atomic_load_explicit(&units.n, memory_order_relaxed) == 0) {
        return host;
    }
    fl_mutex_lock(&units.mutex);
    for (unsigned i = 0; i < atomic_load_explicit(&units.n, memory_order_relaxed); i++) {
        host = units.open[i].unit == unit ? units.open[i].host : host;
    }
    fl_mutex_unlock(&units.mutex);
    return host;
}

static unsigned host_of(int unit) {
    int host = who_opened(unit);
    bool own = unit == ERROR || unit == INPUT || unit == OUTPUT;
    return host != NO_HOST ? (unsigned)host : own ? fl_spread_me() : 0;
}

static bool is_far(const struct common *common) {
    return fl_spread_together() && host_of(common->unit) != fl_spread_me();
}

void fl_spread_serve_unit(const struct fl_comm_call *call,
                          const struct fl_spread_unit_message *words) {
    int unit = (int)words->unit, host = (int)words->host;
    fl_mutex_lock(&units.mutex);
    unsigned n = atomic_load_explicit(&units.n, memory_order_relaxed), i = 0;
    while (i < n && units.open[i].unit != unit) {
        i++;
    }
    if (host == NO_HOST && i < n) {
        units.open[i] = units.open[--n];
    } else if (host != NO_HOST && i < UNITS) {
        units.open[i].unit = unit;
        units.open[i].host = host;
        n += i == n;
    } else if (host != NO_HOST) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no room for unit %d: %d at most can be open", unit, UNITS);
    }
    atomic_store_explicit(&units.n, n, memory_order_relaxed);
    fl_mutex_unlock(&units.mutex);
    fl_comm_answer(call->asker, NULL, 0, NULL, 0);
}

/* All hosts know it when this returns. */
static void tell_all(int unit, int host) {
    for (unsigned other = 0; other < fl_spread_hosts() && fl_spread_together(); other++) {
        struct fl_comm_answer answer = {0};
        fl_comm_ask(other, FL_COMM_SPREAD,
                    FL_MESSAGE_WORDS(fl_spread, unit, .unit = (uint64_t)unit,
                                     .host = (uint64_t)host),
                    NULL, 0, &answer);
    }
}

/* ---- the asker ---- */

/* Statements of the calling thread for other hosts' units, the innermost first. */
static _Thread_local struct asked {
    struct asked *outer;
    struct transfer *transfer;
    unsigned host;
    bool reads;
} *asked;

static bool is_asked(const struct transfer *transfer) {
    return FL_UNLIKELY(asked != NULL) && asked->transfer == transfer;
}

/* Reports the outcome to the program as libgfortran would. */
static void take_outcome(struct common *common, const struct outcome *outcome) {
    static const uint32_t handled[] = {0, HAS_ERR, HAS_END, HAS_EOR};
    common->flags = (common->flags & ~(uint32_t)ENDED) | outcome->ended;
    if (common->flags & HAS_IOSTAT) {
        *common->iostat = outcome->iostat;
    }
    if (!outcome->ended) {
        return;
    }
    if (common->flags & HAS_IOMSG) {
        size_t n = common->iomsg_length < sizeof outcome->iomsg ? common->iomsg_length
                                                                : sizeof outcome->iomsg;
        memset(common->iomsg, ' ', common->iomsg_length);
        memcpy(common->iomsg, outcome->iomsg, n);
    }
    if (!(common->flags & (HAS_IOSTAT | handled[outcome->ended]))) {
        char where[256];
        snprintf(where, sizeof where, "At line %d of file %s (unit = %d)", common->line,
                 common->file, common->unit);
        size_t n = sizeof outcome->iomsg;
        while (n > 0 && outcome->iomsg[n - 1] == ' ') {
            n--;
        }
        FL_NEXT(_gfortran_runtime_error_at)(where, "%.*s", (int)n, outcome->iomsg);
    }
}

static void begin(struct transfer *transfer, bool reads) {
    struct asked *one = FL_ALLOCATED(malloc(sizeof *one), "a statement of Fortran");
    size_t bytes = sizeof *transfer;
    char *payload = FL_ALLOCATED(malloc(fl_proxy_most()), "a statement of Fortran");
    memcpy(payload, transfer, sizeof *transfer);
    for (unsigned i = 0; i < TEXTS; i++) {
        const char *text;
        size_t length;
        memcpy(&text, (char *)transfer + texts[i].text, sizeof text);
        memcpy(&length, (char *)transfer + texts[i].length, sizeof length);
        if (!(transfer->common.flags & texts[i].flag)) {
            continue;
        }
        if (length > fl_proxy_most() - bytes) {
            fl_fatal(FL_CODE_ONE_HOST_ONLY, "unit %d is another host's, and a format has %zu "
                     "characters; use the unit on the host that opened it", transfer->common.unit,
                     length);
        }
        memcpy(payload + bytes, text, length);
        bytes += length;
    }
    *one = (struct asked){asked, transfer, host_of(transfer->common.unit), reads};
    struct outcome outcome;
    const uint64_t words[3] = {(uintptr_t)transfer, reads};
    while (fl_proxy_ask(one->host, FL_PROXY_UNIT_BEGIN, words, payload, bytes, &outcome,
                        sizeof outcome) == 1) {
        fl_os_nap();
    }
    free(payload);
    asked = one;
    take_outcome(&transfer->common, &outcome);
}

static void done(struct transfer *transfer) {
    struct asked *one = asked;
    struct outcome outcome;
    const uint64_t words[3] = {(uintptr_t)transfer};
    (void)fl_proxy_ask(one->host, FL_PROXY_UNIT_DONE, words, NULL, 0, &outcome, sizeof outcome);
    asked = one->outer;
    free(one);
    if (transfer->common.flags & HAS_SIZE) {
        *transfer->size = outcome.size;
    }
    take_outcome(&transfer->common, &outcome);
}

/* The elements of an array, one after another, as libgfortran counts them. */
struct walk {
    const struct array *array; /* null: one value */
    char *at;
    int64_t index[15];
};

static size_t count(const struct array *array) {
    size_t n = 1;
    for (int d = 0; d < array->rank; d++) {
        int64_t extent = array->dimensions[d].upper - array->dimensions[d].lower + 1;
        n *= extent > 0 ? (size_t)extent : 0;
    }
    return n;
}

static void step_on(struct walk *walk, size_t bytes) {
    const struct array *array = walk->array;
    for (int d = 0; array && d < array->rank; d++) {
        int64_t step = array->dimensions[d].stride * (int64_t)bytes;
        int64_t extent = array->dimensions[d].upper - array->dimensions[d].lower + 1;
        walk->at += step;
        if (++walk->index[d] < extent) {
            return;
        }
        walk->at -= step * extent;
        walk->index[d] = 0;
    }
}

/* In pieces. */
static void transfer_items(struct transfer *transfer, struct items items, struct walk walk) {
    size_t header = sizeof items > sizeof(struct outcome) ? sizeof items : sizeof(struct outcome);
    size_t room = fl_comm_payload_most() - header, left = items.n;
    if (items.element_bytes > room) {
        fl_fatal(FL_CODE_ONE_HOST_ONLY, "unit %d is another host's, and a value has %zu bytes; %zu at "
                 "most can be transferred there: use the unit on the host that opened it",
                 transfer->common.unit, items.element_bytes, room);
    }
    char *values = FL_ALLOCATED(malloc(header + room), "the items of a statement of Fortran");
    const uint64_t words[3] = {(uintptr_t)transfer};
    struct outcome outcome = {0};
    size_t most = items.element_bytes ? room / items.element_bytes : 1;
    while (left > 0 && !outcome.ended) {
        items.n = left < most ? left : most;
        size_t bytes = items.n * items.element_bytes;
        struct walk begin = walk;
        memcpy(values, &items, sizeof items);
        for (size_t i = 0; i < items.n; i++) {
            memcpy(values + sizeof items + i * items.element_bytes, walk.at, items.element_bytes);
            step_on(&walk, items.element_bytes);
        }
        (void)fl_proxy_ask(asked->host, FL_PROXY_UNIT_ITEMS, words, values, sizeof items + bytes,
                           values, header + room);
        memcpy(&outcome, values, sizeof outcome);
        for (size_t i = 0; asked->reads && i < items.n; i++) {
            memcpy(begin.at, values + sizeof outcome + i * items.element_bytes,
                   items.element_bytes);
            step_on(&begin, items.element_bytes);
        }
        left -= items.n;
    }
    free(values);
    take_outcome(&transfer->common, &outcome);
}

/* ---- in libgfortran's place ---- */

static void far_value(struct transfer *transfer, void *at, enum function function, int kind,
                      size_t length, size_t bytes) {
    if (!(transfer->common.flags & ENDED)) {
        transfer_items(transfer,
                       (struct items){.function = function, .kind = kind, .length = length, .n = 1,
                                      .element_bytes = bytes},
                       (struct walk){.at = at});
    }
}

static void far_array(struct transfer *transfer, struct array *array, int kind, size_t length) {
    if (!(transfer->common.flags & ENDED)) {
        transfer_items(transfer,
                       (struct items){.function = ARRAY, .kind = kind, .length = length,
                                      .n = count(array), .element_bytes = array->element_bytes,
                                      .type = array->type},
                       (struct walk){.array = array, .at = array->base});
    }
}

#define TRANSFERS(name, parameters, arguments, far)                                                \
    FL_EXPORT void name parameters {                                                               \
        if (is_asked(transfer)) {                                                                  \
            far;                                                                                   \
        } else {                                                                                   \
            IN_LIBRARY(FL_NEXT(name) arguments);                                                   \
        }                                                                                          \
    }
#define READS_AND_WRITES(name, parameters, arguments, far)                                         \
    TRANSFERS(_gfortran_transfer_##name, parameters, arguments, far)                               \
    TRANSFERS(_gfortran_transfer_##name##_write, parameters, arguments, far)
#define VALUE(NAME, name)                                                                          \
    READS_AND_WRITES(name, (struct transfer * transfer, void *at, int kind), (transfer, at, kind), \
                     far_value(transfer, at, NAME, kind, 0, bytes_of(NAME, kind)))
VALUES
#undef VALUE
READS_AND_WRITES(character, (struct transfer * transfer, void *at, size_t length),
                 (transfer, at, length), far_value(transfer, at, CHARACTER, 1, length, length))
READS_AND_WRITES(character_wide, (struct transfer * transfer, void *at, size_t length, int kind),
                 (transfer, at, length, kind),
                 far_value(transfer, at, CHARACTER_WIDE, kind, length, length * (size_t)kind))
READS_AND_WRITES(array, (struct transfer * transfer, struct array *array, int kind, size_t length),
                 (transfer, array, kind, length), far_array(transfer, array, kind, length))

/* ---- what is printed ---- */

static struct {
    _Atomic bool any;
    _Atomic int statements; /* that have begun */
} printed;
static _Thread_local int printing; /* the calling thread's */

/* `more` is 1 where a statement begins, and -1 where it ends. */
static void note_printing(const struct transfer *transfer, int more) {
    if (transfer->common.unit == OUTPUT && !(transfer->common.flags & HAS_INTERNAL_UNIT)) {
        printing += more;
        /* Relaxed, as the others: a thread that must flush is this one, or ordered after it. */
        atomic_fetch_add_explicit(&printed.statements, more, memory_order_relaxed);
        atomic_store_explicit(&printed.any, true, memory_order_relaxed);
    }
}

bool fl_units_have_printed(void) {
    return atomic_load_explicit(&printed.any, memory_order_relaxed);
}

/* A statement that prints holds the unit; functions in it may wait for the caller of this. */
void fl_units_flush_printed(void) {
    enum { NAPS_MOST = 1000 };
    const int32_t unit = OUTPUT;
    for (int i = 0; atomic_load_explicit(&printed.statements, memory_order_relaxed) > 0; i++) {
        if (printing > 0 || i == NAPS_MOST) {
            return;
        }
        fl_os_nap();
    }
    if (atomic_exchange_explicit(&printed.any, false, memory_order_relaxed)) {
        IN_LIBRARY(FL_NEXT(_gfortran_flush_i4)(&unit));
    }
}

/* ---- statements ---- */

static bool begins_far(const struct transfer *transfer) {
    return !(transfer->common.flags & HAS_INTERNAL_UNIT) && is_far(&transfer->common);
}

#define STATEMENT(name, reads)                                                                     \
    FL_EXPORT void name(struct transfer *transfer) {                                               \
        if (begins_far(transfer)) {                                                                \
            begin(transfer, reads);                                                                \
        } else {                                                                                   \
            note_printing(transfer, 1);                                                            \
            IN_LIBRARY(FL_NEXT(name)(transfer));                                                   \
        }                                                                                          \
    }                                                                                              \
    FL_EXPORT void name##_done(struct transfer *transfer) {                                        \
        if (is_asked(transfer)) {                                                                  \
            done(transfer);                                                                        \
        } else {                                                                                   \
            IN_LIBRARY(FL_NEXT(name##_done)(transfer));                                            \
            note_printing(transfer, -1);                                                           \
        }                                                                                          \
    }
STATEMENT(_gfortran_st_read, true)
STATEMENT(_gfortran_st_write, false)

static FL_COLD _Noreturn void refuse(const struct common *common, const char *what) {
    fl_fatal(FL_CODE_ONE_HOST_ONLY, "%s (%s:%d) for unit %d, which was opened on host %u; have it "
             "done by a thread of that host", what, common->file, common->line, common->unit,
             host_of(common->unit));
}

FL_EXPORT void _gfortran_st_set_nml_var(struct transfer *transfer, void *at, char *name, int kind,
                                        size_t length, size_t type) {
    if (is_asked(transfer)) {
        refuse(&transfer->common, "a namelist");
    }
    FL_NEXT(_gfortran_st_set_nml_var)(transfer, at, name, kind, length, type);
}

static struct outcome position(struct common *common, enum statement_kind kind, const char *status,
                               size_t length) {
    struct outcome outcome;
    const uint64_t words[3] = {(uint64_t)common->unit, kind};
    while (fl_proxy_ask(host_of(common->unit), FL_PROXY_UNIT_POSITION, words, status, length,
                        &outcome, sizeof outcome) == 1) {
        fl_os_nap();
    }
    take_outcome(common, &outcome);
    return outcome;
}

#define BY_ITS_OWN(name)                                                                           \
    FL_EXPORT void name(struct transfer *transfer, void *at, void *procedure) {                    \
        if (is_asked(transfer)) {                                                                  \
            refuse(&transfer->common, "a derived type's own input or output");                     \
        }                                                                                          \
        FL_NEXT(name)(transfer, at, procedure);                                                    \
    }
BY_ITS_OWN(_gfortran_transfer_derived)
BY_ITS_OWN(_gfortran_transfer_derived_write)

/* Whether another host has a unit open, perhaps with the file that the caller asks about. */
static bool any_far(void) {
    bool any = false;
    fl_mutex_lock(&units.mutex);
    for (unsigned i = 0; i < atomic_load_explicit(&units.n, memory_order_relaxed); i++) {
        any = any || units.open[i].host != (int)fl_spread_me();
    }
    fl_mutex_unlock(&units.mutex);
    return any;
}

FL_EXPORT void _gfortran_st_inquire(struct inquire *inquire) {
    struct common *common = &inquire->common;
    const uint32_t about = common->flags & ~(uint32_t)0x7f; /* not the common ones */
    bool by_file = about & INQUIRE_HAS_FILE, only = !(about & ~(uint32_t)INQUIRES_EASILY);
    bool far = by_file ? fl_spread_together() && (about & INQUIRE_ABOUT_UNIT) && any_far()
                       : is_far(common);
    if (!far) {
        IN_LIBRARY(FL_NEXT(_gfortran_st_inquire)(inquire));
        return;
    }
    if (by_file) {
        fl_fatal(FL_CODE_ONE_HOST_ONLY, "INQUIRE by the name of a file (%s:%d) asks whether it is "
                 "open, which the host knows that has opened it; ask by the unit",
                 common->file, common->line);
    }
    if (!only) {
        refuse(common, "INQUIRE about more than OPENED and EXIST");
    }
    struct outcome outcome = position(common, INQUIRE, NULL, 0);
    if (about & HAS_EXIST) {
        *inquire->exist = outcome.exist;
    }
    if (about & HAS_OPENED) {
        *inquire->opened = outcome.opened;
    }
}

#define POSITION(NAME, name)                                                                       \
    FL_EXPORT void _gfortran_st_##name(struct common *common) {                                    \
        if (is_far(common)) {                                                                      \
            (void)position(common, NAME, NULL, 0);                                                 \
        } else {                                                                                   \
            IN_LIBRARY(FL_NEXT(_gfortran_st_##name)(common));                                      \
        }                                                                                          \
    }
POSITIONS
#undef POSITION

/* Transfers have ended when their statement has. */
#define WAITS(name)                                                                                \
    FL_EXPORT void name(struct common *common) {                                                   \
        if (!is_far(common)) {                                                                     \
            IN_LIBRARY(FL_NEXT(name)(common));                                                     \
        }                                                                                          \
    }
WAITS(_gfortran_st_wait)
WAITS(_gfortran_st_wait_async)

/* GNU's subroutine. */
#define FLUSHES(name, type)                                                                        \
    FL_EXPORT void name(const type *unit) {                                                        \
        struct common common = {.unit = unit ? (int32_t)*unit : 0, .file = "", .flags = HAS_ERR};  \
        if (unit && is_far(&common)) {                                                             \
            (void)position(&common, FLUSH, NULL, 0);                                               \
        } else {                                                                                   \
            IN_LIBRARY(FL_NEXT(name)(unit));                                                       \
        }                                                                                          \
    }
FLUSHES(_gfortran_flush_i4, int32_t)
FLUSHES(_gfortran_flush_i8, int64_t)

/* A number that no other host chooses: libgfortran's are the same on all, and are host 0's. */
static void choose_unit(struct open *open) {
    static _Atomic int given;
    enum { OF_HOST = 1 << 20, FIRST = 1 << 24 };
    /* Relaxed: it only counts. */
    int n = atomic_fetch_add_explicit(&given, 1, memory_order_relaxed) % OF_HOST;
    open->common.unit = FIRST + (int)fl_spread_me() * OF_HOST + n;
    open->common.flags &= ~(uint32_t)OPEN_HAS_NEWUNIT;
}

FL_EXPORT void _gfortran_st_open(struct open *open) {
    bool new_unit = open->common.flags & OPEN_HAS_NEWUNIT;
    if (!fl_spread_together()) {
        FL_NEXT(_gfortran_st_open)(open);
        return;
    }
    if (new_unit && fl_spread_me() > 0) {
        choose_unit(open);
    } else if (!new_unit && who_opened(open->common.unit) != NO_HOST && is_far(&open->common)) {
        if (!(open->common.flags & OPEN_HAS_FILE)) {
            refuse(&open->common, "OPEN without a file's name");
        }
        struct common close = {.unit = open->common.unit, .file = open->common.file,
                               .line = open->common.line};
        (void)position(&close, CLOSE, NULL, 0); /* as opening it anew does */
    }
    IN_LIBRARY(FL_NEXT(_gfortran_st_open)(open));
    if (!(open->common.flags & ENDED)) {
        if (new_unit) {
            *open->newunit = open->common.unit;
        }
        tell_all(open->common.unit, (int)fl_spread_me());
    }
}

FL_EXPORT void _gfortran_st_close(struct close *close) {
    if (is_far(&close->common)) {
        bool says = close->common.flags & CLOSE_HAS_STATUS;
        (void)position(&close->common, CLOSE, close->status, says ? close->status_length : 0);
    } else {
        IN_LIBRARY(FL_NEXT(_gfortran_st_close)(close));
    }
    if (fl_spread_together() && who_opened(close->common.unit) != NO_HOST) {
        tell_all(close->common.unit, NO_HOST);
    }
}
