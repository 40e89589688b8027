/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What SP and BT share beside cfd.h: a step solves systems of equations along all lines in x, then in
 * y, then in z (alternating directions, implicit). A line is eliminated from its begin, and solved on
 * the way back. Lines whose points one thread has are taken in bundles that fit its cache; where y is
 * cut, all lines of a plane of z go on to the next thread, and come back some planes later.
 */
#ifndef ADI_H
#define ADI_H

#include "cfd.h"

/* Lines that are solved together, or their part in this share. */
struct adi_lines {
    long at;           /* the point at place 0 of the first line */
    long stride, step; /* points to the next line, and to the next place */
    long n;            /* lines */
    long begin, end;   /* places inside the cube */
    double *work;      /* [place][pitch][CFD_WORK], from CFD_LAG places before `begin` on */
    long pitch;
};

CFD_INLINE long adi_point(const struct adi_lines *l, long place, long line) {
    return l->at + place * l->step + line * l->stride;
}

/* What is kept of a point; of the place before it, `adi_before` numbers earlier. */
CFD_INLINE double *adi_work(const struct adi_lines *l, long place, long line) {
    return l->work + ((place - l->begin + CFD_LAG) * l->pitch + line) * CFD_WORK;
}

CFD_INLINE long adi_before(const struct adi_lines *l) { return l->pitch * CFD_WORK; }

/* In direction n: eliminates what stands before each place; makes r the solution. */
static void adi_eliminate(int n, const struct cfd *c, const struct adi_lines *l);
static void adi_substitute(int n, const struct cfd *c, const struct adi_lines *l);

/* `count` whole lines, from the first point of the first one on. */
static inline void adi_whole(int n, const struct cfd *c, long at, long count, long stride, long step) {
    for (long done = 0; done < count; done += CFD_BUNDLE) {
        struct adi_lines l = {.at = at + done * stride, .stride = stride, .step = step,
                              .n = count - done < CFD_BUNDLE ? count - done : CFD_BUNDLE, .begin = 1,
                              .end = CFD_N - 1, .work = c->work, .pitch = CFD_BUNDLE};
        adi_eliminate(n, c, &l);
        adi_substitute(n, c, &l);
    }
}

/* What is kept of plane k: of as many planes as are under way. */
static inline double *adi_stored(const struct cfd *c, long k) {
    return c->store + k % (c->delay + 1) * (c->rows + CFD_LAG) * CFD_N * CFD_WORK;
}

/* This share's part of the lines along y in plane k, there or back. */
static inline void adi_part(const struct cfd *c, long k,
                            void solve(int n, const struct cfd *c, const struct adi_lines *l)) {
    const long from = cfd_inner_begin(c);
    double *work = adi_stored(c, k) + from * CFD_N * CFD_WORK;
    for (long i = 1; i < CFD_N - 1; i += CFD_BUNDLE) {
        long left = CFD_N - 1 - i;
        struct adi_lines l = {.at = cfd_point(c, k, -c->begin) + i, .stride = 1, .step = CFD_N,
                              .n = left < CFD_BUNDLE ? left : CFD_BUNDLE, .begin = c->begin + from,
                              .end = c->begin + cfd_inner_end(c), .work = work + i * CFD_WORK,
                              .pitch = CFD_N};
        solve(2, c, &l);
    }
}

static inline void adi_there(const struct cfd *c, long k) {
    double *before = adi_stored(c, k);
    if (c->begin > 0) {
        cfd_await_front(c, k);
        for (long i = 0; i < CFD_FRONT; i++) {
            before[i] = c->front[k * CFD_FRONT + i];
        }
    }
    adi_part(c, k, adi_eliminate);
    cfd_pass_front(c, k, before + c->rows * CFD_N * CFD_WORK);
}

/* Lines along y of which each thread has a part. */
static inline void adi_pipeline(const struct cfd *c) {
    for (long k = 1; k < CFD_N - 1 + c->delay; k++) {
        if (k < CFD_N - 1) {
            adi_there(c, k);
        }
        const long back = k - c->delay;
        if (back >= 1) {
            cfd_await(c, back, 1);
            adi_part(c, back, adi_substitute);
            cfd_pass(c, back, 1);
        }
    }
}

static void cfd_solve(const struct cfd *c) {
    const long begin = cfd_inner_begin(c), end = cfd_inner_end(c);
    for (long k = 1; k < CFD_N - 1; k++) {
        adi_whole(1, c, cfd_point(c, k, begin), end - begin, CFD_N, 1);
    }
    cfd_join();
    if (c->across->rows < CFD_N) {
        adi_pipeline(c);
    } else {
        for (long k = c->across_begin; k < c->across_end; k++) {
            adi_whole(2, c->across, cfd_point(c->across, k, 0) + 1, CFD_N - 2, 1, CFD_N);
        }
    }
    cfd_join();
    for (long j = begin; j < end; j++) {
        adi_whole(3, c, cfd_point(c, 0, j) + 1, CFD_N - 2, 1, c->plane);
    }
}

#endif
