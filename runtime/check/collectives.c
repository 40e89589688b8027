/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective operations (wrapped.def), between what the flags have threads wait for (UPC 1.3 7.3.3):
 * ALLSYNC is a barrier, MYSYNC and NOSYNC order nothing. Under MYSYNC a thread's memory is accessed
 * while that thread is in the call: it is the thread itself that is taken to access it. Under NOSYNC
 * it may be any thread's call in which that happens: the one before is taken to do so as well. Where
 * one half of the flags is MYSYNC the other one is taken for that, too, since the thread before may
 * then be too late or too early.
 */
#include "check/calls.h"

static void meet(enum upc_barrier_use use) {
    check_barrier_release();
    upc_barrier_called(use);
    check_barrier_acquire();
}

/* A missing half means ALLSYNC. Where no collective function may be called, the job ends before it is
 * at a barrier there. */
static void meet_before(enum upc_barrier_use use, upc_flag_t flags) {
    (void)upc_collective_enter(use);
    if (!(flags & (UPC_IN_MYSYNC | UPC_IN_NOSYNC))) {
        meet(use);
    }
}

static void meet_after(enum upc_barrier_use use, upc_flag_t flags) {
    if (!(flags & (UPC_OUT_MYSYNC | UPC_OUT_NOSYNC))) {
        meet(use);
    }
}

/* Before threads wait for each other as their flags say. */
static void compare_flags(enum upc_barrier_use use, upc_flag_t flags) {
    (void)upc_collective_enter(use);
    upc_collective_agree(use, &(struct upc_argument){"flags", (uint64_t)flags, UPC_SYNC}, 1);
}

/* One side of a move: bytes at the thread that `p` points to, or at each thread. */
struct side {
    upcr_pts p;
    size_t bytes;
    bool on_all;
};

static void access_part(const struct side *side, unsigned thread, unsigned access,
                        uint32_t site) {
    const struct fl_space *space = &upc_process.space;
    uint64_t address = upcr_address(side->p);
    if (!check_is_here(address)) {
        return;
    }
    if (side->on_all) {
        address = fl_space_address(space, thread, fl_space_offset(space, address));
    }
    if (fl_space_thread(space, address) == thread) {
        check_range(address, side->bytes, access, site);
    }
}

static void access_side(const struct side *side, unsigned access, uint32_t site) {
    access_part(side, check_self.me, access, site);
    if ((access & CHECK_COLLECTIVE) == CHECK_COLLECTIVE && check_self.threads > 1) {
        access_part(side, (check_self.me + 1) % check_self.threads, access, site);
    }
}

/* How the operation's accesses are recorded. */
static unsigned manner_of(upc_flag_t flags) {
    bool any_thread = (flags & (UPC_IN_NOSYNC | UPC_OUT_NOSYNC)) &&
                      !(flags & (UPC_IN_MYSYNC | UPC_OUT_MYSYNC));
    return any_thread ? CHECK_COLLECTIVE : 0;
}

static bool begin(enum upc_barrier_use use, struct side dst, struct side src, upc_flag_t flags,
                  const char *function) {
    if (!check_enter()) {
        return false;
    }
    uint32_t site = check_called(function);
    compare_flags(use, flags);
    meet_before(use, flags);
    access_side(&src, manner_of(flags) | CHECK_READ, site);
    access_side(&dst, manner_of(flags) | CHECK_WRITE, site);
    return true;
}

#define MOVE(function, USE, dst_bytes, dst_on_all, src_bytes, src_on_all)                          \
    void __wrap_##function(upcr_pts dst, upcr_pts src, size_t n, upc_flag_t flags) {               \
        size_t all = n * upc_process.job.threads;                                                  \
        (void)all;                                                                                 \
        bool checked =                                                                             \
            begin(UPC_AT_##USE, (struct side){dst, dst_bytes, dst_on_all},                         \
                  (struct side){src, src_bytes, src_on_all}, flags, #function);                    \
        __real_##function(dst, src, n, flags);                                                     \
        if (checked) {                                                                             \
            meet_after(UPC_AT_##USE, flags);                                                       \
            check_leave();                                                                         \
        }                                                                                          \
    }
MOVE(upc_all_broadcast, ALL_BROADCAST, n, true, n, false)
MOVE(upc_all_scatter, ALL_SCATTER, n, true, all, false)
MOVE(upc_all_gather, ALL_GATHER, all, false, n, true)
MOVE(upc_all_gather_all, ALL_GATHER_ALL, all, true, n, true)
MOVE(upc_all_exchange, ALL_EXCHANGE, all, true, all, true)

void __wrap_upc_all_permute(upcr_pts dst, upcr_pts src, const int *perm, size_t n,
                            upc_flag_t flags) {
    bool checked = begin(UPC_AT_ALL_PERMUTE, (struct side){dst, n, true},
                         (struct side){src, n, true}, flags, "upc_all_permute");
    __real_upc_all_permute(dst, src, perm, n, flags);
    if (checked) {
        meet_after(UPC_AT_ALL_PERMUTE, flags);
        check_leave();
    }
}

/* The elements of a blocked array from `p` on that the calling thread has. */
struct elements {
    upcr_pts p;
    size_t n, block, bytes;
};

static void access_elements(const struct elements *of, unsigned access, uint32_t site) {
    if (of->n > upc_process.space.here_bytes / of->bytes) {
        return; /* the function itself refuses it */
    }
    uint64_t address = upcr_address(of->p), phase = of->block > 1 ? upcr_phase(of->p) : 0;
    if (of->block == 0) {
        access_side(&(struct side){of->p, of->n * of->bytes, false}, access, site);
        return;
    }
    for (size_t i = 0, next; i < of->n; i = next) {
        next = i + of->block - (phase + i) % of->block;
        next = next < of->n ? next : of->n;
        uint64_t at = upcr_moved(address, phase, (long)i, of->bytes, (long)of->block);
        access_side(&(struct side){at, (next - i) * of->bytes, false}, access, site);
    }
}

static bool begin_reduction(enum upc_barrier_use use, const struct elements *src, upcr_pts dst,
                            bool is_prefix, upc_flag_t flags, const char *function) {
    if (!check_enter()) {
        return false;
    }
    uint32_t site = check_called(function);
    compare_flags(use, flags);
    meet_before(use, flags);
    access_elements(src, manner_of(flags) | CHECK_READ, site);
    struct elements result = {dst, 1, 0, src->bytes};
    if (is_prefix) {
        result = *src;
        result.p = dst;
    }
    access_elements(&result, manner_of(flags) | CHECK_WRITE, site);
    return true;
}

#define REDUCTION(T, kind, USE, is_prefix)                                                         \
    void __wrap_upc_all_##kind##T(                                                                 \
        upcr_pts dst, upcr_pts src, upc_op_t op, size_t nelems, size_t blk_size,                   \
        check_element_##T (*func)(check_element_##T, check_element_##T), upc_flag_t flags) {       \
        bool checked = begin_reduction(                                                            \
            UPC_AT_##USE,                                                                          \
            &(struct elements){src, nelems, blk_size, sizeof(check_element_##T)}, dst, is_prefix,  \
            flags, "upc_all_" #kind #T);                                                           \
        __real_upc_all_##kind##T(dst, src, op, nelems, blk_size, func, flags);                     \
        if (checked) {                                                                             \
            meet_after(UPC_AT_##USE, flags);                                                       \
            check_leave();                                                                         \
        }                                                                                          \
    }
#define FL_COLL_TYPE(T, type, wide, class)                                                         \
    REDUCTION(T, reduce, ALL_REDUCE_##T, false)                                                    \
    REDUCTION(T, prefix_reduce, ALL_PREFIX_REDUCE_##T, true)
FL_COLL_TYPES

/* ---- teams, which share a clock ---- */

#define TEAM(function, parameters, arguments)                                                      \
    void __wrap_##function parameters {                                                            \
        bool checked = check_enter();                                                              \
        if (checked) {                                                                             \
            check_release(CHECK_TEAM_KEY);                                                         \
        }                                                                                          \
        __real_##function arguments;                                                               \
        if (checked) {                                                                             \
            check_acquire(CHECK_TEAM_KEY);                                                         \
            check_leave();                                                                         \
        }                                                                                          \
    }
#define TEAM_MOVE(function)                                                                        \
    TEAM(function,                                                                                 \
         (struct upcx_team * team, upcr_pts dst, upcr_pts src, size_t n, upc_flag_t flags),        \
         (team, dst, src, n, flags))
TEAM_MOVE(upcx_team_broadcast)
TEAM_MOVE(upcx_team_scatter)
TEAM_MOVE(upcx_team_gather)
TEAM_MOVE(upcx_team_gather_all)
TEAM_MOVE(upcx_team_exchange)
TEAM(upcx_team_barrier, (struct upcx_team * team), (team))
TEAM(upcx_team_permute,
     (struct upcx_team * team, upcr_pts dst, upcr_pts src, const int *perm, size_t n,
      upc_flag_t flags),
     (team, dst, src, perm, n, flags))
#define TEAM_REDUCTION(function)                                                                   \
    TEAM(function,                                                                                 \
         (struct upcx_team * team, upcr_pts dst, upcr_pts src, size_t n, upc_type_t type,          \
          upc_op_t op, upc_flag_t flags),                                                          \
         (team, dst, src, n, type, op, flags))
TEAM_REDUCTION(upcx_team_reduce)
TEAM_REDUCTION(upcx_team_reduce_all)

/* ---- files: all threads come to each of these functions ---- */

#define FILE_CALL(function, type, USE, parameters, arguments, flags)                               \
    type __wrap_##function parameters {                                                            \
        bool checked = check_enter();                                                              \
        if (checked) {                                                                             \
            meet_before(UPC_AT_##USE, flags);                                                      \
        }                                                                                          \
        type result = __real_##function arguments;                                                 \
        if (checked) {                                                                             \
            meet_after(UPC_AT_##USE, flags);                                                       \
            check_leave();                                                                         \
        }                                                                                          \
        return result;                                                                             \
    }
/* Their order is that of one barrier. */
enum { BARRIER_BEFORE = UPC_OUT_NOSYNC };
FILE_CALL(upc_all_fopen, void *, FOPEN, (const char *name, int how, size_t n, const void *hints),
          (name, how, n, hints), BARRIER_BEFORE)
FILE_CALL(upc_all_fclose, int, FCLOSE, (void *file), (file), BARRIER_BEFORE)
FILE_CALL(upc_all_fsync, int, FSYNC, (void *file), (file), BARRIER_BEFORE)
FILE_CALL(upc_all_fseek, int64_t, FSEEK, (void *file, int64_t offset, int origin),
          (file, offset, origin), BARRIER_BEFORE)
FILE_CALL(upc_all_fset_size, int, FSET_SIZE, (void *file, int64_t size), (file, size),
          BARRIER_BEFORE)
FILE_CALL(upc_all_fget_size, int64_t, FGET_SIZE, (void *file), (file), BARRIER_BEFORE)
FILE_CALL(upc_all_fwait_async, int64_t, FWAIT_ASYNC, (void *file), (file), BARRIER_BEFORE)
#define LOCAL(function, USE)                                                                       \
    FILE_CALL(function, int64_t, USE,                                                              \
              (void *file, void *p, size_t size, size_t n, upc_flag_t flags),                      \
              (file, p, size, n, flags), flags)
LOCAL(upc_all_fread_local, FREAD_LOCAL)
LOCAL(upc_all_fwrite_local, FWRITE_LOCAL)

/* Of the elements of a shared buffer, whose phase does not count (UPC 1.3 library 7.8.5.2). */
static void access_buffer(upcr_pts p, size_t block, size_t size, size_t n, unsigned access,
                          const char *function) {
    if (size > 0) {
        access_elements(&(struct elements){upcr_address(p), n, block, size}, access,
                        check_called(function));
    }
}

#define SHARED(function, USE, access)                                                              \
    int64_t __wrap_##function(void *file, upcr_pts p, size_t block, size_t size, size_t n,         \
                              upc_flag_t flags) {                                                  \
        bool checked = check_enter();                                                              \
        if (checked) {                                                                             \
            meet_before(UPC_AT_##USE, flags);                                                      \
            access_buffer(p, block, size, n, manner_of(flags) | access, #function);                                   \
        }                                                                                          \
        int64_t result = __real_##function(file, p, block, size, n, flags);                        \
        if (checked) {                                                                             \
            meet_after(UPC_AT_##USE, flags);                                                       \
            check_leave();                                                                         \
        }                                                                                          \
        return result;                                                                             \
    }
SHARED(upc_all_fread_shared, FREAD_SHARED, CHECK_WRITE)
SHARED(upc_all_fwrite_shared, FWRITE_SHARED, CHECK_READ)
