/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See reduce.h. Each thread reduces a part of the array; the parts' results meet on a board, where
 * the last thread to arrive combines them in order.
 *
 * Where operands may change places a thread's part is what it has affinity to: the blocks of one
 * thread lie one after another in its memory, so that is one run. Otherwise, and in an array in
 * one piece, the parts are ranges of indices.
 */
#include "coll/reduce.h"

#include "comm/comm.h"

#include <string.h>

/* Indices from, ..., to - 1. */
struct range {
    size_t from, to;
};

static size_t min(size_t a, size_t b) {
    return a < b ? a : b;
}

/* An element's value, if there is one. */
struct partial {
    _Alignas(max_align_t) unsigned char bytes[sizeof(long double)];
    bool any;
};

static void fold(struct partial *partial, const void *src, size_t n,
                 const struct fl_coll_operator *op) {
    if (!partial->any && n > 0) {
        memcpy(partial->bytes, src, op->size);
        partial->any = true;
        src = (const char *)src + op->size;
        n--;
    }
    op->fold(partial->bytes, src, n, op->function);
}

static void scan(struct partial *partial, void *dst, const void *src, size_t n,
                 const struct fl_coll_operator *op) {
    if (!partial->any && n > 0) {
        memcpy(partial->bytes, src, op->size);
        memcpy(dst, src, op->size);
        partial->any = true;
        dst = (char *)dst + op->size;
        src = (const char *)src + op->size;
        n--;
    }
    op->scan(partial->bytes, dst, src, n, op->function);
}

static void put(struct fl_coll_slot *slot, const struct partial *partial) {
    memcpy(slot->bytes, partial->bytes, sizeof partial->bytes);
    slot->used = partial->any;
}

static struct partial get(const struct fl_coll_slot *slot) {
    struct partial partial;
    memcpy(partial.bytes, slot->bytes, sizeof partial.bytes);
    partial.any = slot->used;
    return partial;
}

/* Elements before index i that thread t has. */
static size_t elements_before(const struct fl_coll_array *array, unsigned threads, unsigned t,
                              size_t i) {
    size_t row = array->block * threads;
    size_t in_row = i % row, skipped = t * array->block;
    return i / row * array->block +
           (in_row < skipped ? 0 : min(in_row - skipped, array->block));
}

static struct partial reduce_own(const struct fl_coll_call *call, const struct fl_coll_array *src,
                                 const struct fl_coll_operator *op) {
    unsigned me = fl_coll_me(call), threads = call->team->threads;
    size_t from = elements_before(src, threads, me, src->first);
    size_t to = elements_before(src, threads, me, src->first + src->count);
    const char *mine = fl_coll_at(call, (const void *)src->origin, me);
    struct partial partial = {.any = false};
    fold(&partial, mine + from * op->size, to - from, op);
    return partial;
}

/* A walk over indices by runs, each of which lies in one block. */
struct walk {
    uintptr_t row;  /* thread 0's block of the row */
    unsigned thread;
    size_t in_block;
    size_t left; /* elements */
};

static struct walk walk_from(const struct fl_coll_call *call, const struct fl_coll_array *array,
                             size_t size, struct range range) {
    if (array->block == 0) {
        return (struct walk){array->origin, 0, range.from, range.to - range.from};
    }
    size_t block = range.from / array->block;
    return (struct walk){array->origin + block / call->team->threads * array->block * size,
                         (unsigned)(block % call->team->threads), range.from % array->block,
                         range.to - range.from};
}

/* The length of the next run, at most `most`, its address in *run_p; 0 at the end. */
static size_t walk_on(const struct fl_coll_call *call, const struct fl_coll_array *array,
                      size_t size, struct walk *walk, size_t most, uintptr_t *run_p) {
    size_t n = min(walk->left, most);
    *run_p = walk->row + walk->thread * call->team->stride + walk->in_block * size;
    if (array->block > 0) {
        n = min(n, array->block - walk->in_block);
    }
    walk->left -= n;
    walk->in_block += n;
    if (walk->in_block == array->block && array->block > 0) {
        walk->in_block = 0;
        if (++walk->thread == call->team->threads) {
            walk->thread = 0;
            walk->row += array->block * size;
        }
    }
    return n;
}

/* Part of an index range, copied. */
struct window {
    _Alignas(max_align_t) char bytes[16 << 10];
};

/* The next elements, as many as fit: how many there are. */
static size_t fetch(const struct fl_coll_call *call, const struct fl_coll_array *array, size_t size,
                    struct walk *walk, struct window *window) {
    struct fl_comm_op op = {0};
    size_t n = 0, most = sizeof window->bytes / size;
    uintptr_t run;
    for (size_t k; (k = walk_on(call, array, size, walk, most - n, &run)) > 0; n += k) {
        fl_comm_get_nb(window->bytes + n * size, run, k * size, &op);
    }
    fl_comm_wait(&op);
    return n;
}

/* The other way round. */
static void store(const struct fl_coll_call *call, const struct fl_coll_array *array, size_t size,
                  struct walk *walk, const struct window *window, size_t n) {
    struct fl_comm_op op = {0};
    uintptr_t run;
    for (size_t k, done = 0; done < n; done += k) {
        k = walk_on(call, array, size, walk, n - done, &run);
        fl_comm_put_nb(run, window->bytes + done * size, k * size, &op);
    }
    fl_comm_wait(&op);
}

/* Which part of the index range the calling thread takes: the one that begins in its memory if the
 * blocks are as large as the parts. Which slot of the board is its part's, too. */
static unsigned part_of(const struct fl_coll_call *call, const struct fl_coll_array *array) {
    unsigned threads = call->team->threads, me = fl_coll_me(call);
    unsigned first = array->block ? (unsigned)(array->first / array->block % threads) : 0;
    return me >= first ? me - first : me + threads - first;
}

static struct range range_of(const struct fl_coll_call *call, const struct fl_coll_array *array,
                             unsigned part) {
    unsigned threads = call->team->threads;
    size_t each = array->count / threads + (array->count % threads != 0);
    size_t end = array->first + array->count;
    return (struct range){min(array->first + part * each, end),
                          min(array->first + (part + 1) * each, end)};
}

static FL_COLD struct partial reduce_range_far(const struct fl_coll_call *call,
                                               const struct fl_coll_array *src,
                                               const struct fl_coll_operator *op,
                                               struct range range) {
    struct walk walk = walk_from(call, src, op->size, range);
    struct partial partial = {.any = false};
    struct window window;
    for (size_t n; (n = fetch(call, src, op->size, &walk, &window)) > 0;) {
        fold(&partial, window.bytes, n, op);
    }
    return partial;
}

static struct partial reduce_range(const struct fl_coll_call *call,
                                   const struct fl_coll_array *src,
                                   const struct fl_coll_operator *op, struct range range) {
    if (FL_UNLIKELY(!fl_comm_here.one_host)) {
        return reduce_range_far(call, src, op, range);
    }
    struct walk walk = walk_from(call, src, op->size, range);
    struct partial partial = {.any = false};
    uintptr_t run;
    for (size_t n; (n = walk_on(call, src, op->size, &walk, SIZE_MAX, &run)) > 0;) {
        fold(&partial, (const void *)run, n, op);
    }
    return partial;
}

static FL_COLD void scan_range_far(const struct fl_coll_call *call,
                                   const struct fl_coll_array *dst,
                                   const struct fl_coll_array *src,
                                   const struct fl_coll_operator *op, struct range range,
                                   struct partial before) {
    struct walk from = walk_from(call, src, op->size, range);
    struct walk to = walk_from(call, dst, op->size, range);
    struct window window;
    for (size_t n; (n = fetch(call, src, op->size, &from, &window)) > 0;) {
        scan(&before, window.bytes, window.bytes, n, op);
        store(call, dst, op->size, &to, &window, n);
    }
}

static void scan_range(const struct fl_coll_call *call, uintptr_t dst_origin,
                       const struct fl_coll_array *src, const struct fl_coll_operator *op,
                       struct range range, struct partial before) {
    if (FL_UNLIKELY(!fl_comm_here.one_host)) {
        struct fl_coll_array dst = *src;
        dst.origin = dst_origin;
        scan_range_far(call, &dst, src, op, range, before);
        return;
    }
    struct walk walk = walk_from(call, src, op->size, range);
    uintptr_t run;
    for (size_t n; (n = walk_on(call, src, op->size, &walk, SIZE_MAX, &run)) > 0;) {
        scan(&before, (void *)(run - src->origin + dst_origin), (const void *)run, n, op);
    }
}

/* The results of all parts, in order. */
static struct partial combine(const struct fl_coll_call *call, const struct fl_coll_slot *slots,
                              const struct fl_coll_operator *op) {
    struct partial all = {.any = false};
    for (unsigned i = 0; i < call->team->threads; i++) {
        if (slots[i].used) {
            fold(&all, slots[i].bytes, 1, op);
        }
    }
    return all;
}

/* Leaves in each slot what is before its part. */
static void combine_before(const struct fl_coll_call *call, struct fl_coll_slot *slots,
                           const struct fl_coll_operator *op) {
    struct partial all = {.any = false};
    for (unsigned i = 0; i < call->team->threads; i++) {
        struct partial part = get(&slots[i]);
        put(&slots[i], &all);
        if (part.any) {
            fold(&all, part.bytes, 1, op);
        }
    }
}

static struct fl_coll_slot *meet_with_parts(const struct fl_coll_call *call,
                                            const struct fl_coll_array *src,
                                            const struct fl_coll_operator *op) {
    unsigned part = part_of(call, src);
    struct partial partial = op->ordered || src->block == 0
                                 ? reduce_range(call, src, op, range_of(call, src, part))
                                 : reduce_own(call, src, op);
    struct fl_coll_slot *slots = fl_coll_meet(call);
    put(fl_coll_write(call, slots, part), &partial);
    return slots;
}

void fl_coll_reduce(const struct fl_coll_call *call, void *dst, const struct fl_coll_array *src,
                    const struct fl_coll_operator *op) {
    fl_coll_begin(call);
    struct fl_coll_slot *slots = meet_with_parts(call, src, op);
    if (fl_coll_arrive(call)) {
        struct partial all = combine(call, slots, op);
        if (fl_comm_is_here((uint64_t)dst)) {
            memcpy(dst, all.bytes, all.any ? op->size : 0);
        }
        fl_coll_over(call);
    }
    if (call->out != FL_COLL_NONE) {
        fl_coll_await(call);
    }
    /* Within a host the meeting is over when dst is written; on others it may be so before. */
    if (call->out == FL_COLL_ALL && FL_UNLIKELY(!fl_comm_here.one_host)) {
        fl_coll_end(call);
    }
}

/* The slot behind those of the parts holds the result. */
static struct partial await_result(const struct fl_coll_call *call, struct fl_coll_slot *slots,
                                   const struct fl_coll_operator *op) {
    struct fl_coll_slot *result = &slots[call->team->threads];
    if (fl_coll_arrive(call)) {
        struct partial all = combine(call, slots, op);
        put(result, &all);
        fl_coll_over(call);
    }
    fl_coll_await(call);
    return get(result);
}

void fl_coll_reduce_all(const struct fl_coll_call *call, void *dst,
                        const struct fl_coll_array *src, const struct fl_coll_operator *op) {
    fl_coll_begin(call);
    struct partial all = await_result(call, meet_with_parts(call, src, op), op);
    memcpy(fl_coll_at(call, dst, fl_coll_me(call)), all.bytes, all.any ? op->size : 0);
    fl_coll_end(call);
}

void fl_coll_prefix_reduce(const struct fl_coll_call *call, uintptr_t dst_origin,
                           const struct fl_coll_array *src, const struct fl_coll_operator *op) {
    fl_coll_begin(call);
    unsigned part = part_of(call, src);
    struct range range = range_of(call, src, part);
    struct partial sum = reduce_range(call, src, op, range);
    struct fl_coll_slot *slots = fl_coll_meet(call);
    put(fl_coll_write(call, slots, part), &sum);
    if (fl_coll_arrive(call)) {
        combine_before(call, slots, op);
        fl_coll_over(call);
    }
    fl_coll_await(call);
    scan_range(call, dst_origin, src, op, range, get(&slots[part]));
    fl_coll_end(call);
}

void fl_coll_value_reduce(const struct fl_coll_call *call, void *value,
                          const struct fl_coll_operator *op, bool want) {
    struct fl_coll_slot *slots = fl_coll_meet(call);
    struct fl_coll_slot *mine = fl_coll_write(call, slots, fl_coll_me(call));
    memcpy(mine->bytes, value, op->size);
    mine->used = true;
    if (fl_coll_arrive(call)) {
        struct partial all = combine(call, slots, op);
        put(&slots[call->team->threads], &all);
        fl_coll_over(call);
    }
    if (want) {
        fl_coll_await(call);
        memcpy(value, slots[call->team->threads].bytes, op->size);
    }
}

void fl_coll_value_prefix_reduce(const struct fl_coll_call *call, void *value,
                                 const struct fl_coll_operator *op) {
    struct fl_coll_slot *slots = fl_coll_meet(call);
    struct fl_coll_slot *mine = fl_coll_write(call, slots, fl_coll_me(call));
    memcpy(mine->bytes, value, op->size);
    mine->used = true;
    if (fl_coll_arrive(call)) {
        combine_before(call, slots, op);
        fl_coll_over(call);
    }
    fl_coll_await(call);
    struct partial all = get(mine);
    fold(&all, value, 1, op);
    memcpy(value, all.bytes, op->size);
}
