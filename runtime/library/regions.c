/* SPDX-License-Identifier: BSD-3-Clause */
/* See regions.h. */
#include "library/regions.h"

#include "core/fatal.h"
#include "library/far.h"
#include "library/nb.h"
#include "upc/trace.h"

#include <stdlib.h>

/* One of the two words of a bupc_smemvec_t or bupc_pmemvec_t, or one pointer of a list. */
static inline uint64_t word_of(const void *list, size_t i) {
    uint64_t word;
    memcpy(&word, (const char *)list + i * sizeof word, sizeof word);
    return word;
}

/* The digits of i, in the mixed radix of count[2] and up, choose the run. Distances may be negative
 * numbers converted to size_t: addresses wrap around. */
static inline struct region_run run_of_section(const struct regions *regions, size_t i) {
    size_t levels = regions->levels;
    struct region_run run = {regions->base, regions->count[0], 0, 1};
    if (levels >= 1) {
        run.stride = regions->strides[0];
        run.count = regions->count[1];
    }
    for (size_t level = 2; level < levels; level++) {
        run.at += i % regions->count[level] * regions->strides[level - 1];
        i /= regions->count[level];
    }
    if (levels >= 2) {
        run.at += i * regions->strides[levels - 1]; /* the last digit: no division */
    }
    return run;
}

static inline struct region_run run_of(const struct regions *regions, size_t i) {
    switch (regions->form) {
    case REGION_VLIST:
        return (struct region_run){word_of(regions->list, 2 * i) & regions->address_bits,
                                   word_of(regions->list, 2 * i + 1), 0, 1};
    case REGION_ILIST:
        return (struct region_run){word_of(regions->list, i) & regions->address_bits, regions->len,
                                   0, 1};
    case REGION_STRIDED:
        break;
    }
    return run_of_section(regions, i);
}

static uint64_t bits_of(enum region_pointers pointers) {
    return pointers == REGION_SHARED ? upcr_address(UINT64_MAX) : UINT64_MAX;
}

struct regions region_vlist(enum region_pointers pointers, size_t n, const void *list) {
    return (struct regions){
        .form = REGION_VLIST, .runs = n, .address_bits = bits_of(pointers), .list = list};
}

struct regions region_ilist(enum region_pointers pointers, size_t n, const void *list, size_t len) {
    return (struct regions){.form = REGION_ILIST,
                            .runs = n,
                            .address_bits = bits_of(pointers),
                            .list = list,
                            .len = len};
}

struct regions region_strided(enum region_pointers pointers, uint64_t base, const size_t *strides,
                              const size_t *count, size_t levels) {
    size_t runs = 1;
    for (size_t level = 2; level <= levels; level++) {
        runs *= count[level];
    }
    return (struct regions){.form = REGION_STRIDED,
                            .runs = runs,
                            .base = base & bits_of(pointers),
                            .strides = strides,
                            .count = count,
                            .levels = levels};
}

/* A position in regions: the rest of the current chunk, of its run, and of the runs. */
struct walk {
    const struct regions *regions;
    struct region_run run;
    uint64_t at;
    size_t left;
    size_t next_run;
};

/* Advances to the next chunk that is not empty; false at the end. Inlined, so that a walk stays in
 * registers: copies of lists of small regions spend their time here. */
static inline __attribute__((always_inline)) bool next_chunk(struct walk *walk) {
    while (walk->run.count == 0) {
        if (walk->next_run == walk->regions->runs) {
            return false;
        }
        walk->run = run_of(walk->regions, walk->next_run++);
        if (walk->run.len == 0) {
            walk->run.count = 0;
        } else if (walk->run.stride == walk->run.len && walk->run.count > 0) {
            walk->run.len *= walk->run.count; /* one piece of memory */
            walk->run.count = 1;
        }
    }
    walk->at = walk->run.at;
    walk->left = walk->run.len;
    walk->run.at += walk->run.stride;
    walk->run.count--;
    return true;
}

/* Whether pieces of n bytes are whole chunks of the run; else they are parts of what is left of the
 * current chunk. */
static bool takes_chunks(const struct walk *walk, size_t n) {
    return walk->left == n && walk->run.len == n;
}

/* The distance between the beginnings of pieces of n bytes. */
static size_t step(const struct walk *walk, size_t n) {
    return takes_chunks(walk, n) ? walk->run.stride : n;
}

/* How many pieces of n bytes come next, each a step after the one before; at most `limit`. Divides
 * only if necessary: lists of small regions have one piece each time. */
static size_t pieces_of(const struct walk *walk, size_t n, size_t limit) {
    if (limit == 1) {
        return 1;
    }
    size_t here = takes_chunks(walk, n) ? walk->run.count + 1 : walk->left / n;
    return here < limit ? here : limit;
}

static void advance(struct walk *walk, size_t n, size_t pieces) {
    if (takes_chunks(walk, n)) {
        walk->run.at += walk->run.stride * (pieces - 1);
        walk->run.count -= pieces - 1;
        walk->left = 0;
    } else {
        walk->at += n * pieces;
        walk->left -= n * pieces;
    }
}

/* Inlined, so that a constant n makes it a loop of loads and stores. */
static inline __attribute__((always_inline)) void
copy_pieces(uint64_t to, size_t to_step, uint64_t from, size_t from_step, size_t n, size_t pieces) {
    for (size_t i = 0; i < pieces; i++) {
        memmove((void *)to, (const void *)from, n);
        to += to_step;
        from += from_step;
    }
}

static void copy_far(struct far_batch *batch, uint64_t to, uint64_t from, size_t n) {
    if (!is_far(from)) {
        far_add(batch, true, to, (void *)from, n);
    } else if (!is_far(to)) {
        far_add(batch, false, from, (void *)to, n);
    } else {
        fl_comm_copy_nb(to, from, n, batch->op);
    }
}

/* The sides may be divided differently, but usually both have equal chunks, or one has chunks and
 * the other one piece of memory: one loop copies as many equal pieces as both have next. */
static void copy(const struct regions *dst, const struct regions *src, struct fl_comm_op *op) {
    struct walk to = {.regions = dst}, from = {.regions = src};
    struct far_batch batch;
    bool one_host = fl_comm_here.one_host;
    far_begin(&batch, op);
    while ((to.left || next_chunk(&to)) && (from.left || next_chunk(&from))) {
        size_t n = to.left < from.left ? to.left : from.left;
        size_t pieces = to.left == n ? pieces_of(&from, n, pieces_of(&to, n, SIZE_MAX))
                                     : pieces_of(&to, n, pieces_of(&from, n, SIZE_MAX));
        size_t to_step = step(&to, n), from_step = step(&from, n);
        if (!one_host && (is_far(to.at) || is_far(from.at))) {
            for (size_t i = 0; i < pieces; i++) {
                copy_far(&batch, to.at + i * to_step, from.at + i * from_step, n);
            }
        } else if (n == sizeof(uint32_t)) {
            copy_pieces(to.at, to_step, from.at, from_step, sizeof(uint32_t), pieces);
        } else if (n == sizeof(uint64_t)) {
            copy_pieces(to.at, to_step, from.at, from_step, sizeof(uint64_t), pieces);
        } else {
            copy_pieces(to.at, to_step, from.at, from_step, n, pieces);
        }
        advance(&to, n, pieces);
        advance(&from, n, pieces);
    }
    far_end(&batch);
}

struct interval {
    uint64_t begin, end;
};

static size_t bytes_of(const struct regions *regions, size_t *chunks) {
    struct walk walk = {.regions = regions};
    size_t bytes = 0;
    *chunks = 0;
    while (next_chunk(&walk)) {
        bytes += walk.left;
        ++*chunks;
    }
    return bytes;
}

static int by_begin(const void *a, const void *b) {
    const struct interval *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Whether [begin, end) meets one of the sorted intervals. */
static bool meets(const struct interval *sorted, size_t n, uint64_t begin, uint64_t end) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle].end <= begin) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < n && sorted[low].begin < end;
}

/* `sorted` has room for the destination's chunks. */
static void check_overlap(const char *what, const struct regions *dst, const struct regions *src,
                          struct interval *sorted) {
    size_t n = 0;
    for (struct walk to = {.regions = dst}; next_chunk(&to);) {
        sorted[n++] = (struct interval){to.at, to.at + to.left};
    }
    qsort(sorted, n, sizeof *sorted, by_begin);
    for (size_t i = 1; i < n; i++) {
        if (sorted[i].begin < sorted[i - 1].end) {
            fl_fatal(FL_CODE_REGIONS, "%s: two regions of the destination overlap", what);
        }
    }
    for (struct walk from = {.regions = src}; next_chunk(&from);) {
        if (meets(sorted, n, from.at, from.at + from.left)) {
            fl_fatal(FL_CODE_REGIONS, "%s: a region of the source overlaps one of the destination",
                     what);
        }
    }
}

static FL_COLD void check(const char *what, const struct regions *dst, const struct regions *src) {
    size_t chunks, src_chunks;
    size_t bytes = bytes_of(dst, &chunks), src_bytes = bytes_of(src, &src_chunks);
    if (bytes != src_bytes) {
        fl_fatal(FL_CODE_REGIONS,
                 "%s: the destination has %zu bytes, the source %zu; both must have the same number",
                 what, bytes, src_bytes);
    }
    struct interval *sorted = malloc((chunks + 1) * sizeof *sorted);
    if (sorted) {
        check_overlap(what, dst, src, sorted);
        free(sorted);
    }
}

/* Counts the bytes of this host too: a list may have regions on many hosts. */
static void trace(uint64_t since, const char *what, const struct regions *dst) {
    size_t chunks;
    upc_trace_end_call_at(since, "copy", what, 0, since ? bytes_of(dst, &chunks) : 0);
}

void region_copy(const char *what, struct regions dst, struct regions src) {
    struct fl_comm_op op = {0};
    if (FL_UNLIKELY(upc_process.check)) {
        check(what, &dst, &src);
    }
    if (fl_comm_here.one_host) {
        copy(&dst, &src, &op);
        return;
    }
    uint64_t since = upc_trace_begin();
    copy(&dst, &src, &op);
    fl_comm_wait(&op);
    trace(since, what, &dst);
}

upc_handle_t region_copy_nb(enum nb_call call, struct regions dst, struct regions src) {
    struct nb_start start;
    if (fl_comm_here.one_host) {
        region_copy(nb_call_name(call), dst, src);
        return nb_over(call);
    }
    if (FL_UNLIKELY(upc_process.check)) {
        check(nb_call_name(call), &dst, &src);
    }
    uint64_t since = upc_trace_begin();
    nb_begin(&start, call);
    copy(&dst, &src, start.op);
    upc_handle_t handle = nb_begun(&start);
    trace(since, nb_call_name(call), &dst);
    return handle;
}
