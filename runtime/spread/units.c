/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Units of Fortran. A unit belongs to the host that has opened it, host 0 if nobody has; what a
 * statement of another host does with it is done there, by one call of libgfortran after another: the
 * statement begins, transfers items, and is done. Values are copied, so the host whose unit it is
 * need not have the memory that they come from. libgfortran.so.5 says how parameters are laid out.
 */
#include "spread/inside.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- libgfortran's interface ---- */

enum {
    /* flags: how a call has ended, and which parameters there are */
    ENDED = 3, /* 0: well; error, end, end of record */
    HAS_ERR = 1 << 2,
    HAS_END = 1 << 3,
    HAS_EOR = 1 << 4,
    HAS_IOSTAT = 1 << 5,
    HAS_IOMSG = 1 << 6,
    OPEN_HAS_NEWUNIT = 1 << 23,
    CLOSE_HAS_STATUS = 1 << 7,
    HAS_SIZE = 1 << 10,
    HAS_INTERNAL_UNIT = 1 << 14,
    HAS_NAMELIST = 1 << 15,
    HAS_ID = 1 << 16,
    HAS_ASYNCHRONOUS = 1 << 18,
};

struct common {
    uint32_t flags;
    int32_t unit;
    const char *file;
    int32_t line;
    size_t iomsg_length;
    char *iomsg;
    int32_t *iostat;
};

struct transfer {
    struct common common;
    int64_t rec;
    int64_t *size;
    int64_t *iolength;
    void *internal_unit_descriptor;
    char *format;
    size_t format_length;
    size_t advance_length;
    char *advance;
    char *internal_unit;
    size_t internal_unit_length;
    size_t namelist_length;
    char *namelist;
    int32_t *id;
    int64_t pos;
    char *asynchronous;
    size_t asynchronous_length;
    size_t blank_length;
    char *blank;
    char *decimal;
    size_t decimal_length;
    size_t delim_length;
    char *delim;
    char *pad;
    size_t pad_length;
    size_t round_length;
    char *round;
    char *sign;
    size_t sign_length;
    char library[256];
};

static const struct {
    uint32_t flag;
    size_t text, length;
} texts[] = {
#define TEXT(flag, name) {1u << (flag), offsetof(struct transfer, name), \
                          offsetof(struct transfer, name##_length)}
    TEXT(12, format), TEXT(13, advance), TEXT(19, blank), TEXT(20, decimal),
    TEXT(21, delim),  TEXT(22, pad),     TEXT(23, round), TEXT(24, sign),
#undef TEXT
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

struct open {
    struct common common;
    char others[296 - sizeof(struct common)];
    int32_t *newunit;
};

struct close {
    struct common common;
    char *status;
    size_t status_length;
};

struct inquire {
    struct common common;
    int32_t *exist;
    int32_t *opened;
};

struct array {
    char *base;
    size_t offset;
    size_t element_bytes;
    int32_t version;
    int8_t rank, type;
    int16_t attribute;
    int64_t span;
    struct {
        int64_t stride, lower, upper;
    } dimensions[15];
};

/* Functions for values that have a kind. */
#define VALUES                                                                                     \
    VALUE(INTEGER, integer)                                                                        \
    VALUE(LOGICAL, logical)                                                                        \
    VALUE(REAL, real)                                                                              \
    VALUE(REAL128, real128)                                                                        \
    VALUE(COMPLEX, complex)                                                                        \
    VALUE(COMPLEX128, complex128)

enum function {
#define VALUE(NAME, name) NAME,
    VALUES
#undef VALUE
    CHARACTER,
    CHARACTER_WIDE,
    ARRAY,
    FUNCTIONS
};

#define BOTH(name, ...)                                                                            \
    void _gfortran_transfer_##name(struct transfer *, __VA_ARGS__);                                \
    void _gfortran_transfer_##name##_write(struct transfer *, __VA_ARGS__);
#define VALUE(NAME, name) BOTH(name, void *, int)
VALUES
#undef VALUE
BOTH(character, void *, size_t)
BOTH(character_wide, void *, size_t, int)
BOTH(array, struct array *, int, size_t)
void _gfortran_st_read(struct transfer *);
void _gfortran_st_read_done(struct transfer *);
void _gfortran_st_write(struct transfer *);
void _gfortran_st_write_done(struct transfer *);
void _gfortran_st_set_nml_var(struct transfer *, void *, char *, int, size_t, size_t);
void _gfortran_st_open(struct open *);
void _gfortran_st_close(struct close *);
void _gfortran_st_flush(struct common *);
void _gfortran_st_rewind(struct common *);
void _gfortran_st_backspace(struct common *);
void _gfortran_st_endfile(struct common *);
void _gfortran_st_inquire(struct inquire *);
_Noreturn void _gfortran_runtime_error_at(const char *where, const char *text, ...);

static size_t bytes_of(enum function function, int kind) {
    size_t bytes = kind == 10 ? 16 : (size_t)kind;
    return function == COMPLEX || function == COMPLEX128 ? 2 * bytes : bytes;
}

/* libgfortran's memory for units is this host's own, whatever is called in between. */
#define IN_LIBRARY(call)                                                                           \
    do {                                                                                           \
        bool outer = fl_heap_own;                                                                  \
        fl_heap_own = true;                                                                        \
        call;                                                                                      \
        fl_heap_own = outer;                                                                       \
    } while (0)

/* ---- whose unit it is ---- */

enum { UNITS = 1024, NO_HOST = -1 };

static struct {
    struct fl_mutex mutex;
    struct {
        int unit, host;
    } open[UNITS]; /* the same on all hosts */
    _Atomic unsigned n;
} units;

/* NO_HOST: nobody has opened it. */
static int who_opened(int unit) {
    int host = NO_HOST;
    /* Relaxed: who has opened the unit has waited until it was known here. */
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
    enum { ERROR = 0, INPUT = 5, OUTPUT = 6 }; /* open from the start, on each host */
    int host = who_opened(unit);
    bool own = unit == ERROR || unit == INPUT || unit == OUTPUT;
    return host != NO_HOST ? (unsigned)host : own ? fl_spread_me() : 0;
}

static bool is_far(const struct common *common) {
    return fl_spread_together() && host_of(common->unit) != fl_spread_me();
}

/* words: the unit, its host or NO_HOST */
void fl_units_serve_open(const struct fl_comm_call *call) {
    int unit = (int)call->words[1], host = (int)call->words[2];
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
    }
    atomic_store_explicit(&units.n, n, memory_order_relaxed);
    fl_mutex_unlock(&units.mutex);
    fl_comm_answer(call->asker, &call->words[1], 1, NULL, 0);
}

/* All know it when this returns. */
static void tell_all(int unit, int host) {
    const uint64_t words[3] = {FL_SPREAD_UNIT, (uint64_t)unit, (uint64_t)host};
    for (unsigned other = 0; other < fl_spread_hosts() && fl_spread_together(); other++) {
        struct fl_comm_answer answer = {0};
        fl_comm_ask(other, FL_COMM_SPREAD, words, 3, NULL, 0, &answer);
    }
}

/* ---- what the unit's host does ---- */

/* What has become of a statement so far. */
struct outcome {
    int64_t size;
    uint32_t ended;
    int32_t iostat;
    char iomsg[128];
};

/* Values in a row. */
struct items {
    enum function function;
    int kind;
    size_t length; /* of characters */
    size_t n, element_bytes;
    int8_t type; /* of an array's elements */
};

static struct statement {
    struct statement *next;
    unsigned asker;
    uint64_t name; /* the asker's */
    bool reads;
    struct transfer transfer;
    struct outcome outcome;
    char texts[];
} *statements; /* begun and not done; the proxy's thread has them */

/* How the call ended is in `outcome` and not the end of this program. */
static void catch_errors(struct common *common, struct outcome *outcome) {
    memset(outcome, 0, sizeof *outcome);
    memset(outcome->iomsg, ' ', sizeof outcome->iomsg);
    common->flags &= ~(uint32_t)ENDED;
    common->flags |= HAS_IOSTAT | HAS_IOMSG;
    common->iostat = &outcome->iostat;
    common->iomsg = outcome->iomsg;
    common->iomsg_length = sizeof outcome->iomsg;
}

static void answer(const struct fl_proxy_request *request, struct outcome *outcome,
                   const struct common *common) {
    outcome->ended = common->flags & ENDED;
    fl_proxy_answer(request, 0, outcome, sizeof *outcome);
}

static FL_COLD _Noreturn void bad_request(const struct fl_proxy_request *request) {
    fl_fatal(FL_CODE_BAD_MESSAGE, "host %u wants something done with a unit of Fortran that makes no "
             "sense", request->asker.proc);
}

static bool is_busy(int unit) {
    const struct statement *one = statements;
    while (one && one->transfer.common.unit != unit) {
        one = one->next;
    }
    return one != NULL;
}

/* Statement, whether it reads; parameters, and the texts that they point to: 1, if another host's
 * statement uses the unit, whose lock this thread would wait for. */
void fl_units_serve_begin(const struct fl_proxy_request *request) {
    if (request->bytes < sizeof(struct transfer)) {
        bad_request(request);
    }
    struct statement *one = malloc(sizeof *one + request->bytes);
    if (!one) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for a statement of host %u",
                 request->asker.proc);
    }
    one->asker = request->asker.proc;
    one->name = request->words[1];
    one->reads = request->words[2];
    memcpy(&one->transfer, request->payload, sizeof one->transfer);
    struct transfer *transfer = &one->transfer;
    if (is_busy(transfer->common.unit)) {
        free(one);
        fl_proxy_answer(request, 1, NULL, 0);
        return;
    }
    memcpy(one->texts, request->payload + sizeof *transfer, request->bytes - sizeof *transfer);
    char *text = one->texts;
    for (unsigned i = 0; i < TEXTS; i++) {
        if (transfer->common.flags & texts[i].flag) {
            memcpy((char *)transfer + texts[i].text, &text, sizeof text);
            size_t length;
            memcpy(&length, (char *)transfer + texts[i].length, sizeof length);
            text += length;
        }
    }
    catch_errors(&transfer->common, &one->outcome);
    transfer->common.flags &= ~(uint32_t)(HAS_ID | HAS_ASYNCHRONOUS);
    transfer->size = &one->outcome.size;
    one->next = statements;
    statements = one;
    IN_LIBRARY(one->reads ? FL_NEXT(_gfortran_st_read)(transfer)
                          : FL_NEXT(_gfortran_st_write)(transfer));
    answer(request, &one->outcome, &transfer->common);
}

static struct statement **find(const struct fl_proxy_request *request) {
    struct statement **at = &statements;
    while (*at && ((*at)->asker != request->asker.proc || (*at)->name != request->words[1])) {
        at = &(*at)->next;
    }
    if (!*at) {
        bad_request(request);
    }
    return at;
}

#define CALL(one, name, ...)                                                                       \
    IN_LIBRARY((one)->reads ? FL_NEXT(_gfortran_transfer_##name)(&(one)->transfer, __VA_ARGS__)    \
                            : FL_NEXT(_gfortran_transfer_##name##_write)(&(one)->transfer,         \
                                                                         __VA_ARGS__))

static void perform(struct statement *one, const struct items *items, char *values) {
    struct array array = {.base = values,
                          .element_bytes = items->element_bytes,
                          .rank = 1,
                          .type = items->type,
                          .span = (int64_t)items->element_bytes,
                          .dimensions = {{1, 0, (int64_t)items->n - 1}}};
    switch (items->function) {
#define VALUE(NAME, name)                                                                          \
    case NAME:                                                                                     \
        CALL(one, name, values, items->kind);                                                      \
        break;
        VALUES
#undef VALUE
    case CHARACTER:
        CALL(one, character, values, items->length);
        break;
    case CHARACTER_WIDE:
        CALL(one, character_wide, values, items->length, items->kind);
        break;
    case ARRAY:
        CALL(one, array, &array, items->kind, items->length);
        break;
    case FUNCTIONS:
        break;
    }
}

/* Statement; items, values: outcome, values */
void fl_units_serve_items(const struct fl_proxy_request *request) {
    struct statement *one = *find(request);
    struct items items;
    size_t before = one->reads ? sizeof one->outcome : 0;
    if (request->bytes < sizeof items) {
        bad_request(request);
    }
    memcpy(&items, request->payload, sizeof items);
    size_t bytes = items.n * items.element_bytes;
    if (bytes > fl_comm_payload_most() || request->bytes != sizeof items + bytes) {
        bad_request(request);
    }
    char *values = malloc(before + bytes + 1);
    if (!values) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for items of host %u", request->asker.proc);
    }
    memcpy(values + before, request->payload + sizeof items, bytes);
    perform(one, &items, values + before);
    if (one->reads) {
        one->outcome.ended = one->transfer.common.flags & ENDED;
        memcpy(values, &one->outcome, sizeof one->outcome);
        fl_proxy_answer(request, 0, values, before + bytes);
    } else {
        answer(request, &one->outcome, &one->transfer.common);
    }
    free(values);
}

/* Statement */
void fl_units_serve_done(const struct fl_proxy_request *request) {
    struct statement **at = find(request), *one = *at;
    IN_LIBRARY(one->reads ? FL_NEXT(_gfortran_st_read_done)(&one->transfer)
                          : FL_NEXT(_gfortran_st_write_done)(&one->transfer));
    *at = one->next;
    answer(request, &one->outcome, &one->transfer.common);
    free(one);
}

enum statement_kind { FLUSH, REWIND, BACKSPACE, ENDFILE, CLOSE };

/* Unit, kind, length of a status; the status: 1, if another host's statement uses the unit */
void fl_units_serve_position(const struct fl_proxy_request *request) {
    struct outcome outcome;
    struct close close = {.common = {.unit = (int32_t)request->words[1], .file = "", .line = 0}};
    if (is_busy(close.common.unit)) {
        fl_proxy_answer(request, 1, NULL, 0);
        return;
    }
    catch_errors(&close.common, &outcome);
    switch (request->words[2]) {
    case FLUSH:
        IN_LIBRARY(FL_NEXT(_gfortran_st_flush)(&close.common));
        break;
    case REWIND:
        IN_LIBRARY(FL_NEXT(_gfortran_st_rewind)(&close.common));
        break;
    case BACKSPACE:
        IN_LIBRARY(FL_NEXT(_gfortran_st_backspace)(&close.common));
        break;
    case ENDFILE:
        IN_LIBRARY(FL_NEXT(_gfortran_st_endfile)(&close.common));
        break;
    case CLOSE:
        close.common.flags |= request->bytes > 0 ? CLOSE_HAS_STATUS : 0;
        close.status = (char *)(uintptr_t)request->payload;
        close.status_length = request->bytes;
        IN_LIBRARY(FL_NEXT(_gfortran_st_close)(&close));
        break;
    }
    answer(request, &outcome, &close.common);
}

/* ---- who asks ---- */

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

/* What the program is told, as libgfortran would. */
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
    struct asked *one = malloc(sizeof *one);
    size_t bytes = sizeof *transfer;
    char *payload = malloc(fl_proxy_most());
    if (!one || !payload) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for a statement of Fortran");
    }
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
    char *values = malloc(header + room);
    if (!values) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for the items of a statement of Fortran");
    }
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

static bool begins_far(const struct transfer *transfer) {
    return !(transfer->common.flags & HAS_INTERNAL_UNIT) && is_far(&transfer->common);
}

#define STATEMENT(name, reads)                                                                     \
    FL_EXPORT void name(struct transfer *transfer) {                                               \
        if (begins_far(transfer)) {                                                                \
            begin(transfer, reads);                                                                \
        } else {                                                                                   \
            IN_LIBRARY(FL_NEXT(name)(transfer));                                                   \
        }                                                                                          \
    }                                                                                              \
    TRANSFERS(name##_done, (struct transfer * transfer), (transfer), done(transfer))
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

FL_EXPORT void _gfortran_st_inquire(struct inquire *inquire) {
    enum { HAS_EXIST = 1 << 7, HAS_OPENED = 1 << 8, HAS_FILE = 1 << 14, HAS = ~0x7fu };
    const uint32_t flags = inquire->common.flags & HAS;
    int host = flags & HAS_FILE ? NO_HOST : who_opened(inquire->common.unit);
    if (host == NO_HOST || host == (int)fl_spread_me()) {
        IN_LIBRARY(FL_NEXT(_gfortran_st_inquire)(inquire));
        return;
    }
    if (flags & ~(uint32_t)(HAS_EXIST | HAS_OPENED)) {
        refuse(&inquire->common, "INQUIRE");
    }
    if (flags & HAS_EXIST) {
        *inquire->exist = true;
    }
    if (flags & HAS_OPENED) {
        *inquire->opened = true;
    }
}

static void position(struct common *common, enum statement_kind kind, const char *status,
                     size_t length) {
    struct outcome outcome;
    const uint64_t words[3] = {(uint64_t)common->unit, kind};
    while (fl_proxy_ask(host_of(common->unit), FL_PROXY_UNIT_POSITION, words, status, length,
                        &outcome, sizeof outcome) == 1) {
        fl_os_nap();
    }
    take_outcome(common, &outcome);
}

#define POSITIONS(name, kind)                                                                      \
    FL_EXPORT void name(struct common *common) {                                                   \
        if (is_far(common)) {                                                                      \
            position(common, kind, NULL, 0);                                                       \
        } else {                                                                                   \
            IN_LIBRARY(FL_NEXT(name)(common));                                                     \
        }                                                                                          \
    }
POSITIONS(_gfortran_st_flush, FLUSH)
POSITIONS(_gfortran_st_rewind, REWIND)
POSITIONS(_gfortran_st_backspace, BACKSPACE)
POSITIONS(_gfortran_st_endfile, ENDFILE)

/* A number that no other host has: libgfortran's own are the same on all. */
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
    if (new_unit) {
        choose_unit(open);
    } else if (who_opened(open->common.unit) != NO_HOST && is_far(&open->common)) {
        struct common close = {.unit = open->common.unit, .file = open->common.file,
                               .line = open->common.line};
        position(&close, CLOSE, NULL, 0); /* as opening it anew does */
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
        position(&close->common, CLOSE, close->status, says ? close->status_length : 0);
    } else {
        IN_LIBRARY(FL_NEXT(_gfortran_st_close)(close));
    }
    if (fl_spread_together() && who_opened(close->common.unit) != NO_HOST) {
        tell_all(close->common.unit, NO_HOST);
    }
}
