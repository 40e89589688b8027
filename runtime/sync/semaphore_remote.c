/* SPDX-License-Identifier: BSD-3-Clause */
/* Semaphores on several hosts: requests of threads to the keeper of a semaphore, and the keeper's
 * handler. */
#include "core/assert.h"
#include "sync/remote.h"
#include "sync/semaphore.h"

enum what { POST, TRY, WAIT, END, CHECK_POSTER, CHECK_WAITER, LOOK };

static uint64_t ask(enum what what, const struct fl_semaphore *semaphore, uint64_t n,
                    const char *name) {
    const uint64_t words[] = {what, (uint64_t)semaphore, n};
    return fl_remote_ask(FL_COMM_SEMAPHORE, FL_CODE_SEMAPHORE_MISUSE, words, 3, name);
}

static void tell(enum what what, const struct fl_semaphore *semaphore, uint64_t n) {
    const uint64_t words[] = {what, (uint64_t)semaphore, n};
    fl_comm_tell(fl_comm_proc_of((uint64_t)semaphore), FL_COMM_SEMAPHORE, words, 3, NULL, 0);
}

static bool is_here(const struct fl_semaphore *semaphore) {
    return fl_comm_here.one_host || fl_comm_is_here((uint64_t)semaphore);
}

void fl_semaphore_post_far(struct fl_semaphore *semaphore, size_t n) {
    if (is_here(semaphore)) {
        fl_remote_fence();
        fl_semaphore_post_here(semaphore, n);
    } else { /* behind what was written there */
        fl_comm_quiet_elsewhere(fl_comm_proc_of((uint64_t)semaphore));
        tell(POST, semaphore, n);
    }
}

void fl_semaphore_post_behind(struct fl_semaphore *semaphore, size_t n) {
    tell(POST, semaphore, n);
}

bool fl_semaphore_try_far(struct fl_semaphore *semaphore, size_t n) {
    fl_comm_quiet_unsignalled();
    return is_here(semaphore) ? fl_semaphore_try_here(semaphore, n) : ask(TRY, semaphore, n, NULL);
}

void fl_semaphore_wait_far(struct fl_semaphore *semaphore, size_t n, struct fl_wait_policy policy) {
    fl_comm_quiet_unsignalled();
    if (is_here(semaphore)) {
        fl_semaphore_wait_here(semaphore, n, policy);
        return;
    }
    fl_wait_begin("bupc_sem_wait", NULL, 0);
    ask(WAIT, semaphore, n, NULL);
    fl_wait_end();
}

static void heed(const struct fl_refusal *refusal) {
    if (refusal->refused) {
        fl_fatal(FL_CODE_SEMAPHORE_MISUSE, "%s", refusal->text);
    }
}

void fl_semaphore_destroy(struct fl_semaphore *semaphore) {
    struct fl_refusal refusal = {0};
    if (is_here(semaphore)) {
        fl_semaphore_end(semaphore, &refusal);
        heed(&refusal);
    } else {
        ask(END, semaphore, 0, NULL);
    }
}

static void check(struct fl_semaphore *semaphore, bool poster, unsigned me, const char *what) {
    struct fl_refusal refusal = {0};
    if (is_here(semaphore)) {
        fl_semaphore_check(semaphore, poster, me, what, &refusal);
        heed(&refusal);
    } else {
        ask(poster ? CHECK_POSTER : CHECK_WAITER, semaphore, me, what);
    }
}

void fl_semaphore_check_poster(struct fl_semaphore *semaphore, unsigned me, const char *what) {
    check(semaphore, true, me, what);
}

void fl_semaphore_check_waiter(struct fl_semaphore *semaphore, unsigned me, const char *what) {
    check(semaphore, false, me, what);
}

void fl_semaphore_tell(struct fl_semaphore *semaphore) {
    tell(LOOK, semaphore, 0);
}

/* ---- the keeper ---- */

static void dequeue(struct fl_semaphore *semaphore) {
    /* No label: a poster that still counts it looks in vain. */
    uint32_t queued = atomic_fetch_sub_explicit(&semaphore->queued, 1, memory_order_seq_cst);
    fl_assert(queued > 0);
}

static void wait(struct fl_queue *queue, struct fl_semaphore *semaphore, uint64_t n,
                 struct fl_comm_asker asker) {
    /* [C3]: before the word is looked at. */
    atomic_fetch_add_explicit(&semaphore->queued, 1, memory_order_seq_cst);
    if (fl_semaphore_take_or_mark(semaphore, n)) {
        dequeue(semaphore);
        fl_remote_answer(FL_COMM_SEMAPHORE, asker, true, &(struct fl_refusal){0});
    } else {
        fl_queue_add(queue, &(struct fl_waiting){
                                .address = (uint64_t)semaphore, .asker = asker, .n = n});
    }
}

/* A thread has posted. The last taker may have freed the semaphore since: with an empty queue it is
 * not touched. */
static void look(struct fl_queue *queue, struct fl_semaphore *semaphore) {
    struct fl_waiting *next;
    for (struct fl_waiting *w = fl_queue_first(queue, (uint64_t)semaphore); w; w = next) {
        next = fl_queue_next(w);
        if (fl_semaphore_take_or_mark(semaphore, w->n)) {
            dequeue(semaphore);
            fl_remote_answer(FL_COMM_SEMAPHORE, w->asker, true, &(struct fl_refusal){0});
            fl_queue_remove(queue, w);
        }
    }
}

void fl_semaphore_serve(void *context, const struct fl_comm_call *call) {
    fl_remote_heed(call, FL_CODE_SEMAPHORE_MISUSE);
    struct fl_queue *queue = context;
    struct fl_semaphore *semaphore = (struct fl_semaphore *)call->words[1];
    uint64_t n = call->words[2];
    enum what what = (enum what)call->words[0];
    struct fl_refusal refusal = {0};
    bool answer = false;
    if (what == POST || what == TRY || what == WAIT) {
        fl_semaphore_check_count(semaphore, n, &refusal);
    }
    if (!refusal.refused) {
        switch (what) {
        case POST:
            fl_semaphore_post_here(semaphore, n);
            break;
        case TRY:
            answer = fl_semaphore_try_here(semaphore, n);
            break;
        case WAIT:
            wait(queue, semaphore, n, call->asker);
            return;
        case END:
            fl_semaphore_end(semaphore, &refusal);
            break;
        case CHECK_POSTER:
        case CHECK_WAITER:
            fl_semaphore_check(semaphore, what == CHECK_POSTER, (unsigned)n, call->payload,
                               &refusal);
            break;
        case LOOK:
            look(queue, semaphore);
            return;
        }
    }
    fl_remote_answer(FL_COMM_SEMAPHORE, call->asker, answer, &refusal);
}
