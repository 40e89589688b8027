/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intervals and vector times. A host's time is cut into intervals, numbered from 1, each of which
 * ends at a release and has a notice: the pages that the host has written in it. A vector time says
 * of each host how many of its intervals are known. Notices are kept until the next meeting of all
 * hosts; small diffs of their pages are kept with them, up to a bound.
 * P. Keleher, A. Cox, W. Zwaenepoel: Lazy release consistency (ISCA 1992).
 */
#ifndef FL_DSM_TIME_H
#define FL_DSM_TIME_H

#include "dsm/bytes.h"

struct fl_interval {
    struct fl_interval *next, *previous; /* in the order in which they were learned */
    uint32_t host, number;
    bool at_home; /* written by atomic operations that homes have performed: see atomic.c */
    struct fl_bytes diffs; /* { page, diff }...: all diffs of a page in the interval, or none */
    uint32_t n_runs;
    struct fl_interval_run {
        uint32_t first, pages;
    } runs[];
};

struct fl_time {
    unsigned hosts;
    uint32_t *known; /* [hosts] */
    struct fl_interval *first, *last; /* since the last meeting */
    size_t kept; /* bytes of diffs */
};

void fl_time_start(struct fl_time *time, unsigned hosts);

/* A host's next interval. The pages ascend, and may repeat. */
const struct fl_interval *fl_time_add(struct fl_time *time, unsigned host, const uint32_t *pages,
                                      size_t n, struct fl_text diffs, bool at_home);

/* Appends this vector time; takes another host's off the front: false if there is none. */
void fl_time_say(const struct fl_time *time, struct fl_bytes *bytes);
bool fl_time_hear(unsigned hosts, struct fl_text *text, uint32_t *theirs);

/* Appends the known intervals that a host of the vector time `theirs` [hosts] does not know, except
 * `but`, if any. With their diffs, unless these are too large. */
void fl_time_tell(const struct fl_time *time, const uint32_t *theirs, const struct fl_interval *but,
                  bool with_diffs, struct fl_bytes *bytes);

/* Adds the intervals in the text that are new; *news_p: the first of them, or null. False if the
 * text is malformed, or an interval before one of them is missing. */
bool fl_time_learn(struct fl_time *time, struct fl_text text, const struct fl_interval **news_p);

/* Whether `is` holds for all intervals in the text. */
bool fl_time_all_are(unsigned hosts, struct fl_text text, bool is(const struct fl_interval *));

/* Drops all intervals, when all hosts know them. */
void fl_time_forget(struct fl_time *time);

#endif
