/* SPDX-License-Identifier: BSD-3-Clause */
/* Lock functions (UPC 1.3 7.2.4). The locks themselves are sync/lock.h. */
#include "core/fatal.h"
#include "sync/lock.h"
#include "library/alloc.h"
#include "library/upc.h"
#include "upc/collective.h"
#include "upc/foreign.h"
#include "upc/trace.h"

static struct fl_lock *lock_of(struct upcr_lock *lock) {
    return (struct fl_lock *)lock;
}

static FL_COLD _Noreturn void null_lock(const char *what) {
    fl_fatal(FL_CODE_LOCK_MISUSE, "%s: the pointer to the lock is null", what);
}

/* A foreign thread is an owner of its own: two of a process exclude each other. */
static FL_COLD unsigned foreign_owner(const char *what) {
    unsigned thread = upc_foreign_acting(what)->me;
    return fl_lock_owner(thread, upc_foreign_number());
}

/* The owner as which the calling thread locks. */
static unsigned owner(const struct upcr_lock *lock, const char *what) {
    struct upc_thread *self = upc_self;
    if (FL_UNLIKELY(!lock)) {
        null_lock(what);
    }
    return FL_LIKELY(self) ? self->me : foreign_owner(what);
}

static uint64_t new_lock(const char *what) {
    uint64_t address = upc_alloc_local(what, sizeof(struct fl_lock));
    if (address) {
        fl_lock_init((struct fl_lock *)address);
    }
    return address;
}

struct upcr_lock *upc_global_lock_alloc(void) {
    return (struct upcr_lock *)new_lock("upc_global_lock_alloc");
}

struct upcr_lock *upc_all_lock_alloc(void) {
    uint64_t address = 0;
    if (upc_collective_enter(UPC_AT_ALL_LOCK_ALLOC)->me == 0) {
        address = new_lock("upc_all_lock_alloc");
    }
    return (struct upcr_lock *)upc_alloc_broadcast(UPC_AT_ALL_LOCK_ALLOC, address);
}

void upc_lock_free(struct upcr_lock *lock) {
    if (lock) {
        fl_lock_destroy(lock_of(lock));
        upc_alloc_free("upc_lock_free", (uint64_t)lock);
    }
}

void upc_all_lock_free(struct upcr_lock *lock) {
    struct upc_thread *self = upc_collective_enter(UPC_AT_ALL_LOCK_FREE);
    if (FL_UNLIKELY(upc_process.check)) {
        const struct upc_argument ptr = {"ptr", (uint64_t)lock, UPC_POINTER};
        upc_collective_agree(UPC_AT_ALL_LOCK_FREE, &ptr, 1);
    }
    upc_barrier_called(UPC_AT_ALL_LOCK_FREE);
    if (self->me == 0) {
        upc_lock_free(lock);
    }
}

/* Where code that is compiled with -g has taken the lock. */
static inline void note_taken(const struct upcr_lock *lock) {
    struct upc_thread *self = upc_self;
    if (FL_UNLIKELY(self && self->file)) {
        upc_held_add(&self->held, lock, self->file, self->line);
    }
}

static inline void note_released(const struct upcr_lock *lock) {
    struct upc_thread *self = upc_self;
    if (FL_UNLIKELY(self && self->held.n > 0)) {
        upc_held_remove(&self->held, lock);
    }
}

void upc_lock(struct upcr_lock *lock) {
    unsigned me = owner(lock, "upc_lock");
    uint64_t since = upc_trace_begin();
    if (FL_UNLIKELY(!upc_self)) {
        upc_foreign_wants_lock();
    }
    fl_lock_acquire(lock_of(lock), me, upc_process.wait);
    note_taken(lock);
    upc_trace_end_call_at(since, "lock", "upc_lock", (uint64_t)lock, 0);
}

int upc_lock_attempt(struct upcr_lock *lock) {
    unsigned me = owner(lock, "upc_lock_attempt");
    if (FL_LIKELY(upc_self)) {
        bool taken = fl_lock_try(lock_of(lock), me);
        if (taken) {
            note_taken(lock);
        }
        return taken;
    }
    upc_foreign_wants_lock();
    if (fl_lock_try(lock_of(lock), me)) {
        return true;
    }
    upc_foreign_has_released();
    return false;
}

void upc_unlock(struct upcr_lock *lock) {
    unsigned me = owner(lock, "upc_unlock");
    uint64_t since = upc_trace_begin();
    note_released(lock);
    fl_lock_release(lock_of(lock), me);
    if (FL_UNLIKELY(!upc_self)) {
        upc_foreign_has_released();
    }
    upc_trace_end_call_at(since, "lock", "upc_unlock", (uint64_t)lock, 0);
}
