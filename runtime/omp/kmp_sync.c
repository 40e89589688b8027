/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What orders threads and chooses among them, as clang compiles it: barriers, single, critical,
 * reductions, cancellation. OpenMP 5.1 §2.8, §2.10, §2.19-§2.22.
 */
#include "omp/barrier.h"
#include "omp/kmp.h"
#include "omp/lock.h"
#include "omp/program.h"
#include "omp/spans.h"

/* ---- barriers ---- */

FL_OMP_API void __kmpc_barrier(FL_KMP_CALLER) {
    fl_omp_barrier(fl_omp_self());
}

FL_OMP_API int32_t __kmpc_cancel_barrier(FL_KMP_CALLER) {
    return fl_omp_barrier_cancel(fl_omp_self());
}

/* The first member is alone until it calls the end function. */
FL_OMP_API int32_t __kmpc_barrier_master(FL_KMP_CALLER) {
    struct fl_omp_member *me = fl_omp_self();
    fl_omp_barrier(me);
    if (me->number != 0) {
        fl_omp_barrier(me);
    }
    return me->number == 0;
}

FL_OMP_ALIAS(void, __kmpc_end_barrier_master, (FL_KMP_CALLER), __kmpc_barrier);

FL_OMP_API int32_t __kmpc_barrier_master_nowait(FL_KMP_CALLER) {
    struct fl_omp_member *me = fl_omp_self();
    fl_omp_barrier(me);
    return me->number == 0;
}

FL_OMP_API void __kmpc_flush(const void *place) {
    (void)place;
    if (fl_omp_spread()) {
        fl_omp_far_flush();
    } else {
        atomic_thread_fence(memory_order_seq_cst); /* [Y1] pairs itself: the program's flush */
    }
}

/* ---- masked, single ---- */

FL_OMP_API int32_t __kmpc_master(FL_KMP_CALLER) {
    return fl_omp_me->number == 0;
}

FL_OMP_API void __kmpc_end_master(FL_KMP_CALLER) {
}

FL_OMP_API int32_t __kmpc_masked(FL_KMP_CALLER, int32_t filter) {
    return fl_omp_me->number == (uint32_t)filter;
}

FL_OMP_API void __kmpc_end_masked(FL_KMP_CALLER) {
}

FL_OMP_API int32_t __kmpc_single(FL_KMP_CALLER) {
    return GOMP_single_start();
}

FL_OMP_API void __kmpc_end_single(FL_KMP_CALLER) {
}

FL_OMP_API void __kmpc_scope(const void *place, int32_t thread, void *reserved) {
    (void)place;
    (void)thread;
    (void)reserved;
}

FL_OMP_ALIAS(void, __kmpc_end_scope, (const void *, int32_t, void *), __kmpc_scope);

/* The member that executed the single construct publishes the address of its values; over several
 * hosts all members await it. The values stay until the caller's second barrier. */
static void *copied(struct fl_omp_member *me, void *data, bool is_mine) {
    struct fl_omp_team *team = me->team;
    uint64_t number = fl_omp_span_number(me);
    if (is_mine) {
        team->copied = data;
        if (FL_UNLIKELY(team->far)) {
            fl_omp_far_post(number, 0, (uint64_t)(uintptr_t)data);
        }
    }
    fl_omp_barrier(me);
    return FL_UNLIKELY(team->far) ? (void *)fl_omp_far_await(number, 0, 1) : team->copied;
}

FL_OMP_API void __kmpc_copyprivate(FL_KMP_CALLER, size_t bytes, void *data,
                                   void (*copy)(void *to, void *from), int32_t is_mine) {
    (void)bytes;
    struct fl_omp_member *me = fl_omp_self();
    void *from = copied(me, data, is_mine);
    if (!is_mine) {
        copy(data, from);
    }
    fl_omp_barrier(me);
}

/* The same where the caller copies. */
FL_OMP_API void *__kmpc_copyprivate_light(FL_KMP_CALLER, void *data) {
    struct fl_omp_member *me = fl_omp_self();
    return copied(me, data, data != NULL);
}

/* ---- critical ---- */

/* All places with the name share words of the program, zeros at first. */
typedef int32_t critical_name[8];

FL_OMP_API void __kmpc_critical(FL_KMP_CALLER, critical_name *name) {
    fl_omp_lock((_Atomic uint32_t *)name, "critical");
}

FL_OMP_API void __kmpc_critical_with_hint(FL_KMP_CALLER, critical_name *name, uint32_t hint) {
    (void)hint;
    fl_omp_lock((_Atomic uint32_t *)name, "critical");
}

FL_OMP_API void __kmpc_end_critical(FL_KMP_CALLER, critical_name *name) {
    fl_omp_unlock((_Atomic uint32_t *)name);
}

/* ---- reductions ---- */

static bool all_combined(void *context) {
    struct fl_omp_member *me = context;
    /* [R2] pairs [R1]: all members' values have been added to the first one's. */
    return atomic_load_explicit(&me->loop.share->taken, memory_order_seq_cst) == me->team->n;
}

/* Over several hosts: combines the values of a host's members into the first one's. Whether the
 * caller is that member, which alone goes on. */
static FL_COLD bool combine_here(struct fl_omp_member *me, void *data,
                                 void (*combine)(void *to, void *from)) {
    me->loop = (struct fl_omp_loop){.share = NULL};
    fl_omp_share_begin(me);
    struct fl_omp_share *share = me->loop.share;
    fl_mutex_lock(&share->lock);
    bool first = !share->zeros;
    if (first) {
        share->zeros = data;
    } else {
        combine(share->zeros, data);
    }
    fl_mutex_unlock(&share->lock);
    atomic_fetch_add_explicit(&share->taken, 1, memory_order_seq_cst); /* [R1] pairs [R2] */
    fl_wait_ring(&me->team->bell);
    if (first) {
        fl_omp_wait(me, &me->team->bell, all_combined, me, "a reduction");
    }
    fl_omp_share_end(me);
    return first;
}

/* Returns 1: the caller adds its values to the variables, under the lock, and calls the end
 * function; 0: its values have been combined with another member's. Never 2, which asks for atomic
 * operations. */
FL_OMP_API int32_t __kmpc_reduce_nowait(FL_KMP_CALLER, int32_t n, size_t bytes, void *data,
                                        void (*combine)(void *to, void *from),
                                        critical_name *name) {
    struct fl_omp_member *me = fl_omp_self();
    (void)n;
    (void)bytes;
    /* A member that cancels its loop does not arrive here, so none may wait for all. */
    bool all_come = !fl_omp_program.cancellation;
    if (FL_UNLIKELY(me->team->far) && all_come && !combine_here(me, data, combine)) {
        return 0;
    }
    if (FL_LIKELY(me->size > 1)) {
        fl_omp_lock((_Atomic uint32_t *)name, "a reduction");
    }
    return 1;
}

FL_OMP_API void __kmpc_end_reduce_nowait(FL_KMP_CALLER, critical_name *name) {
    if (FL_LIKELY(fl_omp_me->size > 1)) {
        fl_omp_unlock((_Atomic uint32_t *)name);
    }
}

FL_OMP_API int32_t __kmpc_reduce(FL_KMP_CALLER, int32_t n, size_t bytes, void *data,
                                 void (*combine)(void *to, void *from), critical_name *name) {
    int32_t mine = __kmpc_reduce_nowait(place, thread, n, bytes, data, combine, name);
    if (!mine) {
        fl_omp_barrier(fl_omp_me);
    }
    return mine;
}

FL_OMP_API void __kmpc_end_reduce(FL_KMP_CALLER, critical_name *name) {
    __kmpc_end_reduce_nowait(place, thread, name);
    fl_omp_barrier(fl_omp_self());
}

/* ---- cancellation ---- */

/* The kinds are numbered from 1; here each is a bit. A member that leaves its loop so does not ask
 * for the next piece, by which it would leave the share: so it does here. */
static int32_t cancelled(int32_t kind, bool by_caller) {
    int which = 1 << (kind - 1);
    bool yes = by_caller ? GOMP_cancel(which, true) : GOMP_cancellation_point(which);
    if (FL_UNLIKELY(yes) && kind != FL_KMP_CANCEL_TASKGROUP && fl_omp_me->loop.share) {
        fl_omp_share_end(fl_omp_me);
    }
    return yes;
}

FL_OMP_API int32_t __kmpc_cancel(FL_KMP_CALLER, int32_t kind) {
    return cancelled(kind, true);
}

FL_OMP_API int32_t __kmpc_cancellationpoint(FL_KMP_CALLER, int32_t kind) {
    return cancelled(kind, false);
}
