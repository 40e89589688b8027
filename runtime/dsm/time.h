/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who knows of which writes. A host's time is cut into intervals, numbered from 1, each of which
 * ends when the host gives others a chance to learn of its writes, and has a notice: the pages that
 * were written in it. A vector time says of each host how many of its intervals are known. Notices
 * are kept until all hosts have met in a barrier; with them, for a while, small diffs of those pages.
 * P. Keleher, A. Cox, W. Zwaenepoel: Lazy release consistency (ISCA 1992).
 */
#ifndef FL_DSM_TIME_H
#define FL_DSM_TIME_H

#include "dsm/bytes.h"

struct fl_interval {
    struct fl_interval *next, *previous; /* in the order in which they were learned */
    uint32_t host, number;
    bool at_home; /* written by atomic operations that the pages' homes have performed: see atomic.c */
    struct fl_bytes diffs; /* { page, diff }...: of a page that is there, all of the interval */
    uint32_t n_runs;
    struct fl_interval_run {
        uint32_t first, pages;
    } runs[];
};

struct fl_time {
    unsigned hosts;
    uint32_t *known; /* [hosts] */
    struct fl_interval *first, *last; /* since the last barrier */
    size_t kept; /* bytes of diffs */
};

void fl_time_start(struct fl_time *time, unsigned hosts);

/* A host's next interval. The pages ascend, and may repeat. */
const struct fl_interval *fl_time_add(struct fl_time *time, unsigned host, const uint32_t *pages,
                                      size_t n, struct fl_text diffs, bool at_home);

/* Appends a vector time; takes one off, which is somebody else's: false if there is none. */
void fl_time_say(const struct fl_time *time, struct fl_bytes *bytes);
bool fl_time_hear(unsigned hosts, struct fl_text *text, uint32_t *theirs);

/* Appends what is known, but not by who has the vector time `theirs` [hosts]; and not the interval
 * `but`, if any. With its diffs, unless they are too many. */
void fl_time_tell(const struct fl_time *time, const uint32_t *theirs, const struct fl_interval *but,
                  bool with_diffs, struct fl_bytes *bytes);

/* Appends those intervals that are new to the list; *news_p: the first of them, or null. False if it makes
 * no sense. */
bool fl_time_learn(struct fl_time *time, struct fl_text text, const struct fl_interval **news_p);

/* Whether all intervals in the text are such. */
bool fl_time_all_are(unsigned hosts, struct fl_text text, bool is(const struct fl_interval *));

/* All hosts know all. */
void fl_time_forget(struct fl_time *time);

#endif
