/* SPDX-License-Identifier: BSD-3-Clause */
/* Diffs on their way to the homes of pages, and what these do with them. */
#include "dsm/inside.h"

static void send_some_diffs(unsigned host, uint32_t interval, bool last, const unsigned char *from,
                            const unsigned char *end) {
    static struct fl_bytes some; /* guarded by `order` */
    some.n = 0;
    /* Relaxed: only the holder of `order` changes it. */
    fl_bytes_add_number(&some, atomic_load_explicit(&fl_dsm.meet.epoch, memory_order_relaxed));
    bool after = fl_carry_say_after(host, &some);
    fl_bytes_add(&some, from, (size_t)(end - from));
    FL_DSM_SEND(host, diffs, some.at, some.n, .last = last, .after = after, .interval = interval);
}

void fl_interval_send_diffs(unsigned host, uint32_t interval, bool last) {
    const size_t most = fl_comm_payload_most() - (1 + fl_dsm.hosts) * FL_NUMBER_MOST;
    struct fl_text all = fl_text(fl_dsm.diffs[host].at, fl_dsm.diffs[host].n), diff;
    const unsigned char *from = all.at;
    uint32_t page;
    for (const unsigned char *at = from; fl_dsm_next_diff(&all, &page, &diff); at = all.at) {
        if ((size_t)(all.at - from) > most) {
            send_some_diffs(host, interval, false, from, at);
            from = at;
        }
    }
    if (last || from < all.end) {
        send_some_diffs(host, interval, last, from, all.end);
    }
    fl_dsm.diffs[host].n = 0;
}

/* Applies another host's diff to a page of this home; the caller holds the chunk. */
static bool take_diff(uint32_t page, uint32_t epoch, const unsigned char *diff, size_t bytes) {
    const struct fl_page *p = &fl_dsm.pages[page];
    if (p->home != fl_dsm.me || epoch < p->since) {
        return true; /* the home that has moved since has it */
    }
    bool good = fl_diff_apply(fl_map_alias(&fl_dsm.map, page), diff, bytes);
    if (p->twin) {
        good = good && fl_diff_apply(fl_page_twin(p), diff, bytes);
    }
    if (good && fl_log_is_on(p)) {
        fl_log_add(page, diff, bytes);
    }
    return good;
}

static void take_diffs(const struct fl_comm_call *call, const struct fl_dsm_diffs_message *word,
                       struct fl_text diffs, uint32_t epoch, bool ahead) {
    while (fl_text_left(&diffs) > 0) {
        uint32_t page;
        struct fl_text diff;
        if (!fl_dsm_next_diff(&diffs, &page, &diff) || page >= fl_dsm.map.pages) {
            fl_dsm_bad(call, "it is no diff");
        }
        fl_page_lock(page);
        if (ahead) {
            fl_page_adopt(page);
        }
        bool good = take_diff(page, epoch, diff.at, fl_text_left(&diff));
        fl_page_unlock(page);
        if (!good) {
            fl_dsm_bad(call, "it is no diff");
        }
    }
    fl_dsm.arriving[call->asker.proc] = !word->last;
    if (word->last) {
        /* [D1] pairs [D2]: a thread that waits for the diffs sees them. */
        atomic_store_explicit(&fl_dsm.arrived[call->asker.proc], word->interval,
                              memory_order_release);
        /* Relaxed: only handlers change it. */
        uint32_t news = atomic_load_explicit(&fl_dsm.news, memory_order_relaxed);
        fl_wait_publish(&fl_dsm.news, (news & ~(uint32_t)FL_WAIT_SLEEPING) + 2);
    }
}

static bool serve_diffs(const struct fl_comm_call *call, uint32_t epoch) {
    const struct fl_dsm_diffs_message *word = (const void *)call->words;
    struct fl_text said = fl_text(call->payload, call->bytes);
    uint32_t theirs;
    bool due = fl_defer_is_due(call, epoch, &said, &theirs) &&
               (!word->after || fl_defer_have_come(call, &said));
    if (due) {
        take_diffs(call, word, said, theirs, theirs > epoch);
    }
    return due;
}

/* What their sender sends later stays behind them: more diffs, or a fetch of that page. */
void fl_dsm_serve_diffs(const struct fl_comm_call *call, const struct fl_dsm_diffs_message *word) {
    (void)word;
    fl_defer_serve(call, FL_DEFER_IN_ORDER, serve_diffs);
}
