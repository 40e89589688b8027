/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM 1.5 for C and C++, without Fortran. Compile with shmemcc, start with shmemrun; see
 * furlong_shmem(3).
 *
 * A symmetric object lies in the heap, which is in the PE's segment, or is a global or static
 * variable of the program, whose pages shmem_init maps into that segment. The distance between the
 * segments of consecutive PEs is constant, so one addition gives an object's address at another PE,
 * which is a C pointer if the PE is on this host.
 *
 * The functions follow the standard; the level given to shmem_init_thread determines which threads
 * may call them. Misuse ends the job with error R0801.
 */
#ifndef FURLONG_SHMEM_H
#define FURLONG_SHMEM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Calls are inlined where the compiler optimises. Elsewhere, and where a function's address is taken,
 * the functions are the library's (runtime/shmem/entries.c); tools may define them: <pshmem.h>. */
#ifndef FURLONG_CALL
#define FURLONG_CALL extern __inline__ __attribute__((__gnu_inline__))
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 5
#define SHMEM_MAX_NAME_LEN 64
#define SHMEM_VENDOR_STRING "Furlong"
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING

/* Macros and not enumerators, so that #if and #ifdef see them. */
#define SHMEM_THREAD_SINGLE 0
#define SHMEM_THREAD_FUNNELED 1
#define SHMEM_THREAD_SERIALIZED 2
#define SHMEM_THREAD_MULTIPLE 3
#define SHMEM_CMP_EQ 0
#define SHMEM_CMP_NE 1
#define SHMEM_CMP_GT 2
#define SHMEM_CMP_LE 3
#define SHMEM_CMP_LT 4
#define SHMEM_CMP_GE 5
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_LE SHMEM_CMP_LE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_GE SHMEM_CMP_GE
#define SHMEM_SIGNAL_SET 0
#define SHMEM_SIGNAL_ADD 1
#define SHMEM_MALLOC_ATOMICS_REMOTE 1
#define SHMEM_MALLOC_SIGNAL_REMOTE 2

/* For active sets: the work array's initial value and its length in longs, and the least length of
 * a reduction's work array in elements. */
#define SHMEM_SYNC_VALUE 0
#define SHMEM_SYNC_SIZE 8
#define SHMEM_BARRIER_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_BCAST_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_COLLECT_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALL_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 1
#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_SYNC_SIZE SHMEM_SYNC_SIZE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE

/* ---- the job ---- */

void shmem_init(void);
int shmem_init_thread(int requested, int *provided);
void shmem_query_thread(int *provided);
void shmem_finalize(void);
void shmem_global_exit(int status);
int shmem_my_pe(void);
int shmem_n_pes(void);
int shmem_pe_accessible(int pe);
int shmem_addr_accessible(const void *address, int pe);
void shmem_info_get_version(int *major, int *minor);
void shmem_info_get_name(char *name);
/* A hook for profiling tools, which replace it; does nothing itself. */
void shmem_pcontrol(int level, ...);

/* Deprecated names. */
void start_pes(int unused);
int _my_pe(void);
int _num_pes(void);
void shmem_set_cache_inv(void);
void shmem_clear_cache_inv(void);
void shmem_set_cache_line_inv(void *address);
void shmem_clear_cache_line_inv(void *address);
void shmem_udcflush(void);
void shmem_udcflush_line(void *address);

/* ---- the symmetric heap: collective over all PEs, with equal arguments; blocks ---- */

void *shmem_malloc(size_t bytes);
void *shmem_calloc(size_t count, size_t bytes);
void *shmem_align(size_t alignment, size_t bytes);
void *shmem_realloc(void *block, size_t bytes);
void shmem_free(void *block);
void *shmem_malloc_with_hints(size_t bytes, long hints);
void *shmalloc(size_t bytes);
void shfree(void *block);
void *shrealloc(void *block, size_t bytes);
void *shmemalign(size_t alignment, size_t bytes);

/* ---- teams and contexts ---- */

typedef struct furlong_shmem_team *shmem_team_t;
typedef struct furlong_shmem_ctx *shmem_ctx_t;
typedef struct shmem_team_config_t {
    int num_contexts;
} shmem_team_config_t;
#define SHMEM_TEAM_NUM_CONTEXTS 1
#define SHMEM_CTX_SERIALIZED 1
#define SHMEM_CTX_PRIVATE 2
#define SHMEM_CTX_NOSTORE 4

extern struct furlong_shmem_team furlong_shmem_world, furlong_shmem_shared;
extern struct furlong_shmem_ctx furlong_shmem_default;
#define SHMEM_TEAM_WORLD (&furlong_shmem_world)
#define SHMEM_TEAM_SHARED (&furlong_shmem_shared)
#define SHMEM_TEAM_INVALID ((shmem_team_t)0)
#define SHMEM_CTX_DEFAULT (&furlong_shmem_default)
#define SHMEM_CTX_INVALID ((shmem_ctx_t)0)

int shmem_team_my_pe(shmem_team_t team);
int shmem_team_n_pes(shmem_team_t team);
int shmem_team_get_config(shmem_team_t team, long mask, shmem_team_config_t *config);
int shmem_team_translate_pe(shmem_team_t from, int pe, shmem_team_t to);
int shmem_team_split_strided(shmem_team_t parent, int start, int stride, int size,
                             const shmem_team_config_t *config, long mask, shmem_team_t *team);
int shmem_team_split_2d(shmem_team_t parent, int x_range, const shmem_team_config_t *x_config,
                        long x_mask, shmem_team_t *x_team, const shmem_team_config_t *y_config,
                        long y_mask, shmem_team_t *y_team);
void shmem_team_destroy(shmem_team_t team);
int shmem_ctx_create(long options, shmem_ctx_t *ctx);
int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t *ctx);
void shmem_ctx_destroy(shmem_ctx_t ctx);
int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t *team);

/* ---- internal parts of the functions below; not for programs ---- */

extern struct furlong_shmem {
    uint64_t base, bytes;        /* this PE's symmetric memory in its segment */
    uint64_t data, data_bytes;   /* the program's variables, also mapped at `base` */
    uint64_t stride;             /* distance from a PE's segment to the next, in bytes */
    unsigned first_here, n_here; /* PEs of this host; 0 before shmem_init */
    unsigned me, n, hosts;
} furlong_shmem;

/* Translates a PE number of the context's team to that of the job. */
int furlong_shmem_ctx_pe(shmem_ctx_t ctx, int pe);
/* Where the PE is not on this host; an object or PE that there is not ends the job with an error. */
void furlong_shmem_put_far(void *dest, const void *source, size_t bytes, int pe);
void furlong_shmem_put_nbi_far(void *dest, const void *source, size_t bytes, int pe);
void furlong_shmem_get_far(void *dest, const void *source, size_t bytes, int pe);
void furlong_shmem_get_nbi_far(void *dest, const void *source, size_t bytes, int pe);
void furlong_shmem_strided_put(void *to, const void *from, ptrdiff_t to_stride,
                               ptrdiff_t from_stride, size_t each, size_t n, int pe);
void furlong_shmem_strided_get(void *to, const void *from, ptrdiff_t to_stride,
                               ptrdiff_t from_stride, size_t each, size_t n, int pe);
enum furlong_shmem_op {
    FURLONG_SHMEM_GET,
    FURLONG_SHMEM_SET,
    FURLONG_SHMEM_SWAP,
    FURLONG_SHMEM_ADD,
    FURLONG_SHMEM_AND,
    FURLONG_SHMEM_OR,
    FURLONG_SHMEM_XOR,
    FURLONG_SHMEM_CAS
};
uint64_t furlong_shmem_atomic_far(const void *dest, int pe, enum furlong_shmem_op op, size_t bytes,
                                  uint64_t value, uint64_t expected);
enum furlong_shmem_quantity { FURLONG_SHMEM_ALL, FURLONG_SHMEM_ANY, FURLONG_SHMEM_SOME };
/* Compares `n` variables, except those with a nonzero status, with one value or with one each.
 * Returns how many comparisons hold (ALL: SIZE_MAX unless all do), or for ANY the index of one
 * (SIZE_MAX: none). Blocks until enough hold if `waits`; ALL: until each has held once. */
size_t furlong_shmem_compare(const volatile void *variables, size_t each, int is_signed, size_t n,
                             size_t *indices, const int *status, int comparison,
                             const void *values, int has_values, int waits,
                             enum furlong_shmem_quantity quantity);

/* The address of a symmetric object at a PE of this host. Null: there is no such object or PE, or it is
 * on another host. */
FURLONG_CALL void *furlong_shmem_here(const void *symmetric, int pe) {
    const struct furlong_shmem *s = &furlong_shmem;
    uint64_t own = (uint64_t)(uintptr_t)symmetric;
    uint64_t at = own + ((uint64_t)(unsigned)pe - s->me) * s->stride;
    if (__builtin_expect((unsigned)pe - s->first_here < s->n_here, 1)) {
        if (__builtin_expect(own - s->base < s->bytes, 1)) {
            return (void *)(uintptr_t)at;
        }
        if (__builtin_expect(own - s->data < s->data_bytes, 1)) {
            return (void *)(uintptr_t)(at - s->data + s->base);
        }
    }
    return NULL;
}

FURLONG_CALL int furlong_shmem_pe(shmem_ctx_t ctx, int pe) {
    return __builtin_expect(ctx == SHMEM_CTX_DEFAULT, 1) ? pe : furlong_shmem_ctx_pe(ctx, pe);
}

FURLONG_CALL void *shmem_ptr(const void *symmetric, int pe) {
    return furlong_shmem_here(symmetric, pe);
}

/* ---- ordering ---- */

void furlong_shmem_quiet_far(void);

FURLONG_CALL void shmem_quiet(void) {
    if (furlong_shmem.hosts > 1) {
        furlong_shmem_quiet_far();
    }
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
FURLONG_CALL void shmem_fence(void) {
    if (furlong_shmem.hosts > 1) {
        furlong_shmem_quiet_far();
    }
    __atomic_thread_fence(__ATOMIC_RELEASE);
}
FURLONG_CALL void shmem_ctx_quiet(shmem_ctx_t ctx) {
    (void)ctx;
    shmem_quiet();
}
FURLONG_CALL void shmem_ctx_fence(shmem_ctx_t ctx) {
    (void)ctx;
    shmem_fence();
}

/* ---- bytes ---- */

FURLONG_CALL void shmem_ctx_putmem(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes,
                                   int pe) {
    pe = furlong_shmem_pe(ctx, pe);
    void *to = furlong_shmem_here(dest, pe);
    if (__builtin_expect(to != NULL, 1)) {
        memcpy(to, source, bytes);
    } else {
        furlong_shmem_put_far(dest, source, bytes, pe);
    }
}
FURLONG_CALL void shmem_ctx_getmem(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes,
                                   int pe) {
    pe = furlong_shmem_pe(ctx, pe);
    const void *from = furlong_shmem_here(source, pe);
    if (__builtin_expect(from != NULL, 1)) {
        memcpy(dest, from, bytes);
    } else {
        furlong_shmem_get_far(dest, source, bytes, pe);
    }
}
FURLONG_CALL void shmem_ctx_putmem_nbi(shmem_ctx_t ctx, void *dest, const void *source,
                                       size_t bytes, int pe) {
    pe = furlong_shmem_pe(ctx, pe);
    void *to = furlong_shmem_here(dest, pe);
    if (__builtin_expect(to != NULL, 1)) {
        memcpy(to, source, bytes);
    } else {
        furlong_shmem_put_nbi_far(dest, source, bytes, pe);
    }
}
FURLONG_CALL void shmem_ctx_getmem_nbi(shmem_ctx_t ctx, void *dest, const void *source,
                                       size_t bytes, int pe) {
    pe = furlong_shmem_pe(ctx, pe);
    const void *from = furlong_shmem_here(source, pe);
    if (__builtin_expect(from != NULL, 1)) {
        memcpy(dest, from, bytes);
    } else {
        furlong_shmem_get_nbi_far(dest, source, bytes, pe);
    }
}
FURLONG_CALL void shmem_putmem(void *dest, const void *source, size_t bytes, int pe) {
    shmem_ctx_putmem(SHMEM_CTX_DEFAULT, dest, source, bytes, pe);
}
FURLONG_CALL void shmem_getmem(void *dest, const void *source, size_t bytes, int pe) {
    shmem_ctx_getmem(SHMEM_CTX_DEFAULT, dest, source, bytes, pe);
}
FURLONG_CALL void shmem_putmem_nbi(void *dest, const void *source, size_t bytes, int pe) {
    shmem_ctx_putmem_nbi(SHMEM_CTX_DEFAULT, dest, source, bytes, pe);
}
FURLONG_CALL void shmem_getmem_nbi(void *dest, const void *source, size_t bytes, int pe) {
    shmem_ctx_getmem_nbi(SHMEM_CTX_DEFAULT, dest, source, bytes, pe);
}

/* ---- signals ---- */

void shmem_ctx_putmem_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes,
                             uint64_t *signal_at, uint64_t signal, int op, int pe);
void shmem_ctx_putmem_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes,
                                 uint64_t *signal_at, uint64_t signal, int op, int pe);
FURLONG_CALL void shmem_putmem_signal(void *dest, const void *source, size_t bytes,
                                      uint64_t *signal_at, uint64_t signal, int op, int pe) {
    shmem_ctx_putmem_signal(SHMEM_CTX_DEFAULT, dest, source, bytes, signal_at, signal, op, pe);
}
FURLONG_CALL void shmem_putmem_signal_nbi(void *dest, const void *source, size_t bytes,
                                          uint64_t *signal_at, uint64_t signal, int op, int pe) {
    shmem_ctx_putmem_signal_nbi(SHMEM_CTX_DEFAULT, dest, source, bytes, signal_at, signal, op, pe);
}
uint64_t shmem_signal_fetch(const uint64_t *signal_at);
uint64_t shmem_signal_wait_until(uint64_t *signal_at, int comparison, uint64_t value);

/* ---- collective operations on bytes, and locks: blocking ---- */

void shmem_barrier_all(void);
void shmem_sync_all(void);
int shmem_team_sync(shmem_team_t team);
void shmem_barrier(int start, int log_stride, int size, long *work);
void furlong_shmem_sync_set(int start, int log_stride, int size, long *work);

int shmem_broadcastmem(shmem_team_t team, void *dest, const void *source, size_t bytes, int root);
int shmem_collectmem(shmem_team_t team, void *dest, const void *source, size_t bytes);
int shmem_fcollectmem(shmem_team_t team, void *dest, const void *source, size_t bytes);
int shmem_alltoallmem(shmem_team_t team, void *dest, const void *source, size_t bytes);
int shmem_alltoallsmem(shmem_team_t team, void *dest, const void *source, ptrdiff_t to_stride,
                       ptrdiff_t from_stride, size_t count);
int furlong_shmem_alltoalls(shmem_team_t team, void *dest, const void *source,
                            ptrdiff_t to_stride, ptrdiff_t from_stride, size_t each, size_t count);
typedef void furlong_shmem_combiner(const void *in, void *inout, size_t n, const void *unused);
int furlong_shmem_reduce(shmem_team_t team, void *dest, const void *source, size_t each,
                         size_t count, furlong_shmem_combiner *combine);
void furlong_shmem_reduce_set(void *dest, const void *source, size_t each, int count, int start,
                              int log_stride, int size, long *work,
                              furlong_shmem_combiner *combine);

#define FURLONG_SHMEM_SETS(bits)                                                                   \
    void shmem_broadcast##bits(void *dest, const void *source, size_t n, int root, int start,      \
                               int log_stride, int size, long *work);                              \
    void shmem_collect##bits(void *dest, const void *source, size_t n, int start, int log_stride,  \
                             int size, long *work);                                                \
    void shmem_fcollect##bits(void *dest, const void *source, size_t n, int start,                 \
                              int log_stride, int size, long *work);                               \
    void shmem_alltoall##bits(void *dest, const void *source, size_t n, int start,                 \
                              int log_stride, int size, long *work);                               \
    void shmem_alltoalls##bits(void *dest, const void *source, ptrdiff_t to_stride,                \
                               ptrdiff_t from_stride, size_t n, int start, int log_stride,         \
                               int size, long *work);
FURLONG_SHMEM_SETS(32)
FURLONG_SHMEM_SETS(64)
#undef FURLONG_SHMEM_SETS

void shmem_set_lock(long *lock);
void shmem_clear_lock(long *lock);
int shmem_test_lock(long *lock);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#include <furlong/shmem_typed.h>

#endif
