/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective operations of teams, and those of GASNet-1, which are over all ranks. All members
 * begin a team's operations in the same order. The memory may lie outside segments.
 */
#ifndef GASNET_COLL_H
#define GASNET_COLL_H

#include "gasnetex.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Computes arg2[i] = arg1[i] op arg2[i] for `count` elements. Runs in any polling thread. */
typedef void (*gex_Coll_ReduceFn_t)(const void *arg1, void *arg2_and_out, size_t count,
                                    const void *cdata);

gex_Event_t(gex_Coll_BroadcastNB)(gex_TM_t tm, gex_Rank_t root, void *dst, const void *src,
                                  size_t bytes, gex_Flags_t flags);
gex_Event_t(gex_Coll_ReduceToOneNB)(gex_TM_t tm, gex_Rank_t root, void *dst, const void *src,
                                    gex_DT_t type, size_t bytes, size_t count, gex_OP_t op,
                                    gex_Coll_ReduceFn_t function, void *context, gex_Flags_t flags);
gex_Event_t(gex_Coll_ReduceToAllNB)(gex_TM_t tm, void *dst, const void *src, gex_DT_t type,
                                    size_t bytes, size_t count, gex_OP_t op,
                                    gex_Coll_ReduceFn_t function, void *context, gex_Flags_t flags);

/* ---- GASNet-1: with one of the IN flags, one of the OUT flags, and GASNET_COLL_LOCAL ---- */

typedef gas_team_t gasnet_team_handle_t;
#define GASNET_TEAM_ALL GAS_TEAM_ALL
typedef uint32_t gasnet_image_t;
typedef gex_Event_t gasnet_coll_handle_t;
#define GASNET_COLL_INVALID_HANDLE GEX_EVENT_INVALID

#define GASNET_COLL_IN_NOSYNC (1 << 0)
#define GASNET_COLL_IN_MYSYNC (1 << 1)
#define GASNET_COLL_IN_ALLSYNC (1 << 2)
#define GASNET_COLL_OUT_NOSYNC (1 << 3)
#define GASNET_COLL_OUT_MYSYNC (1 << 4)
#define GASNET_COLL_OUT_ALLSYNC (1 << 5)
#define GASNET_COLL_SINGLE (1 << 6)
#define GASNET_COLL_LOCAL (1 << 7)
#define GASNET_COLL_AGGREGATE (1 << 8)
#define GASNET_COLL_DST_IN_SEGMENT (1 << 10)
#define GASNET_COLL_SRC_IN_SEGMENT (1 << 11)
#define GASNET_COLL_NO_IMAGES (1 << 19)

/* Each in two forms: nonblocking and blocking. A member waits only for the data that it needs; each
 * ALLSYNC flag adds a barrier. */
#define FL_GASNET_COLLECTIVE(name, ...)                                                            \
    gasnet_coll_handle_t(gasnet_coll_##name##_nb)(gasnet_team_handle_t team, __VA_ARGS__,          \
                                                  int flags);                                      \
    void(gasnet_coll_##name)(gasnet_team_handle_t team, __VA_ARGS__, int flags);
FL_GASNET_COLLECTIVE(broadcast, void *dst, gasnet_image_t root, void *src, size_t bytes)
FL_GASNET_COLLECTIVE(scatter, void *dst, gasnet_image_t root, void *src, size_t bytes)
FL_GASNET_COLLECTIVE(gather, gasnet_image_t root, void *dst, void *src, size_t bytes)
FL_GASNET_COLLECTIVE(gather_all, void *dst, void *src, size_t bytes)
FL_GASNET_COLLECTIVE(exchange, void *dst, void *src, size_t bytes)
#undef FL_GASNET_COLLECTIVE

static inline void(gasnet_coll_wait_sync)(gasnet_coll_handle_t handle) {
    (gex_Event_Wait)(handle);
}
static inline void(gasnet_coll_wait_sync_some)(gasnet_coll_handle_t *handles, size_t n) {
    (gex_Event_WaitSome)(handles, n, 0);
}
static inline void(gasnet_coll_wait_sync_all)(gasnet_coll_handle_t *handles, size_t n) {
    (gex_Event_WaitAll)(handles, n, 0);
}
static inline int(gasnet_coll_try_sync)(gasnet_coll_handle_t handle) {
    (void)(gasnet_AMPoll)();
    return (gex_Event_Test)(handle);
}
static inline int(gasnet_coll_try_sync_some)(gasnet_coll_handle_t *handles, size_t n) {
    (void)(gasnet_AMPoll)();
    return (gex_Event_TestSome)(handles, n, 0);
}
static inline int(gasnet_coll_try_sync_all)(gasnet_coll_handle_t *handles, size_t n) {
    (void)(gasnet_AMPoll)();
    return (gex_Event_TestAll)(handles, n, 0);
}

#define gasnet_coll_init(images, image, functions, n_functions, flags)                             \
    ((void)(images), (void)(image), (void)(functions), (void)(n_functions), (void)(flags))
#define gasnet_coll_barrier_notify(team, id, flags) ((void)(team), gasnet_barrier_notify(id, flags))
#define gasnet_coll_barrier_wait(team, id, flags) ((void)(team), gasnet_barrier_wait(id, flags))
#define gasnet_coll_barrier_try(team, id, flags) ((void)(team), gasnet_barrier_try(id, flags))
#define gasnet_coll_barrier_result(team, id_p) ((void)(team), gasnet_barrier_result(id_p))
#define gasnet_coll_barrier(team, id, flags) ((void)(team), gasnet_barrier(id, flags))
#define gasnet_coll_dumpTuningState(file, team) ((void)(file), (void)(team))
#define gasnet_coll_loadTuningState(file, team) ((void)(file), (void)(team))
#define gasnet_coll_dumpProfile(file, team) ((void)(file), (void)(team))

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
