/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Diffs: the bytes in which a page differs from its twin, the copy from before the writes. A diff
 * is runs of { offset, length, bytes }, so two diffs one behind the other are a diff.
 */
#ifndef FL_DSM_DIFF_H
#define FL_DSM_DIFF_H

#include "dsm/map.h"

enum { FL_DIFF_MOST = FL_MAP_PAGE / 2 * 4 }; /* every other byte */

/* Writes to `diff`, of FL_DIFF_MOST bytes; returns its size, 0 if the two are equal. `join`: close
 * runs become one, with the bytes between them: not where another host may write these. */
size_t fl_diff_make(unsigned char *diff, const unsigned char *page, const unsigned char *twin,
                    bool join);

/* False if the bytes are no diff. */
bool fl_diff_apply(unsigned char *page, const unsigned char *diff, size_t bytes);

#endif
