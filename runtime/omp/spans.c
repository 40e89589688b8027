/* SPDX-License-Identifier: BSD-3-Clause */
/* See spans.h. */
#include "omp/spans.h"

#include "core/assert.h"
#include "core/fatal.h"
#include "omp/program.h"

#include <stdlib.h>
#include <string.h>

/* The fork's message. It is copied, so addresses in it are only of coherent memory. */
struct message {
    struct fl_omp_region region;
    struct fl_omp_loop fused; /* without a schedule: none */
    struct fl_omp_icvs icvs;  /* of the task that begins the region */
    unsigned n;
};
_Static_assert(sizeof(struct message) <= FL_OMP_FAR_MESSAGE, "far.h lets so much be sent");

bool fl_omp_spans(const struct fl_omp_member *outer, const struct fl_omp_region *region,
                  unsigned n) {
    return outer->team->level == 0 && outer->team->initial && fl_omp_far.me == 0 && !region->here &&
           n >= fl_omp_far.hosts;
}

unsigned fl_omp_span_part(unsigned n, unsigned *first_p) {
    unsigned hosts = fl_omp_far.hosts, me = fl_omp_far.me, each = n / hosts, rest = n % hosts;
    fl_assert(me < hosts);
    *first_p = each * me + (me < rest ? me : rest);
    return each + (me < rest);
}

void fl_omp_span_fork(const struct fl_omp_region *region, unsigned n,
                      const struct fl_omp_icvs *icvs) {
    struct message message = {.region = *region, .icvs = *icvs, .n = n};
    if (region->fused) {
        message.fused = *region->fused;
    }
    fl_omp_far_fork(&message, sizeof message);
}

void fl_omp_part(const void *bytes, size_t size) {
    struct message message = *(const struct message *)bytes;
    (void)size;
    message.region.fused = message.fused.schedule ? &message.fused : NULL;
    fl_omp_region_part(&message.region, message.n, &message.icvs);
    fl_omp_far_join();
}

/* Ordered loops take one chunk at a time: other hosts wait for each. Guided loops take at least
 * about as much as the next piece has. */
bool fl_omp_span_take(const struct fl_omp_member *me, uint64_t *from, uint64_t *to) {
    const struct fl_omp_loop *loop = &me->loop;
    enum { BATCHES = 4 }; /* of each host, if all that is left were divided at once */
    struct fl_omp_far_take want = {.number = loop->number, .total = loop->count, .chunk = loop->chunk};
    uint64_t parts = (uint64_t)fl_omp_far.hosts * BATCHES;
    if (loop->schedule == FL_OMP_GUIDED && parts > me->size) {
        parts = me->size;
    }
    want.parts = loop->ordered ? UINT64_MAX : parts;
    uint64_t n;
    if (!fl_omp_far_take(&want, from, &n)) {
        return false;
    }
    *to = *from + n;
    fl_assert(n > 0 && *to <= loop->count);
    return true;
}

void *fl_omp_span_zeros(const struct fl_omp_member *me, unsigned use, size_t bytes) {
    uint64_t index = UINT64_MAX - use; /* not one of doacross.c */
    if (fl_omp_far.me > 0) {
        return (void *)fl_omp_far_await(fl_omp_span_number(me), index, 1);
    }
    void *zeros = FL_ALLOCATED(fl_omp_far_alloc(bytes ? bytes : 1, FL_CACHE_LINE),
                               "a worksharing construct: %zu bytes", bytes);
    memset(zeros, 0, bytes);
    fl_omp_far_post(fl_omp_span_number(me), index, (uint64_t)(uintptr_t)zeros);
    return zeros;
}

void *fl_omp_program_memory(size_t bytes, size_t align) {
    return fl_omp_spread() ? fl_omp_far_alloc(bytes, align)
                           : aligned_alloc(align, fl_round_up(bytes, align));
}
