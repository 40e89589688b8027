/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See reduce.h. The last member to arrive reduces everything (last); or each member reduces a part
 * of the array, and the parts' results, left in cells, are combined in order: by each member that
 * needs the result (post), or by the last to arrive for all (meet).
 *
 * Where operands may change places a member's part is what it has affinity to: the blocks of one
 * thread lie one after another in its memory, so that is one run. Otherwise, and in an array in one
 * piece, the parts are ranges of indices.
 */
#include "coll/reduce.h"

#include "coll/between.h"
#include "coll/choose.h"
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

static void put(struct fl_coll_cell *cell, const struct partial *partial) {
    memcpy(cell->bytes, partial->bytes, sizeof partial->bytes);
    cell->used = partial->any;
}

static struct partial get(const struct fl_coll_cell *cell) {
    struct partial partial;
    memcpy(partial.bytes, cell->bytes, sizeof partial.bytes);
    partial.any = cell->used;
    return partial;
}

static void add(struct partial *partial, const struct partial *with,
                const struct fl_coll_operator *op) {
    if (with->any) {
        fold(partial, with->bytes, 1, op);
    }
}

/* Elements before index i that a member has. */
static size_t elements_before(const struct fl_coll_array *array, unsigned members, unsigned rank,
                              size_t i) {
    size_t row = array->block * members;
    size_t in_row = i % row, skipped = rank * array->block;
    return i / row * array->block +
           (in_row < skipped ? 0 : min(in_row - skipped, array->block));
}

static struct partial reduce_own(const struct fl_coll_call *call, const struct fl_coll_array *src,
                                 const struct fl_coll_operator *op) {
    unsigned me = fl_coll_me(call), members = call->team->members;
    size_t from = elements_before(src, members, me, src->first);
    size_t to = elements_before(src, members, me, src->first + src->count);
    const char *mine = fl_coll_at(call, (const void *)src->origin, me);
    struct partial partial = {.any = false};
    fold(&partial, mine + from * op->size, to - from, op);
    return partial;
}

/* A walk over indices by runs, each of which lies in one block. */
struct walk {
    uintptr_t row;  /* thread 0's block of the row */
    unsigned rank;
    size_t in_block;
    size_t left; /* elements */
};

static struct walk walk_from(const struct fl_coll_call *call, const struct fl_coll_array *array,
                             size_t size, struct range range) {
    if (array->block == 0) {
        return (struct walk){array->origin, 0, range.from, range.to - range.from};
    }
    size_t block = range.from / array->block;
    return (struct walk){array->origin + block / call->team->members * array->block * size,
                         (unsigned)(block % call->team->members), range.from % array->block,
                         range.to - range.from};
}

/* The length of the next run, at most `most`, its address in *run_p; 0 at the end. */
static size_t walk_on(const struct fl_coll_call *call, const struct fl_coll_array *array,
                      size_t size, struct walk *walk, size_t most, uintptr_t *run_p) {
    size_t n = min(walk->left, most);
    *run_p = walk->row + walk->in_block * size;
    if (array->block > 0) {
        *run_p = (uintptr_t)fl_coll_at(call, (const void *)*run_p, walk->rank);
        n = min(n, array->block - walk->in_block);
    }
    walk->left -= n;
    walk->in_block += n;
    if (walk->in_block == array->block && array->block > 0) {
        walk->in_block = 0;
        if (++walk->rank == call->team->members) {
            walk->rank = 0;
            walk->row += array->block * size;
        }
    }
    return n;
}

/* Part of an index range, copied. */
struct window {
    _Alignas(max_align_t) char bytes[16 << 10];
};

/* Copies the next elements into the window, as many as fit; returns how many. */
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

/* Copies the window's elements to the next places. */
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

/* The member that takes the first part of the index range; the others follow in order. So each part
 * begins in its member's memory if the blocks are as large as the parts. */
static unsigned first_rank(const struct fl_coll_call *call, const struct fl_coll_array *array) {
    return array->block ? (unsigned)(array->first / array->block % call->team->members) : 0;
}

static unsigned own_part(const struct fl_coll_call *call, const struct fl_coll_array *array) {
    unsigned first = first_rank(call, array), me = fl_coll_me(call);
    return me >= first ? me - first : me + call->team->members - first;
}

static size_t part_size(const struct fl_coll_call *call, const struct fl_coll_array *array) {
    unsigned members = call->team->members;
    return array->count / members + (array->count % members != 0);
}

static struct range range_of(const struct fl_coll_call *call, const struct fl_coll_array *array,
                             unsigned part) {
    size_t each = part_size(call, array);
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

/* Where the results of a range of src go. */
static struct walk walk_results(const struct fl_coll_call *call, const struct fl_coll_array *dst,
                                const struct fl_coll_array *src, size_t size, struct range range) {
    return walk_from(call, dst, size, (struct range){range.from - src->first + dst->first,
                                                     range.to - src->first + dst->first});
}

static FL_COLD void scan_range_far(const struct fl_coll_call *call,
                                   const struct fl_coll_array *dst,
                                   const struct fl_coll_array *src,
                                   const struct fl_coll_operator *op, struct range range,
                                   struct partial before) {
    struct walk from = walk_from(call, src, op->size, range);
    struct walk to = walk_results(call, dst, src, op->size, range);
    struct window window;
    for (size_t n; (n = fetch(call, src, op->size, &from, &window)) > 0;) {
        scan(&before, window.bytes, window.bytes, n, op);
        store(call, dst, op->size, &to, &window, n);
    }
}

static void scan_range(const struct fl_coll_call *call, const struct fl_coll_array *dst,
                       const struct fl_coll_array *src, const struct fl_coll_operator *op,
                       struct range range, struct partial before) {
    if (FL_UNLIKELY(!fl_comm_here.one_host)) {
        scan_range_far(call, dst, src, op, range, before);
        return;
    }
    struct walk from = walk_from(call, src, op->size, range);
    struct walk to = walk_results(call, dst, src, op->size, range);
    uintptr_t run, result;
    for (size_t n; (n = walk_on(call, src, op->size, &from, SIZE_MAX, &run)) > 0;) {
        for (size_t k, done = 0; done < n; done += k) {
            k = walk_on(call, dst, op->size, &to, n - done, &result);
            scan(&before, (void *)result, (const void *)(run + done * op->size), k, op);
        }
    }
}

/* Parts are ranges of indices, not what each member has. */
static bool by_ranges(const struct fl_coll_array *src, const struct fl_coll_operator *op) {
    return op->ordered || src->block == 0;
}

static struct partial reduce_part(const struct fl_coll_call *call, const struct fl_coll_array *src,
                                  const struct fl_coll_operator *op) {
    return by_ranges(src, op)
               ? reduce_range(call, src, op, range_of(call, src, own_part(call, src)))
               : reduce_own(call, src, op);
}

static struct partial reduce_whole(const struct fl_coll_call *call,
                                   const struct fl_coll_array *src,
                                   const struct fl_coll_operator *op) {
    return reduce_range(call, src, op, (struct range){src->first, src->first + src->count});
}

/* Combines the results of the first `parts` parts, in order, as they arrive. */
static struct partial collect(const struct fl_coll_call *call, unsigned first, unsigned parts,
                              const struct fl_coll_operator *op) {
    struct partial all = {.any = false};
    for (unsigned i = 0, rank = first; i < parts; i++, rank = fl_coll_next(call->team, rank)) {
        struct partial part = get(fl_coll_take(call, rank));
        add(&all, &part, op);
    }
    return all;
}

/* The same for the last member to arrive, to which all have left theirs. */
static struct partial combine(const struct fl_coll_call *call, unsigned first,
                              const struct fl_coll_operator *op) {
    struct partial all = {.any = false};
    for (unsigned i = 0, rank = first; i < call->team->members;
         i++, rank = fl_coll_next(call->team, rank)) {
        struct partial part = get(fl_coll_cell(call, rank));
        add(&all, &part, op);
    }
    return all;
}

/* Leaves in each cell the reduction of the parts before its own. */
static void combine_before(const struct fl_coll_call *call, unsigned first,
                           const struct fl_coll_operator *op) {
    struct partial all = {.any = false};
    for (unsigned i = 0, rank = first; i < call->team->members;
         i++, rank = fl_coll_next(call->team, rank)) {
        struct fl_coll_cell *cell = fl_coll_cell(call, rank);
        struct partial part = get(cell);
        put(cell, &all);
        add(&all, &part, op);
    }
}

/* Whether each part is all in its member's memory: then no other member reads it. */
static bool parts_are_own(const struct fl_coll_call *call, const struct fl_coll_array *src) {
    return src->block > 0 && src->first % src->block == 0 && part_size(call, src) == src->block;
}

static bool same_layout(const struct fl_coll_array *a, const struct fl_coll_array *b) {
    return a->block == b->block && a->first == b->first;
}

/* If members read each other's memory, each of them waits for all. */
static void share_memory(struct fl_coll_call *call, bool shared) {
    if (shared) {
        call->in = call->in == FL_COLL_MINE ? FL_COLL_ALL : call->in;
        call->out = call->out == FL_COLL_MINE ? FL_COLL_ALL : call->out;
    }
}

static void begin(struct fl_coll_call *call) {
    if (call->in == FL_COLL_ALL) {
        fl_coll_barrier(call);
    }
    fl_coll_step(call);
}

static void end(struct fl_coll_call *call) {
    if (call->out == FL_COLL_ALL) {
        fl_coll_barrier(call);
    }
}

/* Ends a turn at which the last to arrive has done everything. */
static void await_turn(const struct fl_coll_call *call) {
    if (call->out != FL_COLL_NONE) {
        fl_coll_await_over(call);
    }
}

/* Posts the caller's part for one reader or for FL_COLL_EVERYBODY. */
static void leave(const struct fl_coll_call *call, const struct partial *partial,
                  unsigned reader) {
    put(fl_coll_cell(call, fl_coll_me(call)), partial);
    fl_coll_post_together(call, sizeof partial->bytes, 0, reader);
}

static void store_result(void *dst, const struct partial *all, const struct fl_coll_operator *op) {
    memcpy(dst, all->bytes, all->any ? op->size : 0);
}

static void store_results(const struct fl_coll_call *call, void *dst, const struct partial *all,
                          const struct fl_coll_operator *op) {
    for (unsigned rank = 0; rank < call->team->members; rank++) {
        store_result(fl_coll_at(call, dst, rank), all, op);
    }
}

void fl_coll_reduce(struct fl_coll_call *call, void *dst, const struct fl_coll_array *src,
                    const struct fl_coll_operator *op) {
    enum fl_coll_algorithm way = fl_coll_choice(call, FL_COLL_REDUCE, src->count * op->size);
    if (way == FL_COLL_BY_LAST) {
        fl_coll_step(call);
        if (fl_coll_arrive(call)) {
            struct partial all = reduce_whole(call, src, op);
            store_result(dst, &all, op);
            fl_coll_over(call);
        }
        await_turn(call);
        return;
    }
    share_memory(call, by_ranges(src, op));
    begin(call);
    struct partial partial = reduce_part(call, src, op);
    unsigned first = first_rank(call, src);
    if (way == FL_COLL_BY_MEET && fl_coll_one_host(call->team)) {
        put(fl_coll_fill(call, fl_coll_me(call)), &partial);
        if (fl_coll_arrive(call)) {
            struct partial all = combine(call, first, op);
            store_result(dst, &all, op);
            fl_coll_over(call);
        }
        await_turn(call);
        return;
    }
    unsigned reader = fl_coll_rank_of(call->team, dst);
    leave(call, &partial, reader);
    if (fl_coll_me(call) == reader) {
        struct partial all = collect(call, first, call->team->members, op);
        store_result(dst, &all, op);
    }
    end(call);
}

/* Combines the results of all parts at a turn; the last member to arrive does so, and stores the
 * result for all if dst_of_all is not null. */
static struct partial meet(const struct fl_coll_call *call, const struct partial *mine,
                           unsigned first, const struct fl_coll_operator *op, void *dst_of_all,
                           bool gets) {
    struct fl_coll_result *result = fl_coll_result(call);
    struct partial all = {.any = false};
    put(fl_coll_fill(call, fl_coll_me(call)), mine);
    if (fl_coll_arrive(call)) {
        all = combine(call, first, op);
        memcpy(result->bytes, all.bytes, sizeof all.bytes);
        result->used = all.any;
        if (dst_of_all) {
            store_results(call, dst_of_all, &all, op);
        }
        fl_coll_over(call);
    } else if (gets) {
        fl_coll_await_over(call);
        memcpy(all.bytes, result->bytes, sizeof all.bytes);
        all.any = result->used;
    }
    return all;
}

void fl_coll_reduce_all(struct fl_coll_call *call, void *dst, const struct fl_coll_array *src,
                        const struct fl_coll_operator *op) {
    enum fl_coll_algorithm way = fl_coll_choice(call, FL_COLL_REDUCE_ALL, src->count * op->size);
    if (way == FL_COLL_BY_LAST) {
        fl_coll_step(call);
        if (fl_coll_arrive(call)) {
            struct partial all = reduce_whole(call, src, op);
            store_results(call, dst, &all, op);
            fl_coll_over(call);
        }
        await_turn(call);
        return;
    }
    share_memory(call, by_ranges(src, op));
    begin(call);
    struct partial partial = reduce_part(call, src, op), all;
    unsigned first = first_rank(call, src);
    if (way == FL_COLL_BY_MEET) {
        bool for_all = call->out == FL_COLL_ALL && fl_coll_one_host(call->team);
        all = meet(call, &partial, first, op, for_all ? dst : NULL, true);
        if (for_all) {
            return;
        }
    } else {
        leave(call, &partial, FL_COLL_EVERYBODY);
        all = collect(call, first, call->team->members, op);
    }
    store_result(fl_coll_at(call, dst, fl_coll_me(call)), &all, op);
    end(call);
}

/* What is before the caller's part. */
static struct partial before_own(const struct fl_coll_call *call, const struct partial *mine,
                                 unsigned first, unsigned part, const struct fl_coll_operator *op,
                                 enum fl_coll_algorithm way) {
    if (way == FL_COLL_BY_POST) {
        leave(call, mine, FL_COLL_EVERYBODY);
        return collect(call, first, part, op);
    }
    put(fl_coll_fill(call, fl_coll_me(call)), mine);
    if (fl_coll_arrive(call)) {
        combine_before(call, first, op);
        fl_coll_over(call);
    } else {
        fl_coll_await_over(call);
    }
    return get(fl_coll_cell(call, fl_coll_me(call)));
}

void fl_coll_prefix_reduce(struct fl_coll_call *call, const struct fl_coll_array *dst,
                           const struct fl_coll_array *src, const struct fl_coll_operator *op) {
    enum fl_coll_algorithm way =
        fl_coll_choice(call, FL_COLL_PREFIX_REDUCE, src->count * op->size);
    if (way == FL_COLL_BY_LAST) {
        fl_coll_step(call);
        if (fl_coll_arrive(call)) {
            scan_range(call, dst, src, op,
                       (struct range){src->first, src->first + src->count},
                       (struct partial){.any = false});
            fl_coll_over(call);
        }
        await_turn(call);
        return;
    }
    share_memory(call, !parts_are_own(call, src) || !same_layout(dst, src));
    begin(call);
    unsigned part = own_part(call, src);
    struct range range = range_of(call, src, part);
    struct partial sum = reduce_range(call, src, op, range);
    struct partial before = before_own(call, &sum, first_rank(call, src), part, op, way);
    scan_range(call, dst, src, op, range, before);
    end(call);
}

static struct partial partial_of(const void *value, const struct fl_coll_operator *op) {
    struct partial partial = {.any = true};
    memcpy(partial.bytes, value, op->size);
    return partial;
}

void fl_coll_value_reduce(struct fl_coll_call *call, void *value,
                          const struct fl_coll_operator *op, bool wanted_by_all, unsigned root) {
    struct partial mine = partial_of(value, op), all;
    bool gets = wanted_by_all || fl_coll_me(call) == root;
    fl_coll_step(call);
    if (fl_coll_choice(call, wanted_by_all ? FL_COLL_REDUCE_ALL : FL_COLL_REDUCE, op->size) !=
        FL_COLL_BY_POST) {
        all = meet(call, &mine, 0, op, NULL, gets);
    } else {
        leave(call, &mine, wanted_by_all ? FL_COLL_EVERYBODY : root);
        all = gets ? collect(call, 0, call->team->members, op) : mine;
    }
    memcpy(value, all.bytes, gets ? op->size : 0);
}

void fl_coll_value_prefix_reduce(struct fl_coll_call *call, void *value,
                                 const struct fl_coll_operator *op) {
    struct partial mine = partial_of(value, op);
    fl_coll_step(call);
    struct partial all =
        before_own(call, &mine, 0, fl_coll_me(call), op,
                   fl_coll_choice(call, FL_COLL_PREFIX_REDUCE, op->size));
    add(&all, &mine, op);
    memcpy(value, all.bytes, op->size);
}
