/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of UPC that a tool hears of (gasp.h), with their further arguments. Where arguments are
 * added after a `;` they come with GASP_END only.
 *
 * Types: `pts` is `gasp_upc_PTS_t *`, the address of a pointer-to-shared that lives as long as the
 * call; `lock` is `gasp_upc_lock_t *`, an address that tells locks apart; `handle` is
 * `gasp_upc_nb_handle_t`; `named`, `relaxed`, `c`, `flags` and `result` are int, `n`, `nblocks` and the
 * like size_t, all others pointers.
 */
#ifndef FURLONG_GASP_UPC_H
#define FURLONG_GASP_UPC_H

#include <gasp.h>
#include <stddef.h>

/* EVENT(name): the tags GASP_UPC_name, for tools that want tables. */
#define GASP_UPC_EVENTS(EVENT)                                                                     \
    /* The program's main ends (int status, GASP_ATOMIC); upc_global_exit (int status). */         \
    EVENT(COLLECTIVE_EXIT)                                                                         \
    EVENT(NONCOLLECTIVE_EXIT)                                                                      \
    /* Statements. BARRIER, NOTIFY, WAIT: named, int value. FENCE: nothing. */                     \
    EVENT(NOTIFY)                                                                                  \
    EVENT(WAIT)                                                                                    \
    EVENT(BARRIER)                                                                                 \
    EVENT(FENCE)                                                                                   \
    /* Accesses. GET: relaxed, to, pts from, n. PUT: relaxed, pts to, from, n. A loop whose reads  \
     * travel together is one GET of all its bytes. ATOMIC: pts at, n, an access to a shared       \
     * `_Atomic` object or by a built-in function. */                                              \
    EVENT(GET)                                                                                     \
    EVENT(PUT)                                                                                     \
    EVENT(ATOMIC)                                                                                  \
    /* Memory. GLOBAL_ALLOC, ALL_ALLOC: nblocks, nbytes; pts. ALLOC: nbytes; pts. FREE, ALL_FREE:  \
     * pts. */                                                                                     \
    EVENT(GLOBAL_ALLOC)                                                                            \
    EVENT(ALL_ALLOC)                                                                               \
    EVENT(ALLOC)                                                                                   \
    EVENT(FREE)                                                                                    \
    EVENT(ALL_FREE)                                                                                \
    /* Locks. The first two: ; lock. LOCK_ATTEMPT: lock; result. The others: lock. */              \
    EVENT(GLOBAL_LOCK_ALLOC)                                                                       \
    EVENT(ALL_LOCK_ALLOC)                                                                          \
    EVENT(LOCK_FREE)                                                                               \
    EVENT(ALL_LOCK_FREE)                                                                           \
    EVENT(LOCK)                                                                                    \
    EVENT(LOCK_ATTEMPT)                                                                            \
    EVENT(UNLOCK)                                                                                  \
    /* Transfers. MEMCPY: pts to, pts from, n. MEMGET: to, pts from, n. MEMPUT: pts to, from, n.   \
     * MEMSET: pts to, c, n. NB_*_INIT: the same; handle. NBI_*: the same as without NBI.          \
     * NB_SYNC: handle. NB_SYNC_ATTEMPT: handle; result. NBI_SYNC: nothing. NBI_SYNC_ATTEMPT: ;    \
     * result. */                                                                                  \
    EVENT(MEMCPY)                                                                                  \
    EVENT(MEMGET)                                                                                  \
    EVENT(MEMPUT)                                                                                  \
    EVENT(MEMSET)                                                                                  \
    EVENT(NB_MEMCPY_INIT)                                                                          \
    EVENT(NB_MEMGET_INIT)                                                                          \
    EVENT(NB_MEMPUT_INIT)                                                                          \
    EVENT(NB_MEMSET_INIT)                                                                          \
    EVENT(NBI_MEMCPY)                                                                              \
    EVENT(NBI_MEMGET)                                                                              \
    EVENT(NBI_MEMPUT)                                                                              \
    EVENT(NBI_MEMSET)                                                                              \
    EVENT(NB_SYNC)                                                                                 \
    EVENT(NB_SYNC_ATTEMPT)                                                                         \
    EVENT(NBI_SYNC)                                                                                \
    EVENT(NBI_SYNC_ATTEMPT)                                                                        \
    /* Collective functions. The first five: pts dst, pts src, nbytes, flags. ALL_PERMUTE: pts dst, \
     * pts src, pts perm, nbytes, flags. ALL_REDUCE, ALL_PREFIX_REDUCE: pts dst, pts src, int op,  \
     * nelems, blk_size, func, flags, int type (gasp_upc_reduction_t). */                          \
    EVENT(ALL_BROADCAST)                                                                           \
    EVENT(ALL_SCATTER)                                                                             \
    EVENT(ALL_GATHER)                                                                              \
    EVENT(ALL_GATHER_ALL)                                                                          \
    EVENT(ALL_EXCHANGE)                                                                            \
    EVENT(ALL_PERMUTE)                                                                             \
    EVENT(ALL_REDUCE)                                                                              \
    EVENT(ALL_PREFIX_REDUCE)

enum {
    GASP_UPC_BEFORE_FIRST = 0xff,
#define GASP_UPC_EVENT(name) GASP_UPC_##name,
    GASP_UPC_EVENTS(GASP_UPC_EVENT)
#undef GASP_UPC_EVENT
};

/* The tags of the program's own events, which a tool gives (gasp_create_event). */
#define GASP_UPC_USEREVT_START 0x1000u
#define GASP_UPC_USEREVT_END 0xffffu

/* The type of a reduction, by the letters of its function: upc_all_reduceUI has GASP_UPC_REDUCTION_UI. */
typedef enum {
    GASP_UPC_REDUCTION_C,
    GASP_UPC_REDUCTION_UC,
    GASP_UPC_REDUCTION_S,
    GASP_UPC_REDUCTION_US,
    GASP_UPC_REDUCTION_I,
    GASP_UPC_REDUCTION_UI,
    GASP_UPC_REDUCTION_L,
    GASP_UPC_REDUCTION_UL,
    GASP_UPC_REDUCTION_F,
    GASP_UPC_REDUCTION_D,
    GASP_UPC_REDUCTION_LD
} gasp_upc_reduction_t;

#if defined __UPC__ && defined THREADS
typedef shared void *gasp_upc_PTS_t;
#else
/* `shared void *` as C sees it. */
typedef struct {
    unsigned long of_furlong;
} gasp_upc_PTS_t;
#endif

typedef struct gasp_upc_lock gasp_upc_lock_t;

/* A transfer that is under way; GASP_UPC_NB_TRIVIAL if it was complete at once. */
typedef struct gasp_upc_transfer *gasp_upc_nb_handle_t;
#define GASP_UPC_NB_TRIVIAL ((gasp_upc_nb_handle_t)0)

#ifdef __cplusplus
extern "C" {
#endif

/* For tools that are written in C: upc_threadof, upc_phaseof and upc_addrfield of what `pts` points
 * to, MYTHREAD and THREADS. For any thread between gasp_init and its end. */
size_t gasp_upc_threadof(const gasp_upc_PTS_t *pts);
size_t gasp_upc_phaseof(const gasp_upc_PTS_t *pts);
size_t gasp_upc_addrfield(const gasp_upc_PTS_t *pts);
int gasp_upc_mythread(void);
int gasp_upc_threads(void);

#ifdef __cplusplus
}
#endif

#endif
