/* SPDX-License-Identifier: BSD-3-Clause */
/* Performs other hosts' statements for units of this host, in the proxy's thread. */
#include "spread/units.h"

#include <stdlib.h>
#include <string.h>

static struct statement {
    struct statement *next;
    unsigned asker;
    uint64_t name; /* the asker's */
    bool reads;
    struct transfer transfer;
    struct outcome outcome;
    char texts[];
} *statements; /* begun and not done; only the proxy's thread uses them */

/* An error of the call goes to `outcome`, instead of ending this program. */
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
    enum { AN_ERROR = 1, AT_END, AT_END_OF_RECORD };
    outcome->ended = common->flags & ENDED;
    if (!outcome->ended && outcome->iostat) { /* some statements do not set the flags */
        outcome->ended = outcome->iostat == -1   ? AT_END
                         : outcome->iostat == -2 ? AT_END_OF_RECORD
                                                 : AN_ERROR;
    }
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
    struct statement *one = FL_ALLOCATED(malloc(sizeof *one + request->bytes),
                                         "a statement of host %u", request->asker.proc);
    one->asker = request->asker.proc;
    one->name = request->words[0];
    one->reads = request->words[1];
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
    while (*at && ((*at)->asker != request->asker.proc || (*at)->name != request->words[0])) {
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
    char *values = FL_ALLOCATED(malloc(before + bytes + 1),
                                "items of host %u", request->asker.proc);
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

static void inquire(int unit, struct outcome *outcome) {
    /* The library fills in what it has room for beyond these two. */
    struct {
        struct inquire inquire;
        char others[512];
    } all = {.inquire = {.common = {.unit = unit, .flags = HAS_EXIST | HAS_OPENED, .file = ""},
                         .exist = &outcome->exist,
                         .opened = &outcome->opened}};
    IN_LIBRARY(FL_NEXT(_gfortran_st_inquire)(&all.inquire));
}

/* Unit, kind, length of a status; the status: 1, if another host's statement uses the unit */
void fl_units_serve_position(const struct fl_proxy_request *request) {
    struct outcome outcome;
    struct close close = {.common = {.unit = (int32_t)request->words[0], .file = "", .line = 0}};
    if (is_busy(close.common.unit)) {
        fl_proxy_answer(request, 1, NULL, 0);
        return;
    }
    catch_errors(&close.common, &outcome);
    switch (request->words[1]) {
#define POSITION(NAME, name)                                                                       \
    case NAME:                                                                                     \
        IN_LIBRARY(FL_NEXT(_gfortran_st_##name)(&close.common));                                   \
        break;
        POSITIONS
#undef POSITION
    case CLOSE:
        close.common.flags |= request->bytes > 0 ? CLOSE_HAS_STATUS : 0;
        close.status = (char *)(uintptr_t)request->payload;
        close.status_length = request->bytes;
        IN_LIBRARY(FL_NEXT(_gfortran_st_close)(&close));
        break;
    case INQUIRE:
        inquire(close.common.unit, &outcome);
        break;
    }
    answer(request, &outcome, &close.common);
}
