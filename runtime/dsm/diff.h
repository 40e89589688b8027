/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What has been written to a page: the bytes in which it differs from its twin, the copy from before
 * the writes. Runs of { offset, length, bytes }, so that diffs may follow one another.
 */
#ifndef FL_DSM_DIFF_H
#define FL_DSM_DIFF_H

#include "dsm/map.h"

enum { FL_DIFF_MOST = FL_MAP_PAGE / 2 * 4 }; /* every other byte */

/* To `diff`, FL_DIFF_MOST bytes; how many it takes. 0: the two are equal. Bytes that are the same
 * travel only if `join`, some between others: not where another host may have written them. */
size_t fl_diff_make(unsigned char *diff, const unsigned char *page, const unsigned char *twin,
                    bool join);

/* False if the bytes are no diff. */
bool fl_diff_apply(unsigned char *page, const unsigned char *diff, size_t bytes);

#endif
