/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Logs of diffs at the home. A home answers a host that had a page before with what has changed
 * since, if that is less than the page. For pages that others read it keeps the diffs applied last,
 * its own and others', each with a stamp; stamps ascend through all pages of this host. Content
 * that is sent bears the current stamp: a copy whose stamp is no older than the begin of the log
 * lacks exactly the diffs with later ones.
 */
#include "dsm/inside.h"

#include <string.h>

enum { LOG_MOST = FL_MAP_PAGE / 2 };

struct entry {
    uint32_t stamp, bytes;
};

static uint32_t new_stamp(void) {
    /* Relaxed: stamps of one page are compared, and its chunk orders them. */
    return atomic_fetch_add_explicit(&fl_dsm.stamp, 1, memory_order_relaxed) + 1;
}

void fl_log_begin(uint32_t page) {
    fl_dsm.logs[page].n = 0;
    fl_dsm.pages[page].stamp = new_stamp();
    fl_dsm.pages[page].unread = 0;
}

void fl_log_end(uint32_t page) {
    fl_bytes_release(&fl_dsm.logs[page]);
    fl_dsm.pages[page].stamp = 0;
}

void fl_log_add(uint32_t page, const void *diff, size_t bytes) {
    struct fl_bytes *log = &fl_dsm.logs[page];
    const struct entry entry = {new_stamp(), (uint32_t)bytes};
    if (log->n + sizeof entry + bytes > LOG_MOST) {
        fl_log_begin(page);
        return;
    }
    fl_bytes_add(log, &entry, sizeof entry);
    fl_bytes_add(log, diff, bytes);
}

bool fl_log_since(uint32_t page, uint32_t stamp, struct fl_bytes *changes) {
    const struct fl_bytes *log = &fl_dsm.logs[page];
    if (stamp == 0 || stamp < fl_dsm.pages[page].stamp || !fl_log_is_on(&fl_dsm.pages[page])) {
        return false;
    }
    for (size_t at = 0; at < log->n;) {
        struct entry entry;
        memcpy(&entry, log->at + at, sizeof entry);
        at += sizeof entry;
        if (entry.stamp > stamp) {
            fl_bytes_add(changes, log->at + at, entry.bytes);
        }
        at += entry.bytes;
    }
    return true;
}
