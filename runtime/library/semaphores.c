/* SPDX-License-Identifier: BSD-3-Clause */
/* Berkeley's semaphores and signalling puts. The semaphores themselves are sync/semaphore.h. */
#include "library/semaphores.h"

#include "core/fatal.h"
#include "library/alloc.h"
#include "library/nb.h"
#include "library/upc.h"
#include "sync/semaphore.h"
#include "upc/foreign.h"
#include "upc/trace.h"

_Static_assert(BUPC_SEM_MAXVALUE == FL_SEMAPHORE_INTEGER, "the header says how far they count");

static FL_COLD _Noreturn void null_semaphore(const char *what) {
    fl_fatal(FL_CODE_SEMAPHORE_MISUSE, "%s: the pointer to the semaphore is null", what);
}

static struct fl_semaphore *to_post(struct upcr_semaphore *s, const char *what) {
    struct upc_thread *self = upc_itself(what);
    if (FL_UNLIKELY(!s)) {
        null_semaphore(what);
    }
    if (FL_UNLIKELY(upc_process.check)) {
        fl_semaphore_check_poster((struct fl_semaphore *)s, self->me, what);
    }
    return (struct fl_semaphore *)s;
}

static struct fl_semaphore *to_wait(struct upcr_semaphore *s, const char *what) {
    struct upc_thread *self = upc_itself(what);
    if (FL_UNLIKELY(!s)) {
        null_semaphore(what);
    }
    if (FL_UNLIKELY(upc_process.check)) {
        fl_semaphore_check_waiter((struct fl_semaphore *)s, self->me, what);
    }
    return (struct fl_semaphore *)s;
}

static void check_flags(int flags) {
    int all = BUPC_SEM_INTEGER | BUPC_SEM_BOOLEAN | BUPC_SEM_MPRODUCER | BUPC_SEM_SPRODUCER |
              BUPC_SEM_MCONSUMER | BUPC_SEM_SCONSUMER;
    if (flags & ~all || (flags & BUPC_SEM_INTEGER && flags & BUPC_SEM_BOOLEAN) ||
        (flags & BUPC_SEM_MPRODUCER && flags & BUPC_SEM_SPRODUCER) ||
        (flags & BUPC_SEM_MCONSUMER && flags & BUPC_SEM_SCONSUMER)) {
        fl_fatal(FL_CODE_SEMAPHORE_MISUSE,
                 "bupc_sem_alloc: flags 0x%x: at most one of BUPC_SEM_INTEGER and BOOLEAN, one of "
                 "MPRODUCER and SPRODUCER, and one of MCONSUMER and SCONSUMER",
                 (unsigned)flags);
    }
}

struct upcr_semaphore *bupc_sem_alloc(int flags) {
    upc_itself("bupc_sem_alloc");
    check_flags(flags);
    uint64_t address = upc_alloc_local("bupc_sem_alloc", sizeof(struct fl_semaphore));
    if (address) {
        fl_semaphore_init((struct fl_semaphore *)address,
                          flags & BUPC_SEM_BOOLEAN ? FL_SEMAPHORE_BOOLEAN : FL_SEMAPHORE_INTEGER,
                          flags & BUPC_SEM_SPRODUCER, flags & BUPC_SEM_SCONSUMER);
    }
    return (struct upcr_semaphore *)address;
}

void bupc_sem_free(struct upcr_semaphore *s) {
    if (s) {
        fl_semaphore_destroy((struct fl_semaphore *)s);
        upc_alloc_free("bupc_sem_free", (uint64_t)s);
    }
}

void bupc_sem_post(struct upcr_semaphore *s) {
    fl_semaphore_post(to_post(s, "bupc_sem_post"), 1);
}

void bupc_sem_postN(struct upcr_semaphore *s, size_t n) {
    fl_semaphore_post(to_post(s, "bupc_sem_postN"), n);
}

static void wait(struct upcr_semaphore *s, size_t n, const char *what) {
    struct fl_semaphore *semaphore = to_wait(s, what);
    uint64_t since = upc_trace_begin();
    fl_semaphore_wait(semaphore, n, upc_process.wait);
    upc_trace_end_call(since, "wait", what);
}

void bupc_sem_wait(struct upcr_semaphore *s) {
    wait(s, 1, "bupc_sem_wait");
}

void bupc_sem_waitN(struct upcr_semaphore *s, size_t n) {
    wait(s, n, "bupc_sem_waitN");
}

int bupc_sem_try(struct upcr_semaphore *s) {
    return fl_semaphore_try(to_wait(s, "bupc_sem_try"), 1);
}

int bupc_sem_tryN(struct upcr_semaphore *s, size_t n) {
    return fl_semaphore_try(to_wait(s, "bupc_sem_tryN"), n);
}

/* Whether a post to the semaphore can follow a put to the address on the same connection. */
static bool same_way(uint64_t to, const struct fl_semaphore *semaphore) {
    uint64_t other = (uint64_t)semaphore;
    return !fl_comm_is_here(to) && !fl_comm_is_here(other) &&
           fl_comm_proc_of(to) == fl_comm_proc_of(other);
}

static void put_and_post(uint64_t to, const void *src, size_t nbytes,
                         struct fl_semaphore *semaphore, size_t n) {
    struct fl_comm_op op = {0};
    uint64_t since = upc_trace_begin();
    /* The post may not come before earlier writes. Other signalling puts have posts of their own, which
     * tell their targets. */
    fl_comm_quiet_unsignalled_elsewhere(fl_comm_proc_of(to));
    if (nbytes <= fl_comm_aggregated_most()) {
        fl_comm_put_soon_nb(to, src, nbytes, fl_comm_signalled());
    } else {
        fl_comm_put_nb(to, src, nbytes, &op);
    }
    fl_semaphore_post_behind(semaphore, n);
    fl_comm_wait(&op);
    upc_trace_end_call_at(since, "write", "bupc_memput_signal", to, nbytes);
}

void bupc_memput_signal(upcr_pts dst, const void *src, size_t nbytes, struct upcr_semaphore *s,
                        size_t n) {
    struct fl_semaphore *semaphore = to_post(s, "bupc_memput_signal");
    if (same_way(upcr_address(dst), semaphore)) {
        put_and_post(upcr_address(dst), src, nbytes, semaphore, n);
    } else {
        upc_memput(dst, src, nbytes);
        fl_semaphore_post(semaphore, n);
    }
}

upc_handle_t bupc_memput_signal_async(upcr_pts dst, const void *src, size_t nbytes,
                                      struct upcr_semaphore *s, size_t n) {
    bupc_memput_signal(dst, src, nbytes, s, n);
    return nb_over(NB_bupc_memput_signal_async);
}
