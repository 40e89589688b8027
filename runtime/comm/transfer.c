/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Puts, gets, sets and copies. Long ones travel in pieces of the transport's best size, straight
 * from and to the caller's memory; of a long put every eighth of the window is confirmed, of a
 * long get as much is asked for at a time.
 */
#include "comm/inside.h"

#include <stdlib.h>
#include <string.h>

enum {
    PARTS = 8,          /* of the window */
    AT_ONCE = 1 << 20,  /* bytes that the target sets or copies while others wait */
    BOUNCE = 256 * 1024 /* bytes of a copy between two other hosts that pass here at a time */
};

static void *pointer(uint64_t address) {
    return (void *)(uintptr_t)address;
}

/* ---- puts ---- */

/* The bytes of a long put that the next confirmation is for. */
struct put {
    unsigned proc;
    uint32_t unconfirmed;
    struct fl_comm_op *op;
};

static void put_piece(struct put *put, uint64_t to, const void *from, size_t bytes, bool last) {
    uint32_t charge = fl_comm_cost(bytes);
    struct fl_comm_message m = {.kind = FL_COMM_KIND_PUT, .n_words = 1, .words = {to}};
    fl_comm_enter_in_order(put->proc, charge);
    if (last || put->unconfirmed + charge >= fl_comm_state.window / PARTS) {
        struct fl_comm_request *request =
            fl_comm_request_new(put->proc, FL_COMM_KIND_PUT, charge, put->op);
        request->charge += put->unconfirmed;
        put->unconfirmed = 0;
        m.cookie = fl_comm_cookie(request);
    } else {
        fl_comm_state.peers[put->proc].in_flight += charge;
        put->unconfirmed += charge;
    }
    fl_comm_send(put->proc, &m, from, bytes, bytes > FL_COMM_COPIED);
    fl_comm_leave();
}

static void put_away(uint64_t to, const void *from, size_t bytes, struct fl_comm_op *op) {
    struct put put = {.proc = fl_comm_proc_of(to), .op = op};
    size_t most = fl_comm_state.payload_most;
    size_t begun = fl_comm_try_one_sided(
        &(struct fl_comm_transfer){.address = to, .from = from, .bytes = bytes, .op = op});
    if (begun == bytes) {
        return;
    }
    to += begun;
    bytes -= begun;
    const char *next = (const char *)from + begun;
    for (; bytes > most; bytes -= most) {
        put_piece(&put, to, next, most, false);
        to += most;
        next += most;
    }
    put_piece(&put, to, next, bytes, true);
}

void fl_comm_put_nb(uint64_t to, const void *from, size_t bytes, struct fl_comm_op *op) {
    if (FL_LIKELY(fl_comm_is_here(to))) {
        memcpy(pointer(to), from, bytes);
    } else if (bytes > 0) {
        fl_read_cache_write(to, NULL, bytes);
        put_away(to, from, bytes, op);
    }
}

void fl_comm_serve_put(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    memcpy(fl_comm_checked(m, m->words[0], bytes), payload, bytes);
    fl_comm_send_ended(m);
}

/* ---- gets ---- */

static void get_piece(unsigned proc, void *to, uint64_t from, size_t bytes,
                      struct fl_comm_op *op) {
    uint32_t charge = fl_comm_cost(bytes);
    fl_comm_enter_in_order(proc, charge);
    struct fl_comm_request *request = fl_comm_request_new(proc, FL_COMM_KIND_GET, charge, op);
    request->to = to;
    request->bytes = request->all = bytes;
    struct fl_comm_message m = {.kind = FL_COMM_KIND_GET,
                                .n_words = 2,
                                .cookie = fl_comm_cookie(request),
                                .words = {from, bytes}};
    fl_comm_send(proc, &m, NULL, 0, false);
    fl_comm_leave();
}

static void get_from_away(void *to, uint64_t from, size_t bytes, struct fl_comm_op *op) {
    unsigned proc = fl_comm_proc_of(from);
    size_t begun = fl_comm_try_one_sided(
        &(struct fl_comm_transfer){.address = from, .to = to, .bytes = bytes, .op = op});
    if (begun == bytes) {
        return;
    }
    from += begun;
    bytes -= begun;
    size_t most = fl_comm_state.payload_most;
    size_t at_once = fl_comm_state.window / PARTS / most * most;
    at_once = at_once > most ? at_once : most;
    char *next = (char *)to + begun;
    for (; bytes > at_once; bytes -= at_once) {
        get_piece(proc, next, from, at_once, op);
        next += at_once;
        from += at_once;
    }
    get_piece(proc, next, from, bytes, op);
}

void fl_comm_get_nb(void *to, uint64_t from, size_t bytes, struct fl_comm_op *op) {
    if (FL_LIKELY(fl_comm_is_here(from))) {
        memcpy(to, pointer(from), bytes);
    } else if (bytes > 0) {
        get_from_away(to, from, bytes, op);
    }
}

void fl_comm_serve_get(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    (void)payload;
    (void)bytes;
    uint64_t all = m->words[1];
    const char *from = fl_comm_checked(m, m->words[0], all);
    size_t most = fl_comm_state.payload_most;
    for (uint64_t at = 0; at < all; at += most) {
        uint64_t n = all - at < most ? all - at : most;
        struct fl_comm_message data = {
            .kind = FL_COMM_KIND_DATA, .n_words = 1, .cookie = m->cookie, .words = {at}};
        fl_comm_send(m->from, &data, from + at, n, all > FL_COMM_COPIED);
    }
}

void fl_comm_serve_data(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    struct fl_comm_request *request = fl_comm_request_of(m, FL_COMM_KIND_GET);
    uint64_t at = m->words[0];
    if (at > request->all || bytes > request->all - at || bytes > request->bytes) {
        fl_comm_bad(m, "it has more bytes than were asked for");
    }
    memcpy((char *)request->to + at, payload, bytes);
    request->bytes -= bytes;
    if (request->bytes == 0) {
        fl_comm_request_end(request);
    }
}

/* ---- sets and copies at the target ---- */

static void order(unsigned proc, struct fl_comm_message *m, struct fl_comm_op *op) {
    uint32_t charge = fl_comm_cost(0);
    fl_comm_enter_in_order(proc, charge);
    m->cookie = fl_comm_cookie(fl_comm_request_new(proc, FL_COMM_KIND_PUT, charge, op));
    fl_comm_send(proc, m, NULL, 0, false);
    fl_comm_leave();
}

void fl_comm_set_nb(uint64_t to, int byte, size_t bytes, struct fl_comm_op *op) {
    if (FL_LIKELY(fl_comm_is_here(to))) {
        memset(pointer(to), byte, bytes);
        return;
    }
    fl_read_cache_write(to, NULL, bytes);
    unsigned proc = bytes ? fl_comm_proc_of(to) : 0;
    while (bytes > 0) {
        size_t n = bytes < AT_ONCE ? bytes : AT_ONCE;
        struct fl_comm_message m = {
            .kind = FL_COMM_KIND_SET, .n_words = 2, .what = (uint8_t)byte, .words = {to, n}};
        order(proc, &m, op);
        to += n;
        bytes -= n;
    }
}

void fl_comm_serve_set(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    (void)payload;
    (void)bytes;
    memset(fl_comm_checked(m, m->words[0], m->words[1]), m->what, m->words[1]);
    fl_comm_send_ended(m);
}

static bool on_one_host(uint64_t a, uint64_t b) {
    const struct fl_layout *layout = fl_comm_state.setup.layout;
    return fl_layout_host_of_proc(layout, fl_comm_proc_of(a)) ==
           fl_layout_host_of_proc(layout, fl_comm_proc_of(b));
}

/* Copies piece by piece, from the end at which overlapping memory is not overwritten before it is
 * read. */
static void copy_there(uint64_t to, uint64_t from, size_t bytes, struct fl_comm_op *op) {
    unsigned proc = fl_comm_proc_of(to);
    if (fl_comm_proc_of(from) != proc) {
        fl_comm_quiet(); /* what was put to `from` went another way */
    }
    bool backwards = to > from;
    for (size_t done = 0; done < bytes;) {
        size_t n = bytes - done < AT_ONCE ? bytes - done : AT_ONCE;
        size_t at = backwards ? bytes - done - n : done;
        struct fl_comm_message m = {
            .kind = FL_COMM_KIND_COPY, .n_words = 3, .words = {to + at, from + at, n}};
        order(proc, &m, op);
        done += n;
    }
}

/* Between two hosts that are not this one. */
static void copy_through(uint64_t to, uint64_t from, size_t bytes) {
    char *bounce = FL_ALLOCATED(malloc(bytes < BOUNCE ? bytes : BOUNCE),
                                "a copy between two other hosts");
    for (size_t done = 0; done < bytes;) {
        size_t n = bytes - done < BOUNCE ? bytes - done : BOUNCE;
        fl_comm_get(bounce, from + done, n);
        fl_comm_put(to + done, bounce, n);
        done += n;
    }
    free(bounce);
}

void fl_comm_copy_nb(uint64_t to, uint64_t from, size_t bytes, struct fl_comm_op *op) {
    if (fl_comm_is_here(from)) {
        if (fl_comm_is_here(to)) {
            memmove(pointer(to), pointer(from), bytes);
        } else {
            fl_comm_put_nb(to, pointer(from), bytes, op);
        }
    } else if (fl_comm_is_here(to)) {
        fl_comm_get_nb(pointer(to), from, bytes, op);
    } else if (bytes > 0 && on_one_host(to, from)) {
        fl_read_cache_write(to, NULL, bytes);
        copy_there(to, from, bytes, op);
    } else if (bytes > 0) {
        copy_through(to, from, bytes);
    }
}

void fl_comm_serve_copy(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    (void)payload;
    (void)bytes;
    uint64_t n = m->words[2];
    memmove(fl_comm_checked(m, m->words[0], n), fl_comm_checked(m, m->words[1], n), n);
    fl_comm_send_ended(m);
}

/* ---- blocking ---- */

void fl_comm_put(uint64_t to, const void *from, size_t bytes) {
    struct fl_comm_op op = {0};
    fl_comm_put_nb(to, from, bytes, &op);
    fl_comm_wait(&op);
}

void fl_comm_get(void *to, uint64_t from, size_t bytes) {
    struct fl_comm_op op = {0};
    fl_comm_get_nb(to, from, bytes, &op);
    fl_comm_wait(&op);
}

void fl_comm_get_relaxed(void *to, uint64_t from, size_t bytes) {
    if (fl_read_cache && bytes <= FL_READ_CACHED && !fl_comm_is_here(from)) {
        fl_read_cache_get(&(struct fl_comm_piece){from, to, bytes}, 1);
    } else {
        fl_comm_get(to, from, bytes);
    }
}

void fl_comm_set(uint64_t to, int byte, size_t bytes) {
    struct fl_comm_op op = {0};
    fl_comm_set_nb(to, byte, bytes, &op);
    fl_comm_wait(&op);
}

void fl_comm_copy(uint64_t to, uint64_t from, size_t bytes) {
    struct fl_comm_op op = {0};
    fl_comm_copy_nb(to, from, bytes, &op);
    fl_comm_wait(&op);
}
