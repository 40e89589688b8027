/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Releases by messages. Where a message synchronises two hosts, the sender's notices go before it,
 * as they go with the grant of a lock. Messages between two hosts keep their order, so that a
 * notice is sent once only.
 */
#include "dsm/inside.h"

#include <string.h>

static struct {
    uint32_t **known;       /* [host]: vector time that it has been sent; guarded by `order` */
    struct fl_bytes *coming; /* [host]: parts that have come; for handlers */
    struct fl_mutex mutex;
    struct fl_bytes *heard; /* [host]: whole messages, for fl_dsm_hear */
    uint32_t **marks; /* [host]: the updates that its looks wait for; for handlers */
} told;

void fl_dsm_tell_start(void) {
    told.known = fl_dsm_memory(fl_dsm.hosts, sizeof *told.known);
    told.marks = fl_dsm_memory(fl_dsm.hosts, sizeof *told.marks);
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        told.known[h] = fl_dsm_memory(fl_dsm.hosts, sizeof **told.known);
        told.marks[h] = fl_dsm_memory(fl_dsm.hosts, sizeof **told.marks);
    }
    told.coming = fl_dsm_memory(fl_dsm.hosts, sizeof *told.coming);
    told.heard = fl_dsm_memory(fl_dsm.hosts, sizeof *told.heard);
}

void fl_dsm_say_known(struct fl_bytes *bytes) {
    fl_mutex_lock(&fl_dsm.known.mutex);
    fl_time_say(&fl_dsm.known.time, bytes);
    fl_mutex_unlock(&fl_dsm.known.mutex);
}

void fl_dsm_tell_news(const uint32_t *theirs, struct fl_bytes *news) {
    fl_mutex_lock(&fl_dsm.known.mutex);
    fl_time_tell(&fl_dsm.known.time, theirs, fl_dsm.known.late, true, news);
    fl_mutex_unlock(&fl_dsm.known.mutex);
}

void fl_dsm_tell(unsigned host) {
    struct fl_bytes news = {0};
    fl_update_await();
    fl_dsm_order_lock();
    fl_interval_end();
    fl_mutex_lock(&fl_dsm.known.mutex);
    fl_time_tell(&fl_dsm.known.time, told.known[host], NULL, true, &news);
    memcpy(told.known[host], fl_dsm.known.time.known, fl_dsm.hosts * sizeof(uint32_t));
    fl_mutex_unlock(&fl_dsm.known.mutex);
    if (news.n > 0 && host != fl_dsm.me) {
        FL_DSM_SEND_PARTS(host, tell, &news);
    }
    fl_mutex_unlock(&fl_dsm.order);
    fl_bytes_release(&news);
}

void fl_dsm_serve_tell(const struct fl_comm_call *call, const struct fl_dsm_tell_message *word) {
    struct fl_bytes *coming = &told.coming[call->asker.proc];
    fl_bytes_add(coming, call->payload, call->bytes);
    if (!word->more) {
        fl_mutex_lock(&told.mutex);
        fl_bytes_add(&told.heard[call->asker.proc], coming->at, coming->n);
        fl_mutex_unlock(&told.mutex);
        coming->n = 0;
    }
}

void fl_dsm_hear(unsigned host) {
    fl_dsm_order_lock();
    fl_mutex_lock(&told.mutex);
    struct fl_bytes heard = told.heard[host];
    told.heard[host] = (struct fl_bytes){0};
    fl_mutex_unlock(&told.mutex);
    fl_interval_learn(&heard);
    fl_mutex_unlock(&fl_dsm.order);
    fl_bytes_release(&heard);
}

/* ---- acquires from all hosts ---- */

/* Whether homes have confirmed the updates that were begun before a thread of the host asked first. Of
 * several of its threads, all wait for what the last one to ask waits for. */
static bool updates_are_over(unsigned asker, bool again) {
    if (!again) {
        fl_update_mark(told.marks[asker]);
    }
    return fl_update_is_over(told.marks[asker]);
}

void fl_dsm_serve_look(const struct fl_comm_call *call, const struct fl_dsm_look_message *word) {
    uint32_t theirs[fl_dsm.hosts];
    struct fl_text text = fl_text(call->payload, call->bytes);
    if (!fl_time_hear(fl_dsm.hosts, &text, theirs)) {
        fl_dsm_bad(call, "it is of no time");
    }
    bool updated = updates_are_over(call->asker.proc, word->again);
    bool mine = fl_mutex_try(&fl_dsm.order);
    /* [L6] pairs [L5]: the holder of `order` may wait at a meeting, and has ended the interval. */
    uint64_t all = mine || atomic_load_explicit(&fl_dsm.meet.here, memory_order_acquire);
    all = all && updated;
    if (mine) {
        fl_interval_end();
        fl_mutex_unlock(&fl_dsm.order);
    }
    struct fl_bytes news = {0};
    fl_dsm_tell_news(theirs, &news);
    if (news.n > 0) {
        FL_DSM_SEND_PARTS(call->asker.proc, tell, &news);
    }
    fl_bytes_release(&news);
    fl_comm_answer(call->asker, &all, 1, NULL, 0);
}

static bool look_at(unsigned host, bool again) {
    struct fl_comm_answer answer = {0};
    struct fl_bytes known = {0};
    fl_dsm_say_known(&known);
    FL_DSM_ASK(host, look, known.at, known.n, &answer, .again = again);
    fl_bytes_release(&known);
    fl_dsm_hear(host);
    return answer.words[0];
}

void fl_dsm_look(void) {
    bool begun = fl_wait_begin_inside("memory that another thread writes");
    for (unsigned host = 0; host < fl_dsm.hosts; host++) {
        bool again = false;
        while (host != fl_dsm.me && !look_at(host, again)) {
            fl_os_yield();
            again = true;
        }
    }
    fl_wait_end_inside(begun);
}
