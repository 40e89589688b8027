/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See vector.h. Short vectors are posted, and who gets the result reduces them; or the last to
 * arrive does it for all. Of long ones each member reduces a slice, and stores it wherever the
 * result goes: every byte is read once and written once for each who gets it.
 */
#include "coll/vector.h"

#include "coll/between.h"
#include "coll/choose.h"
#include "comm/comm.h"

#include <string.h>

struct vectors {
    char *dst;
    const char *src;
    size_t count;
    const struct fl_coll_operator *op;
    bool to_all;
};

/* What is reduced at once stays in the nearest cache. */
struct piece {
    _Alignas(FL_CACHE_LINE) char bytes[4 << 10];
};

/* n elements of a member's vector from `first` on: in place, or in `room` if they are on another
 * host. */
static const char *elements_of(const struct fl_coll_call *call, const struct vectors *v,
                               unsigned rank, size_t first, size_t n, struct piece *room) {
    const char *from = (char *)fl_coll_at(call, v->src, rank) + first * v->op->size;
    if (FL_LIKELY(fl_comm_is_here((uint64_t)from))) {
        return from;
    }
    fl_comm_get(room->bytes, (uint64_t)from, n * v->op->size);
    return room->bytes;
}

static void store(const struct fl_coll_call *call, const struct vectors *v, size_t first,
                  size_t n, const struct piece *piece, struct fl_comm_op *op) {
    unsigned copies = v->to_all ? call->team->members : 1;
    for (unsigned i = 0, rank = fl_coll_me(call); i < copies;
         i++, rank = fl_coll_next(call->team, rank)) {
        char *to = v->to_all ? fl_coll_at(call, v->dst, rank) : v->dst;
        to += first * v->op->size;
        if (FL_LIKELY(fl_comm_is_here((uint64_t)to))) {
            memcpy(to, piece->bytes, n * v->op->size);
        } else {
            fl_comm_put_nb((uint64_t)to, piece->bytes, n * v->op->size, op);
        }
    }
}

/* Reduces elements from, ..., to - 1 and stores them. */
static void reduce_slice(const struct fl_coll_call *call, const struct vectors *v, size_t from,
                         size_t to) {
    const struct fl_coll_operator *op = v->op;
    size_t most = sizeof(struct piece) / op->size;
    for (size_t n; from < to; from += n) {
        struct piece all, room[2];
        struct fl_comm_op stores = {0};
        n = to - from < most ? to - from : most;
        const char *first = elements_of(call, v, 0, from, n, &room[0]);
        if (call->team->members == 1) {
            memcpy(all.bytes, first, n * op->size);
        } else {
            op->join(all.bytes, first, elements_of(call, v, 1, from, n, &room[1]), n,
                     op->function);
        }
        for (unsigned rank = 2; rank < call->team->members; rank++) {
            op->join(all.bytes, all.bytes, elements_of(call, v, rank, from, n, &room[0]), n,
                     op->function);
        }
        store(call, v, from, n, &all, &stores);
        if (FL_UNLIKELY(!fl_comm_here.one_host)) {
            fl_comm_wait(&stores);
        }
    }
}

static void by_last(struct fl_coll_call *call, const struct vectors *v) {
    fl_coll_step(call);
    if (fl_coll_arrive(call)) {
        reduce_slice(call, v, 0, v->count);
        fl_coll_over(call);
    } else if (call->out != FL_COLL_NONE) {
        fl_coll_await_over(call);
    }
}

/* Reduces what all have posted into the caller's memory. */
static void collect(const struct fl_coll_call *call, const struct vectors *v, char *to) {
    size_t bytes = v->count * v->op->size;
    fl_coll_take(call, 0);
    memcpy(to, fl_coll_bytes_at(call, 0, bytes), bytes);
    for (unsigned rank = 1; rank < call->team->members; rank++) {
        fl_coll_take(call, rank);
        v->op->join(to, to, fl_coll_bytes_at(call, rank, bytes), v->count, v->op->function);
    }
}

static void by_post(struct fl_coll_call *call, const struct vectors *v) {
    unsigned me = fl_coll_me(call);
    size_t bytes = v->count * v->op->size;
    if (call->in == FL_COLL_ALL) {
        fl_coll_barrier(call);
    }
    fl_coll_step_with(call, bytes);
    memcpy(fl_coll_bytes_at(call, me, bytes), fl_coll_at(call, v->src, me), bytes);
    unsigned reader = v->to_all ? FL_COLL_EVERYBODY : fl_coll_rank_of(call->team, v->dst);
    fl_coll_post_together(call, bytes, 0, reader);
    if (v->to_all) {
        collect(call, v, fl_coll_at(call, v->dst, me));
    } else if (me == reader) {
        collect(call, v, v->dst);
    }
    if (call->out == FL_COLL_ALL) {
        fl_coll_barrier(call);
    }
}

/* Everybody touches everybody's memory: to wait for some is to wait for all. */
static void by_slice(struct fl_coll_call *call, const struct vectors *v) {
    unsigned me = fl_coll_me(call), members = call->team->members;
    size_t line = (FL_CACHE_LINE + v->op->size - 1) / v->op->size, lines = v->count / line + 1;
    size_t each = (lines + members - 1) / members * line;
    size_t from = me * each < v->count ? me * each : v->count;
    if (call->in != FL_COLL_NONE) {
        fl_coll_barrier(call);
    }
    reduce_slice(call, v, from, from + each < v->count ? from + each : v->count);
    if (call->out != FL_COLL_NONE) {
        fl_coll_barrier(call);
    }
}

static void reduce(struct fl_coll_call *call, enum fl_coll_operation operation,
                   const struct vectors *v) {
    switch (fl_coll_choice(call, operation, v->count * v->op->size)) {
    case FL_COLL_BY_LAST: by_last(call, v); break;
    case FL_COLL_BY_POST: by_post(call, v); break;
    default: by_slice(call, v);
    }
}

void fl_coll_vector_reduce(struct fl_coll_call *call, void *dst, const void *src, size_t count,
                           const struct fl_coll_operator *op) {
    reduce(call, FL_COLL_VECTOR_REDUCE, &(struct vectors){dst, src, count, op, false});
}

void fl_coll_vector_reduce_all(struct fl_coll_call *call, void *dst, const void *src,
                               size_t count, const struct fl_coll_operator *op) {
    reduce(call, FL_COLL_VECTOR_REDUCE_ALL, &(struct vectors){dst, src, count, op, true});
}
