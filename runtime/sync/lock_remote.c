/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks on several hosts: what threads ask the keeper of a lock, and what its handler does. */
#include "sync/lock.h"
#include "sync/remote.h"

enum what { ACQUIRE, TRY, RELEASE, END, GRANT, DISMISS };

static uint64_t ask(enum what what, const struct fl_lock *lock, unsigned me) {
    const uint64_t words[] = {what, (uint64_t)lock, me};
    return fl_remote_ask(FL_COMM_LOCK, FL_CODE_LOCK_MISUSE, words, 3, NULL);
}

static void tell(enum what what, const struct fl_lock *lock, unsigned me) {
    const uint64_t words[] = {what, (uint64_t)lock, me};
    fl_comm_tell(fl_comm_proc_of((uint64_t)lock), FL_COMM_LOCK, words, 3, NULL, 0);
}

static bool is_here(const struct fl_lock *lock) {
    return fl_comm_is_here((uint64_t)lock);
}

void fl_lock_acquire_far(struct fl_lock *lock, unsigned me, struct fl_wait_policy policy) {
    fl_remote_fence();
    if (is_here(lock)) {
        fl_lock_acquire_here(lock, me, policy);
        return;
    }
    fl_wait_begin("upc_lock", NULL, 0);
    ask(ACQUIRE, lock, me);
    fl_wait_end();
}

bool fl_lock_try_far(struct fl_lock *lock, unsigned me) {
    fl_remote_fence();
    return is_here(lock) ? fl_lock_try_here(lock, me) : ask(TRY, lock, me);
}

void fl_lock_release_far(struct fl_lock *lock, unsigned me) {
    fl_remote_fence();
    if (is_here(lock)) {
        fl_lock_release_here(lock, me);
    } else {
        tell(RELEASE, lock, me);
    }
}

void fl_lock_destroy(struct fl_lock *lock) {
    if (!fl_comm_here.one_host && !is_here(lock)) {
        ask(END, lock, 0);
        return;
    }
    struct fl_refusal refusal = {0};
    bool queued = fl_lock_end(lock, &refusal);
    if (refusal.refused) {
        fl_fatal(FL_CODE_LOCK_MISUSE, "%s", refusal.text);
    }
    if (queued) {
        ask(DISMISS, lock, 0);
    }
}

void fl_lock_hand_over(struct fl_lock *lock) {
    tell(GRANT, lock, 0);
}

/* ---- the keeper ---- */

static void acquire(struct fl_queue *queue, struct fl_lock *lock, unsigned thread,
                    struct fl_comm_asker asker) {
    struct fl_refusal refusal = {0};
    if (fl_lock_take_for(lock, thread, true, &refusal) || refusal.refused) {
        fl_remote_answer(FL_COMM_LOCK, asker, true, &refusal);
    } else {
        fl_queue_add(queue, &(struct fl_waiting){
                                .address = (uint64_t)lock, .asker = asker, .thread = thread});
    }
}

/* A lock that was freed and allocated anew meanwhile has nobody in the queue, or is not theirs. */
static void grant(struct fl_queue *queue, struct fl_lock *lock) {
    struct fl_waiting *first = fl_queue_first(queue, (uint64_t)lock);
    if (first && fl_lock_grant(lock, first->thread, fl_queue_next(first) != NULL)) {
        fl_remote_answer(FL_COMM_LOCK, first->asker, true, &(struct fl_refusal){0});
        fl_queue_remove(queue, first);
    }
}

static void dismiss(struct fl_queue *queue, struct fl_lock *lock) {
    struct fl_waiting *waiting;
    while ((waiting = fl_queue_first(queue, (uint64_t)lock)) != NULL) {
        struct fl_refusal refusal;
        fl_refuse(&refusal, "thread %u waits for the lock at %p, which was freed",
                  waiting->thread & ((1u << FL_LOCK_THREAD_BITS) - 1),
                  (void *)lock);
        fl_remote_answer(FL_COMM_LOCK, waiting->asker, false, &refusal);
        fl_queue_remove(queue, waiting);
    }
}

void fl_lock_serve(void *context, const struct fl_comm_call *call) {
    fl_remote_heed(call, FL_CODE_LOCK_MISUSE);
    struct fl_queue *queue = context;
    struct fl_lock *lock = (struct fl_lock *)call->words[1];
    unsigned thread = (unsigned)call->words[2];
    struct fl_refusal refusal = {0};
    bool answer = false;
    switch ((enum what)call->words[0]) {
    case ACQUIRE:
        acquire(queue, lock, thread, call->asker);
        return;
    case TRY:
        answer = fl_lock_take_for(lock, thread, false, &refusal);
        break;
    case RELEASE:
        if (fl_lock_release_for(lock, thread, &refusal)) {
            grant(queue, lock);
        }
        break;
    case END:
        if (fl_lock_end(lock, &refusal)) {
            dismiss(queue, lock);
        }
        break;
    case GRANT:
        grant(queue, lock);
        return;
    case DISMISS:
        dismiss(queue, lock);
        break;
    }
    fl_remote_answer(FL_COMM_LOCK, call->asker, answer, &refusal);
}
