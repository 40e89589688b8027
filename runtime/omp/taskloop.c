/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops whose iterations are divided among tasks. OpenMP 5.1 §2.12.2. Arithmetic is modulo 2^64;
 * compiled code reads a task's first and last iteration from the first words of its data.
 */
#include "omp/eager.h"

#include "core/assert.h"

static uint64_t count(const struct fl_omp_pieces *loop, bool up, bool is_signed) {
    uint64_t start = loop->start, end = loop->end;
    bool empty = is_signed ? (up ? (int64_t)start >= (int64_t)end : (int64_t)start <= (int64_t)end)
                           : (up ? start >= end : start <= end);
    if (empty) {
        return 0;
    }
    uint64_t span = up ? end - start : start - end;
    uint64_t step = up ? loop->step : -loop->step;
    return (span - 1) / step + 1;
}

void fl_omp_taskloop_divide(struct fl_omp_pieces *loop, uint64_t n, unsigned flags, uint64_t asked,
                            unsigned threads) {
    if (asked && (flags & FL_OMP_TASK_GRAINSIZE) && (flags & FL_OMP_TASK_STRICT)) {
        loop->n = (n - 1) / asked + 1;
        loop->length = asked;
        return;
    }
    uint64_t tasks = asked ? asked : threads;
    if (flags & FL_OMP_TASK_GRAINSIZE) {
        tasks = asked ? n / asked : threads;
    }
    loop->n = tasks == 0 ? 1 : tasks > n ? n : tasks;
    loop->length = n / loop->n;
    loop->longer = n % loop->n;
    fl_assert(loop->length > 0 && loop->n * loop->length + loop->longer == n);
}

struct fl_omp_pieces fl_omp_taskloop_part(const struct fl_omp_pieces *loop, uint64_t from,
                                          uint64_t to) {
    fl_assert(from <= to && to <= loop->n);
    uint64_t longer = loop->longer;
    uint64_t before = from * loop->length + (from < longer ? from : longer);
    struct fl_omp_pieces pieces = {
        .start = loop->start + before * loop->step,
        .end = loop->end, /* which multiples of the step may pass, even past 2^64 */
        .step = loop->step,
        .n = to - from,
        .length = loop->length,
        .longer = from < longer ? (to < longer ? to : longer) - from : 0,
    };
    if (to < loop->n) {
        pieces.end = pieces.start + (pieces.n * loop->length + pieces.longer) * loop->step;
    }
    return pieces;
}

static void taskloop(struct fl_omp_task_spec *spec, uint64_t asked, struct fl_omp_pieces loop,
                     bool is_signed) {
    struct fl_omp_member *me = fl_omp_self();
    uintptr_t *reductions =
        spec->flags & FL_OMP_TASK_REDUCTION ? ((uintptr_t **)spec->data)[2] : NULL;
    uint64_t n = count(&loop, spec->flags & FL_OMP_TASK_UP, is_signed);
    if (n == 0) {
        if (reductions) {
            reductions[2] = 0; /* there is nothing to combine */
        }
        return;
    }
    uint64_t begun = fl_os_now_ns();
    bool grouped = !(spec->flags & FL_OMP_TASK_NOGROUP);
    struct fl_omp_group group;
    if (grouped) {
        fl_omp_group_begin(me, &group);
    }
    if (reductions) {
        fl_omp_reductions_register(me, reductions);
    }
    fl_omp_taskloop_divide(&loop, n, spec->flags, asked, me->team->size);
    uint64_t ns = fl_omp_task_make_pieces(me, spec, spec->flags & FL_OMP_TASK_IF, &loop);
    if (grouped) {
        fl_omp_group_end(me, &group);
    }
    if (ns < UINT64_MAX) {
        fl_omp_eager_loop_took(me, spec->body, fl_os_now_ns() - begun, ns);
    }
}

static struct fl_omp_task_spec spec_of(void (*body)(void *), void *data,
                                       void (*copy)(void *, void *), long size, long align,
                                       unsigned flags, int priority) {
    return (struct fl_omp_task_spec){.body = body,
                                     .data = data,
                                     .copy = copy,
                                     .size = (size_t)size,
                                     .align = (size_t)align,
                                     .flags = flags,
                                     .priority = fl_omp_task_priority(priority)};
}

FL_OMP_API void GOMP_taskloop(void (*body)(void *), void *data, void (*copy)(void *, void *),
                              long size, long align, unsigned flags, unsigned long asked,
                              int priority, long start, long end, long step) {
    struct fl_omp_task_spec spec = spec_of(body, data, copy, size, align, flags, priority);
    struct fl_omp_pieces loop = {
        .start = (uint64_t)start, .end = (uint64_t)end, .step = (uint64_t)step};
    taskloop(&spec, asked, loop, true);
}

FL_OMP_API void GOMP_taskloop_ull(void (*body)(void *), void *data, void (*copy)(void *, void *),
                                  long size, long align, unsigned flags, unsigned long asked,
                                  int priority, unsigned long long start, unsigned long long end,
                                  unsigned long long step) {
    struct fl_omp_task_spec spec = spec_of(body, data, copy, size, align, flags, priority);
    struct fl_omp_pieces loop = {.start = start, .end = end, .step = step};
    taskloop(&spec, asked, loop, false);
}
