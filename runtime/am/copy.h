/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a payload is copied to where another process reads it. Knows nothing of messages.
 *
 * Which way is the fastest differs between processors, and with the distance of the two that take part,
 * which changes: virtual machines are moved while they run. So all ways are timed now and then, by the
 * writer's clock.
 *
 * Ascending is best where the reader's cache is near or answers many requests at a time (Zen 5; 4 KiB
 * there and back 0.27 us, or 1.1 between distant cores). Elsewhere prefetchers fetch the lines ahead of
 * ascending stores for reading, out of the reader's cache, and each is then asked for a second time to be
 * written: descending has none of that (Zen 4: 0.4 us instead of 0.8). Where asking for the reader's
 * lines costs more than memory, streaming stores go around the caches (16 KiB between distant cores of a
 * Zen 4: 8 us, 2.1 streaming; of a Zen 5: 1.7, and 2.3).
 */
#ifndef FL_AM_COPY_H
#define FL_AM_COPY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum fl_am_copy_policy { FL_AM_COPY_MEASURED, FL_AM_COPY_CACHED, FL_AM_COPY_STREAMING };

enum fl_am_copy_way {
    FL_AM_COPY_ASCENDING,
    FL_AM_COPY_DESCENDING,
    FL_AM_COPY_AROUND, /* the caches */
    FL_AM_COPY_WAYS
};

/* A process's; starts as zeros. */
struct fl_am_copy {
    enum fl_am_copy_policy policy;
    /* Relaxed, both: threads may count or measure twice, and any answer is right. */
    _Atomic uint32_t turn;
    _Atomic uint32_t line_cost[FL_AM_COPY_WAYS]; /* mean of trials, in 1/256 ns; 0: no trial yet */
};

/* What `to` held is lost, `from` overlaps it nowhere. The caller publishes the bytes by a release. */
void fl_am_copy(struct fl_am_copy *copy, void *to, const void *from, uint64_t bytes);

#endif
