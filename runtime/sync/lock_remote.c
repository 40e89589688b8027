/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks on several hosts: requests of threads to the keeper of a lock, and the keeper's handler. */
#include "core/assert.h"
#include "sync/lock.h"
#include "sync/lock_cache.h"
#include "sync/remote.h"

/* To the keeper; then, from it to a process that keeps the lock, and what that answers; then, to the
 * keeper and from there to such a process, for messages. */
enum what {
    ACQUIRE, TRY, RELEASE, END, GRANT, DISMISS, WANT,
    RECALL, DROP, RETURN, HELD, DROPPED,
    NAME_HOLDER, NAME_OWNER
};

/* An answer to ACQUIRE and TRY. */
enum got { REFUSED, GOT, GOT_TO_KEEP };

enum { CAUTION_MOST = 6, KNOWN = 8 };

/* Locks that the calling thread has taken from keepers on other hosts, as many as there is room for.
 * Their release is only told. That of another one waits for the answer: it is probably a mistake, and
 * a refusal that comes later would name another line, or another thread. */
static _Thread_local const struct fl_lock *known[KNOWN];

/* Replaces an entry, if there is one like it. */
static bool replace_known(const struct fl_lock *before, const struct fl_lock *after) {
    unsigned i = 0;
    while (i < KNOWN && known[i] != before) {
        i++;
    }
    if (i < KNOWN) {
        known[i] = after;
    }
    return i < KNOWN;
}

static uint64_t ask(enum what what, const struct fl_lock *lock, unsigned me) {
    const uint64_t words[] = {what, (uint64_t)lock, me, !fl_comm_is_here((uint64_t)lock)};
    return fl_remote_ask(FL_COMM_LOCK, FL_CODE_LOCK_MISUSE, words, 4, NULL);
}

static void tell(enum what what, const struct fl_lock *lock, unsigned me) {
    const uint64_t words[] = {what, (uint64_t)lock, me};
    fl_comm_tell(fl_comm_proc_of((uint64_t)lock), FL_COMM_LOCK, words, 3, NULL, 0);
}

static bool is_here(const struct fl_lock *lock) {
    return fl_comm_is_here((uint64_t)lock);
}

static void note_got(struct fl_lock *lock, unsigned me, enum got got) {
    if (got == GOT_TO_KEEP) {
        fl_lock_cache_keep(lock, me);
    } else if (got == GOT) {
        (void)replace_known(NULL, lock);
    }
}

void fl_lock_acquire_far(struct fl_lock *lock, unsigned me, struct fl_wait_policy policy) {
    fl_remote_fence();
    if (is_here(lock)) {
        fl_lock_acquire_here(lock, me, policy);
        return;
    }
    if (fl_lock_cache_take(lock, me) == FL_LOCK_CACHE_TAKEN) {
        return;
    }
    fl_wait_begin_lock(lock);
    note_got(lock, me, (enum got)ask(ACQUIRE, lock, me));
    fl_wait_end();
}

bool fl_lock_try_far(struct fl_lock *lock, unsigned me) {
    fl_remote_fence();
    if (is_here(lock)) {
        /* Relaxed: only a hint whether the keeper is to ask for it. */
        return fl_lock_try_here(lock, me) ||
               (fl_lock_holder(atomic_load_explicit(&lock->state, memory_order_relaxed)) ==
                    FL_LOCK_AWAY &&
                ask(TRY, lock, me) != REFUSED);
    }
    enum fl_lock_cache_result cached = fl_lock_cache_take(lock, me);
    if (cached != FL_LOCK_CACHE_NONE) {
        return cached == FL_LOCK_CACHE_TAKEN;
    }
    enum got got = (enum got)ask(TRY, lock, me);
    note_got(lock, me, got);
    return got != REFUSED;
}

void fl_lock_release_far(struct fl_lock *lock, unsigned me) {
    uint64_t uses;
    fl_remote_fence();
    if (is_here(lock)) {
        fl_lock_release_here(lock, me);
        return;
    }
    switch (fl_lock_cache_release(lock, me, &uses)) {
    case FL_LOCK_CACHE_NONE:
        if (replace_known(lock, NULL)) {
            tell(RELEASE, lock, me);
        } else {
            ask(RELEASE, lock, me);
        }
        break;
    case FL_LOCK_CACHE_TAKEN:
        break;
    case FL_LOCK_CACHE_WANTED:
        tell(RETURN, lock, (unsigned)uses);
        break;
    }
}

/* What this host knows of the lock, which is in its memory. */
static uint32_t holder_here(const struct fl_lock *lock, uint32_t *keeps) {
    /* Relaxed: for a message. */
    uint32_t state = atomic_load_explicit(&lock->state, memory_order_relaxed);
    uint32_t holder = fl_lock_holder(state);
    *keeps = holder == FL_LOCK_AWAY ? lock->taker : 0;
    return holder < FL_LOCK_AWAY ? holder >> FL_LOCK_BITS : 0;
}

static uint64_t ask_for_name(unsigned proc, enum what what, const struct fl_lock *lock,
                             uint32_t *keeps) {
    const uint64_t words[] = {what, (uint64_t)lock};
    struct fl_comm_answer answer = {0};
    fl_comm_ask(proc, FL_COMM_LOCK, words, 2, NULL, 0, &answer);
    *keeps = (uint32_t)answer.words[1];
    return answer.words[0];
}

uint32_t fl_lock_holder_now(const struct fl_lock *lock) {
    uint32_t keeps, unused;
    uint32_t holder = fl_comm_here.one_host || is_here(lock)
                          ? holder_here(lock, &keeps)
                          : (uint32_t)ask_for_name(fl_comm_proc_of((uint64_t)lock), NAME_HOLDER,
                                                   lock, &keeps);
    return keeps ? (uint32_t)ask_for_name(keeps - 1, NAME_OWNER, lock, &unused) : holder;
}

void fl_lock_want(struct fl_lock *lock) {
    if (!fl_comm_here.one_host) {
        tell(WANT, lock, 0);
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

/* Threads that only try, and a thread that frees the lock, wait for the answer of the process that
 * keeps it: not in the lock's own queue, but at addresses just behind it. Locks are a cache line
 * apart. */
enum { TRIES = 1, ENDS = 2 };

/* States of a lock that another process keeps: not recalled, recalled, or recalled and known to be
 * held. */
enum { NOT_RECALLED, ASKED_BACK, HEARD_HELD };

static void enqueue(struct fl_queue *queue, const struct fl_lock *lock, unsigned which,
                    unsigned thread, struct fl_comm_asker asker) {
    fl_queue_add(queue, &(struct fl_waiting){
                            .address = (uint64_t)lock + which, .asker = asker, .thread = thread});
}

static void tell_taker(enum what what, const struct fl_lock *lock) {
    const uint64_t words[] = {what, (uint64_t)lock, 0};
    fl_assert(lock->kept && lock->taker > 0);
    fl_comm_tell(lock->taker - 1, FL_COMM_LOCK, words, 3, NULL, 0);
}

static void recall(struct fl_lock *lock) {
    if (lock->kept && !lock->recalled) {
        lock->recalled = ASKED_BACK;
        tell_taker(RECALL, lock);
    }
}

/* Whether the process, with this time, has taken the lock so often in a row that it should keep
 * it. */
static bool earns(const struct fl_queue *queue, const struct fl_lock *lock, unsigned proc) {
    uint32_t streak = lock->taker == proc + 1 ? lock->streak + 1 : 1;
    return queue->keep_after > 0 && streak >= (uint64_t)queue->keep_after << lock->caution;
}

static void note_taker(struct fl_lock *lock, unsigned proc) {
    lock->streak = lock->taker == proc + 1 ? lock->streak + 1 : 1;
    lock->taker = proc + 1;
}

/* Takes the lock for a thread if it is free. */
static enum got take(struct fl_queue *queue, struct fl_lock *lock, unsigned thread, bool waits,
                     bool may_keep, unsigned proc, struct fl_refusal *refusal) {
    bool keep = may_keep && earns(queue, lock, proc);
    if (!fl_lock_take_for(lock, thread, waits, keep, refusal)) {
        return REFUSED;
    }
    note_taker(lock, proc);
    fl_assert(!lock->kept && !lock->recalled); /* the lock was free */
    lock->kept = keep;
    return keep ? GOT_TO_KEEP : GOT;
}

static void acquire(struct fl_queue *queue, struct fl_lock *lock,
                    const struct fl_comm_call *call) {
    struct fl_refusal refusal = {0};
    unsigned thread = (unsigned)call->words[2], proc = call->asker.proc;
    bool waits = call->words[0] == ACQUIRE;
    enum got got = take(queue, lock, thread, waits, call->words[3], proc, &refusal);
    bool asks = waits || (lock->kept && lock->recalled != HEARD_HELD);
    if (got != REFUSED || refusal.refused || !asks) {
        fl_remote_answer(FL_COMM_LOCK, call->asker, got, &refusal);
        return;
    }
    enqueue(queue, lock, waits ? 0 : TRIES, thread, call->asker);
    recall(lock);
}

/* If the lock was freed and allocated anew meanwhile, its queue is empty, or it is not handed. */
static void grant(struct fl_queue *queue, struct fl_lock *lock) {
    struct fl_waiting *first = fl_queue_first(queue, (uint64_t)lock);
    if (first && fl_lock_grant(lock, first->thread, fl_queue_next(first) != NULL)) {
        fl_assert(!lock->kept);
        note_taker(lock, first->asker.proc);
        fl_remote_answer(FL_COMM_LOCK, first->asker, GOT, &(struct fl_refusal){0});
        fl_queue_remove(queue, first);
    }
}

static void answer_tries(struct fl_queue *queue, struct fl_lock *lock, bool may_get) {
    struct fl_waiting *waiting;
    while ((waiting = fl_queue_first(queue, (uint64_t)lock + TRIES)) != NULL) {
        struct fl_refusal refusal = {0};
        enum got got = may_get ? take(queue, lock, waiting->thread, false, false,
                                      waiting->asker.proc, &refusal)
                               : REFUSED;
        fl_remote_answer(FL_COMM_LOCK, waiting->asker, got, &refusal);
        fl_queue_remove(queue, waiting);
    }
}

/* The process that kept the lock returns it, having taken it `uses` times without a message. If it
 * has not, a process must take the lock more often before it keeps it again. */
static void come_back(struct fl_queue *queue, struct fl_lock *lock, uint64_t uses) {
    if (!lock->kept) {
        return; /* of a lock that was freed meanwhile */
    }
    lock->kept = lock->recalled = 0;
    lock->taker = lock->streak = 0;
    if (uses > 0) {
        lock->caution = 0;
    } else if (lock->caution < CAUTION_MOST) {
        lock->caution++;
    }
    if (fl_lock_come_back(lock)) {
        grant(queue, lock);
    }
    answer_tries(queue, lock, true);
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

/* The lock is freed. The thread that frees it goes on when no process keeps the lock any more. */
static void end(struct fl_queue *queue, struct fl_lock *lock, struct fl_comm_asker asker) {
    dismiss(queue, lock);
    answer_tries(queue, lock, false);
    if (lock->kept) {
        enqueue(queue, lock, ENDS, 0, asker);
        tell_taker(DROP, lock);
    } else {
        fl_remote_answer(FL_COMM_LOCK, asker, true, &(struct fl_refusal){0});
    }
}

static void ended(struct fl_queue *queue, struct fl_lock *lock) {
    struct fl_waiting *waiting = fl_queue_first(queue, (uint64_t)lock + ENDS);
    if (waiting) {
        lock->kept = lock->recalled = 0;
        fl_remote_answer(FL_COMM_LOCK, waiting->asker, true, &(struct fl_refusal){0});
        fl_queue_remove(queue, waiting);
    }
}

static void end_for(struct fl_queue *queue, struct fl_lock *lock, struct fl_comm_asker asker) {
    struct fl_refusal refusal = {0};
    if (fl_lock_end(lock, &refusal)) {
        end(queue, lock, asker);
    } else {
        fl_remote_answer(FL_COMM_LOCK, asker, true, &refusal);
    }
}

static void release(struct fl_queue *queue, struct fl_lock *lock, unsigned thread,
                    struct fl_comm_asker asker) {
    struct fl_refusal refusal = {0};
    if (fl_lock_release_for(lock, thread, &refusal)) {
        grant(queue, lock);
    }
    fl_remote_answer(FL_COMM_LOCK, asker, true, &refusal);
}

/* ---- a process that keeps a lock, whose keeper wants it back ---- */

static void tell_keeper(unsigned keeper, enum what what, const struct fl_lock *lock, uint64_t n) {
    const uint64_t words[] = {what, (uint64_t)lock, n};
    fl_comm_tell(keeper, FL_COMM_LOCK, words, 3, NULL, 0);
}

static void give_back(unsigned keeper, const struct fl_lock *lock) {
    uint64_t uses;
    if (fl_lock_cache_recall(lock, &uses)) {
        tell_keeper(keeper, RETURN, lock, uses);
    } else {
        tell_keeper(keeper, HELD, lock, 0);
    }
}

static void name_holder(const struct fl_lock *lock, struct fl_comm_asker asker) {
    uint32_t keeps;
    uint32_t holder = holder_here(lock, &keeps);
    const uint64_t words[] = {holder, keeps};
    fl_comm_answer(asker, words, 2, NULL, 0);
}

static void name_owner(const struct fl_lock *lock, struct fl_comm_asker asker) {
    const uint64_t words[] = {fl_lock_cache_owner(lock), 0};
    fl_comm_answer(asker, words, 2, NULL, 0);
}

void fl_lock_serve(void *context, const struct fl_comm_call *call) {
    fl_remote_heed(call, FL_CODE_LOCK_MISUSE);
    struct fl_queue *queue = context;
    struct fl_lock *lock = (struct fl_lock *)call->words[1];
    switch ((enum what)call->words[0]) {
    case ACQUIRE:
    case TRY:
        acquire(queue, lock, call);
        break;
    case RELEASE:
        release(queue, lock, (unsigned)call->words[2], call->asker);
        break;
    case END:
        end_for(queue, lock, call->asker);
        break;
    case GRANT:
        grant(queue, lock);
        break;
    case DISMISS:
        end(queue, lock, call->asker);
        break;
    case WANT:
        recall(lock);
        break;
    case RETURN:
        come_back(queue, lock, call->words[2]);
        break;
    case HELD:
        lock->recalled = HEARD_HELD;
        answer_tries(queue, lock, false);
        break;
    case DROPPED:
        ended(queue, lock);
        break;
    case RECALL:
        give_back(call->asker.proc, lock);
        break;
    case DROP:
        fl_lock_cache_drop(lock);
        tell_keeper(call->asker.proc, DROPPED, lock, 0);
        break;
    case NAME_HOLDER:
        name_holder(lock, call->asker);
        break;
    case NAME_OWNER:
        name_owner(lock, call->asker);
        break;
    }
}
