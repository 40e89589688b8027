/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See vector.h. Short vectors are posted, and each member that gets the result reduces them; or the
 * last to arrive does it for all. Of long ones each member reduces a slice, and stores it wherever
 * the result goes: every byte is read once and written once for each member that gets it. Between
 * hosts slices are posted to the members that reduce them, and results to the members that get them
 * (reduce-scatter, then all-gather), as much at a time as windows hold.
 */
#include "coll/vector.h"

#include "coll/between.h"
#include "coll/choose.h"

#include <string.h>

struct vectors {
    char *dst;
    const char *src;
    size_t count;
    const struct fl_coll_operator *op;
    bool to_all;
};

/* Elements that are reduced at a time: so they stay in the nearest cache. */
struct piece {
    _Alignas(FL_CACHE_LINE) char bytes[4 << 10];
};

static const char *elements_of(const struct fl_coll_call *call, const struct vectors *v,
                               unsigned rank, size_t first) {
    return (char *)fl_coll_at(call, v->src, rank) + first * v->op->size;
}

static void store(const struct fl_coll_call *call, const struct vectors *v, size_t first,
                  size_t n, const struct piece *piece) {
    unsigned copies = v->to_all ? call->team->members : 1;
    for (unsigned i = 0, rank = fl_coll_me(call); i < copies;
         i++, rank = fl_coll_next(call->team, rank)) {
        char *to = v->to_all ? fl_coll_at(call, v->dst, rank) : v->dst;
        memcpy(to + first * v->op->size, piece->bytes, n * v->op->size);
    }
}

/* Reduces elements from, ..., to - 1 and stores them; all members are of this host. */
static void reduce_slice(const struct fl_coll_call *call, const struct vectors *v, size_t from,
                         size_t to) {
    const struct fl_coll_operator *op = v->op;
    size_t most = sizeof(struct piece) / op->size;
    for (size_t n; from < to; from += n) {
        struct piece all;
        n = to - from < most ? to - from : most;
        const char *first = elements_of(call, v, 0, from);
        if (call->team->members == 1) {
            memcpy(all.bytes, first, n * op->size);
        } else {
            op->join(all.bytes, first, elements_of(call, v, 1, from), n, op->function);
        }
        for (unsigned rank = 2; rank < call->team->members; rank++) {
            op->join(all.bytes, all.bytes, elements_of(call, v, rank, from), n, op->function);
        }
        store(call, v, from, n, &all);
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

/* Reduces n elements of the `bytes` that each member has posted, from byte `at` on. */
static void collect(const struct fl_coll_call *call, const struct fl_coll_operator *op, char *to,
                    size_t at, size_t n, size_t bytes) {
    fl_coll_take(call, 0);
    memcpy(to, fl_coll_bytes_at(call, 0, bytes) + at, n * op->size);
    for (unsigned rank = 1; rank < call->team->members; rank++) {
        fl_coll_take(call, rank);
        op->join(to, to, fl_coll_bytes_at(call, rank, bytes) + at, n, op->function);
    }
}

/* Posts and reduces n elements from `first` on. */
static void post_vectors(struct fl_coll_call *call, const struct vectors *v, size_t first,
                         size_t n) {
    unsigned me = fl_coll_me(call);
    unsigned reader = v->to_all ? FL_COLL_EVERYBODY : fl_coll_rank_of(call->team, v->dst);
    size_t bytes = n * v->op->size;
    fl_coll_step_with(call, bytes);
    memcpy(fl_coll_bytes_at(call, me, bytes), elements_of(call, v, me, first), bytes);
    fl_coll_post_together(call, bytes, 0, reader);
    if (v->to_all || me == reader) {
        char *to = v->to_all ? fl_coll_at(call, v->dst, me) : v->dst;
        collect(call, v->op, to + first * v->op->size, 0, n, bytes);
    }
}

static void by_post(struct fl_coll_call *call, const struct vectors *v) {
    if (call->in == FL_COLL_ALL) {
        fl_coll_barrier(call);
    }
    post_vectors(call, v, 0, v->count);
    if (call->out == FL_COLL_ALL) {
        fl_coll_barrier(call);
    }
}

/* n elements of the vectors, from `first` on, of which member r reduces `each` from r * each on. */
struct slices {
    size_t first, n, each;
};

static size_t slice_begin(const struct slices *slices, unsigned rank) {
    size_t begin = rank * slices->each;
    return begin < slices->n ? begin : slices->n;
}

static size_t slice_length(const struct slices *slices, unsigned rank) {
    return slice_begin(slices, rank + 1) - slice_begin(slices, rank);
}

static void post_slices(struct fl_coll_call *call, const struct vectors *v,
                        const struct slices *slices) {
    const struct fl_coll_operator *op = v->op;
    unsigned me = fl_coll_me(call), members = call->team->members;
    unsigned reader = v->to_all ? FL_COLL_EVERYBODY : fl_coll_rank_of(call->team, v->dst);
    size_t block = slices->each * op->size, row = block * members;
    struct fl_coll_call results;
    fl_coll_two_steps(call, row, &results, block);
    memcpy(fl_coll_bytes_at(call, me, row), elements_of(call, v, me, slices->first),
           slices->n * op->size);
    fl_coll_post_together(call, row, block, FL_COLL_EVERYBODY);
    collect(call, op, (char *)fl_coll_bytes_at(&results, me, block), me * block,
            slice_length(slices, me), row);
    fl_coll_post_together(&results, block, 0, reader);
    char *to = v->to_all ? fl_coll_at(call, v->dst, me) : v->dst;
    for (unsigned rank = 0; rank < members && (v->to_all || me == reader); rank++) {
        fl_coll_take(&results, rank);
        memcpy(to + (slices->first + slice_begin(slices, rank)) * op->size,
               fl_coll_bytes_at(&results, rank, block), slice_length(slices, rank) * op->size);
    }
}

/* Smaller slices are not worth it: with so many members that windows hold no larger ones. */
enum { LEAST_SLICE_BYTES = 1 << 10 };

static void by_posted_slices(struct fl_coll_call *call, const struct vectors *v) {
    unsigned members = call->team->members;
    size_t block = call->team->window_bytes / (members + 1) / FL_CACHE_LINE * FL_CACHE_LINE;
    bool sliced = block >= LEAST_SLICE_BYTES;
    size_t most = sliced ? block / v->op->size * members : call->team->window_bytes / v->op->size;
    if (call->in == FL_COLL_ALL) {
        fl_coll_barrier(call);
    }
    for (size_t n, first = 0; first < v->count; first += n) {
        n = v->count - first < most ? v->count - first : most;
        if (sliced) {
            post_slices(call, v, &(struct slices){first, n, (n + members - 1) / members});
        } else {
            post_vectors(call, v, first, n);
        }
    }
    if (call->out == FL_COLL_ALL) {
        fl_coll_barrier(call);
    }
}

/* All members touch each other's memory: to wait for some is to wait for all. */
static void by_slice(struct fl_coll_call *call, const struct vectors *v) {
    if (!fl_coll_one_host(call->team)) {
        by_posted_slices(call, v);
        return;
    }
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
