/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The communication layer by itself, for runtimes of other languages and for libraries in C: active
 * messages, one-sided transfers, remote atomic operations, barriers and teams between the processes
 * of a job, on one host or several. The terms are those of GASNet-EX, the names our own. See
 * furlong_gas(3); link with what `pkg-config --libs furlong-gas` says, start with upcrun.
 *
 * Any thread of a process that gave GAS_THREADS to gas_init may call a function whose comment says
 * nothing else. Misuse ends the job with error R0801.
 */
#ifndef FURLONG_GAS_H
#define FURLONG_GAS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* for shared libraries of a program */

typedef uint32_t gas_rank_t;
#define GAS_RANK_NONE ((gas_rank_t)-1)

/* Results of functions: GAS_OK, or the reason why not. */
enum { GAS_OK = 0, GAS_ERR_NOT_READY = 1, GAS_ERR_BARRIER_MISMATCH = 2, GAS_ERR_BAD_ARG = 3 };

/* ---- the job ---- */

enum { GAS_THREADS = 1 }; /* several threads of the process will call functions of this header */

/* gas_init comes first, once. gas_finish is collective over all ranks; returning from main and
 * exit(0) imply it. gas_exit ends the whole job at once. */
int gas_init(unsigned flags);
void gas_finish(void);
void gas_exit(int status) __attribute__((noreturn));
gas_rank_t gas_rank(void);
gas_rank_t gas_size(void);

/* The ranks [first, first + count) of a host, which share its memory. */
struct gas_host {
    gas_rank_t first, count;
};
unsigned gas_hosts(void);
unsigned gas_host_of(gas_rank_t rank);
struct gas_host gas_host_ranks(unsigned host);

/* ---- segments ---- */

/* gas_segment_attach is collective over all ranks, and a barrier: it sets the size of this rank's
 * segment and stores its address, which is the same in all processes. It returns GAS_ERR_BAD_ARG
 * for more than gas_segment_most() bytes. gas_segment_of may block, unless bytes_p is null. */
size_t gas_segment_most(void);
int gas_segment_attach(void **address_p, size_t bytes);
void *gas_segment_of(gas_rank_t rank, size_t *bytes_p);

/* The segments of this host: this process can load from them and store to them directly. */
extern struct gas_here {
    uint64_t base, bytes;
} gas_here;

static inline int gas_is_here(const void *address) {
    return (uint64_t)(uintptr_t)address - gas_here.base < gas_here.bytes;
}

/* ---- active messages ---- */

enum { GAS_ARGS_MOST = 16, GAS_HANDLERS_MOST = 256 };
enum { GAS_IMMEDIATE = 1 }; /* return GAS_ERR_NOT_READY instead of waiting for room */

typedef struct gas_token *gas_token_t;
typedef uint8_t gas_handler_t;
typedef void gas_handler_function(gas_token_t token, const uint32_t *args, unsigned n_args,
                                  void *payload, size_t bytes);

/* Each rank registers a handler, under the same number, before a message for it can arrive. */
void gas_register(gas_handler_t handler, gas_handler_function *run);
size_t gas_max_medium(void);
size_t gas_max_long(void);

enum gas_category { GAS_SHORT, GAS_MEDIUM, GAS_LONG };
struct gas_token_info {
    gas_rank_t source;
    gas_handler_t handler;
    int is_request;
    enum gas_category category;
};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* in C++, of the structure's constructor */
void gas_token_info(gas_token_t token, struct gas_token_info *info_p);
#pragma GCC diagnostic pop

/* Each expands to two parameters of the functions below: the arguments and their number. */
#define GAS_ARGS(...)                                                                              \
    ((const uint32_t[]){__VA_ARGS__}), (sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define GAS_NO_ARGS ((const uint32_t *)0), 0
#define GAS_ARG64(value) (uint32_t)(value), (uint32_t)((uint64_t)(value) >> 32)
static inline uint64_t gas_arg64(const uint32_t *args, unsigned first) {
    return args[first] | (uint64_t)args[first + 1] << 32;
}

typedef struct gas_event *gas_event_t;
#define GAS_EVENT_DONE ((gas_event_t)0)
/* Values of a parameter `local`, which says when the caller may change the payload again; a pointer
 * gets a local event, which ends then. */
#define GAS_EVENT_NOW ((gas_event_t *)1)   /* on return */
#define GAS_EVENT_DEFER ((gas_event_t *)2) /* when the operation has ended */

/* Requests block while the receiver's inbox has no room, and run handlers meanwhile. The handler of
 * a request may reply once, the handler of a reply may not; a handler calls nothing else that sends
 * or waits. The caller may change the payload of short and medium messages on return. */

int gas_request_short(gas_rank_t to, gas_handler_t handler, unsigned flags, const uint32_t *args,
                      unsigned n_args);
int gas_request_medium(gas_rank_t to, gas_handler_t handler, const void *payload, size_t bytes,
                       unsigned flags, const uint32_t *args, unsigned n_args);
int gas_request_long(gas_rank_t to, gas_handler_t handler, const void *payload, size_t bytes,
                     void *address, gas_event_t *local, unsigned flags, const uint32_t *args,
                     unsigned n_args);
void gas_reply_short(gas_token_t token, gas_handler_t handler, const uint32_t *args,
                     unsigned n_args);
void gas_reply_medium(gas_token_t token, gas_handler_t handler, const void *payload, size_t bytes,
                      const uint32_t *args, unsigned n_args);
void gas_reply_long(gas_token_t token, gas_handler_t handler, const void *payload, size_t bytes,
                    void *address, const uint32_t *args, unsigned n_args);

/* Negotiated payload: the caller writes `payload` in place, and then commits or cancels. Between
 * the two calls the thread must not wait for anything. */
struct gas_prepared {
    void *payload;
    size_t bytes; /* room at `payload` */
    uint64_t hidden[12];
};
int gas_prepare_medium(gas_rank_t to, size_t least, size_t most, struct gas_prepared *prepared_p);
int gas_prepare_medium_try(gas_rank_t to, size_t least, size_t most,
                           struct gas_prepared *prepared_p);
int gas_prepare_long(gas_rank_t to, size_t least, size_t most, void *address,
                     struct gas_prepared *prepared_p);
int gas_prepare_reply_medium(gas_token_t token, size_t least, size_t most,
                             struct gas_prepared *prepared_p);
int gas_prepare_reply_long(gas_token_t token, size_t least, size_t most, void *address,
                           struct gas_prepared *prepared_p);
void gas_commit(struct gas_prepared *prepared, gas_handler_t handler, size_t bytes,
                const uint32_t *args, unsigned n_args);
/* For a long message that was prepared with the same address or with null. */
void gas_commit_long(struct gas_prepared *prepared, gas_handler_t handler, size_t bytes,
                     void *address, const uint32_t *args, unsigned n_args);
void gas_cancel(struct gas_prepared *prepared);

/* ---- progress and waiting ---- */

/* Runs the handlers of messages that have arrived, and returns their number. Never blocks. */
unsigned gas_poll(void);

/* The state of one waiting loop; starts as zeros. */
struct gas_patience {
    uint64_t hidden;
};
void gas_wait_step(struct gas_patience *patience);
/* Waits, polling, until a handler or another rank makes the condition true. Acquires. */
#define GAS_BLOCK_UNTIL(condition)                                                                 \
    do {                                                                                           \
        struct gas_patience gas_patience_ = {0};                                                   \
        while (!(condition)) {                                                                     \
            gas_wait_step(&gas_patience_);                                                         \
        }                                                                                          \
        __atomic_thread_fence(__ATOMIC_ACQUIRE);                                                   \
    } while (0)

/* Handler-safe locks, free when all zeros. The holder must not poll. Handlers may lock them. */
typedef struct gas_hsl {
    uint32_t hidden;
} gas_hsl_t;
void gas_hsl_lock(gas_hsl_t *lock);
int gas_hsl_try(gas_hsl_t *lock);
void gas_hsl_unlock(gas_hsl_t *lock);

/* ---- events ---- */

/* Any thread may test an event or wait for it, one thread at a time. Success uses the event up; the
 * functions for several events set each ended event to GAS_EVENT_DONE. Tests return GAS_OK or,
 * after they have polled, GAS_ERR_NOT_READY. */
int gas_event_test(gas_event_t event);
int gas_event_test_nopoll(gas_event_t event);
int gas_event_look(gas_event_t event); /* does not poll, and leaves the event valid */
void gas_event_wait(gas_event_t event);
int gas_event_test_some(gas_event_t *events, size_t n);
int gas_event_test_all(gas_event_t *events, size_t n);
void gas_event_wait_some(gas_event_t *events, size_t n);
void gas_event_wait_all(gas_event_t *events, size_t n);

/* Implicit operations have no event of their own. A thread waits for all of its own together, for
 * some kinds (a sum of these bits), or for an access region, which gas_nbi_end gives one event. */
enum {
    GAS_NBI_GET = 1,
    GAS_NBI_PUT = 2,
    GAS_NBI_AM = 4, /* long requests: ended when the caller may change the payload */
    GAS_NBI_ATOMIC = 8,
    GAS_NBI_OTHER = 16,
    GAS_NBI_ALL = 31
};
void gas_nbi_add_to(unsigned kind, gas_event_t event);
void gas_nbi_add(gas_event_t event); /* to GAS_NBI_OTHER */
int gas_nbi_test(void);
void gas_nbi_wait(void);
int gas_nbi_test_of(unsigned kinds); /* does not poll */
void gas_nbi_wait_of(unsigned kinds);
void gas_nbi_begin(void);
gas_event_t gas_nbi_end(void);

/* ---- one-sided transfers; `to` of a put and `from` of a get are in a segment ---- */

/* The _nb functions return an event; until it ends the caller leaves the memory alone. The _nbi
 * functions start implicit operations. Both may block for room, and then poll. The others return
 * when the transfer has ended. Transfers to different addresses take effect in any order. */
gas_event_t gas_put_nb(void *to, const void *from, size_t bytes, gas_event_t *local);
gas_event_t gas_get_nb(void *to, const void *from, size_t bytes);

static inline void gas_put(void *to, const void *from, size_t bytes) {
    if (__builtin_expect(gas_is_here(to), 1)) {
        memcpy(to, from, bytes);
    } else {
        gas_event_wait(gas_put_nb(to, from, bytes, GAS_EVENT_DEFER));
    }
}

static inline void gas_get(void *to, const void *from, size_t bytes) {
    if (__builtin_expect(gas_is_here(from), 1)) {
        memcpy(to, from, bytes);
    } else {
        gas_event_wait(gas_get_nb(to, from, bytes));
    }
}

/* The slow paths of gas_put_nbi and gas_get_nbi; they aggregate small puts to another host. */
void fl_gas_put_nbi(void *to, const void *from, size_t bytes);
void fl_gas_get_nbi(void *to, const void *from, size_t bytes);

static inline void gas_put_nbi(void *to, const void *from, size_t bytes) {
    if (__builtin_expect(gas_is_here(to), 1)) {
        memcpy(to, from, bytes);
    } else {
        fl_gas_put_nbi(to, from, bytes);
    }
}

static inline void gas_get_nbi(void *to, const void *from, size_t bytes) {
    if (__builtin_expect(gas_is_here(from), 1)) {
        memcpy(to, from, bytes);
    } else {
        fl_gas_get_nbi(to, from, bytes);
    }
}

/* Transfer the low 1, 2, 4 or 8 bytes of a value. */
static inline void gas_put_value(void *to, uint64_t value, size_t bytes) {
    gas_put(to, &value, bytes);
}

static inline uint64_t gas_get_value(const void *from, size_t bytes) {
    uint64_t value = 0;
    gas_get(&value, from, bytes);
    return value;
}

/* Several pieces at once. Vector: each side is a list of addresses and lengths. Indexed: each side
 * is a list of addresses and one length for all. Strided: count[0] contiguous bytes, repeated
 * count[1] times at a distance of strides[0] bytes, and so on for `levels` strides. Both sides have
 * the same total number of bytes. The caller may free the lists on return. */
struct gas_piece {
    void *address;
    size_t bytes;
};
gas_event_t gas_put_vector_nb(const struct gas_piece *to, size_t n_to,
                              const struct gas_piece *from, size_t n_from);
gas_event_t gas_get_vector_nb(const struct gas_piece *to, size_t n_to,
                              const struct gas_piece *from, size_t n_from);
gas_event_t gas_put_indexed_nb(void *const *to, size_t n_to, size_t to_bytes,
                               const void *const *from, size_t n_from, size_t from_bytes);
gas_event_t gas_get_indexed_nb(void *const *to, size_t n_to, size_t to_bytes,
                               const void *const *from, size_t n_from, size_t from_bytes);
gas_event_t gas_put_strided_nb(void *to, const ptrdiff_t *to_strides, const void *from,
                               const ptrdiff_t *from_strides, const size_t *count,
                               unsigned levels);
gas_event_t gas_get_strided_nb(void *to, const ptrdiff_t *to_strides, const void *from,
                               const ptrdiff_t *from_strides, const size_t *count,
                               unsigned levels);

#define gas_put_vector(...) gas_event_wait(gas_put_vector_nb(__VA_ARGS__))
#define gas_get_vector(...) gas_event_wait(gas_get_vector_nb(__VA_ARGS__))
#define gas_put_indexed(...) gas_event_wait(gas_put_indexed_nb(__VA_ARGS__))
#define gas_get_indexed(...) gas_event_wait(gas_get_indexed_nb(__VA_ARGS__))
#define gas_put_strided(...) gas_event_wait(gas_put_strided_nb(__VA_ARGS__))
#define gas_get_strided(...) gas_event_wait(gas_get_strided_nb(__VA_ARGS__))

#define gas_put_vector_nbi(...) gas_nbi_add_to(GAS_NBI_PUT, gas_put_vector_nb(__VA_ARGS__))
#define gas_get_vector_nbi(...) gas_nbi_add_to(GAS_NBI_GET, gas_get_vector_nb(__VA_ARGS__))
#define gas_put_indexed_nbi(...) gas_nbi_add_to(GAS_NBI_PUT, gas_put_indexed_nb(__VA_ARGS__))
#define gas_get_indexed_nbi(...) gas_nbi_add_to(GAS_NBI_GET, gas_get_indexed_nb(__VA_ARGS__))
#define gas_put_strided_nbi(...) gas_nbi_add_to(GAS_NBI_PUT, gas_put_strided_nb(__VA_ARGS__))
#define gas_get_strided_nbi(...) gas_nbi_add_to(GAS_NBI_GET, gas_get_strided_nb(__VA_ARGS__))

/* ---- remote atomic operations ---- */

typedef enum { GAS_I32, GAS_U32, GAS_I64, GAS_U64, GAS_FLT, GAS_DBL } gas_type_t;
/* Bits; a domain names the operations that it will use. The F variants fetch the old value. */
typedef enum {
    GAS_OP_SET = 1 << 0,
    GAS_OP_GET = 1 << 1,
    GAS_OP_SWAP = 1 << 2,
    GAS_OP_CAS = 1 << 3,
    GAS_OP_FCAS = 1 << 4,
    GAS_OP_ADD = 1 << 5,
    GAS_OP_FADD = 1 << 6,
    GAS_OP_SUB = 1 << 7,
    GAS_OP_FSUB = 1 << 8,
    GAS_OP_INC = 1 << 9,
    GAS_OP_FINC = 1 << 10,
    GAS_OP_DEC = 1 << 11,
    GAS_OP_FDEC = 1 << 12,
    GAS_OP_MULT = 1 << 13,
    GAS_OP_FMULT = 1 << 14,
    GAS_OP_MIN = 1 << 15,
    GAS_OP_FMIN = 1 << 16,
    GAS_OP_MAX = 1 << 17,
    GAS_OP_FMAX = 1 << 18,
    GAS_OP_AND = 1 << 19,
    GAS_OP_FAND = 1 << 20,
    GAS_OP_OR = 1 << 21,
    GAS_OP_FOR = 1 << 22,
    GAS_OP_XOR = 1 << 23,
    GAS_OP_FXOR = 1 << 24
} gas_op_t;
typedef struct gas_ad {
    gas_type_t type;
    uint32_t ops;
} gas_ad_t;
/* Returns GAS_ERR_BAD_ARG for an operation that the type does not have. */
int gas_ad_create(gas_ad_t *domain_p, gas_type_t type, uint32_t ops);
/* The word is aligned and in a segment. Reads the operands before it returns; `result` is valid
 * when the event has ended. CAS compares with *a and writes *b. */
gas_event_t gas_ad_op_nb(const gas_ad_t *domain, void *result, void *address, gas_op_t op,
                         const void *a, const void *b);
/* Aggregates operations on other hosts that fetch nothing. */
void gas_ad_op_nbi(const gas_ad_t *domain, void *result, void *address, gas_op_t op, const void *a,
                   const void *b);

/* Fast path of gas_ad_op for additions of integers on this host whose operation is a constant: one
 * instruction. Sequentially consistent, like all atomic operations. Returns 0 if it did nothing. */
static inline int fl_gas_add_here(const gas_ad_t *domain, void *result, void *address, gas_op_t op,
                                  const void *a) {
    const uint32_t given = GAS_OP_ADD | GAS_OP_FADD | GAS_OP_SUB | GAS_OP_FSUB;
    const uint32_t ones = GAS_OP_INC | GAS_OP_FINC | GAS_OP_DEC | GAS_OP_FDEC;
    const uint32_t down = GAS_OP_SUB | GAS_OP_FSUB | GAS_OP_DEC | GAS_OP_FDEC;
    const uint32_t fetching = GAS_OP_FADD | GAS_OP_FSUB | GAS_OP_FINC | GAS_OP_FDEC;
    const uint32_t bit = (uint32_t)op;
    if (!__builtin_constant_p(op) || !(bit & (given | ones)) || (bit & (bit - 1)) != 0 ||
        !(domain->ops & bit) || !gas_is_here(address)) {
        return 0;
    }
    if ((domain->type == GAS_I64 || domain->type == GAS_U64) && (uintptr_t)address % 8 == 0) {
        uint64_t n = 1;
        if (bit & given) {
            memcpy(&n, a, sizeof n);
        }
        n = __atomic_fetch_add((uint64_t *)address, bit & down ? -n : n, __ATOMIC_SEQ_CST);
        if (bit & fetching) {
            memcpy(result, &n, sizeof n);
        }
        return 1;
    }
    if ((domain->type == GAS_I32 || domain->type == GAS_U32) && (uintptr_t)address % 4 == 0) {
        uint32_t n = 1;
        if (bit & given) {
            memcpy(&n, a, sizeof n);
        }
        n = __atomic_fetch_add((uint32_t *)address, bit & down ? -n : n, __ATOMIC_SEQ_CST);
        if (bit & fetching) {
            memcpy(result, &n, sizeof n);
        }
        return 1;
    }
    return 0;
}

static inline void gas_ad_op(const gas_ad_t *domain, void *result, void *address, gas_op_t op,
                             const void *a, const void *b) {
    if (!fl_gas_add_here(domain, result, address, op, a)) {
        gas_event_wait(gas_ad_op_nb(domain, result, address, op, a, b));
    }
}

/* ---- barriers ---- */

enum { GAS_BARRIER_ANONYMOUS = 1, GAS_BARRIER_MISMATCH = 2 };
/* One thread of each rank at a time calls these. notify never blocks; try and wait return
 * GAS_ERR_BARRIER_MISMATCH if ids differ. A barrier does not wait for transfers. */
void gas_barrier_notify(int id, unsigned flags);
int gas_barrier_try(int id, unsigned flags);
int gas_barrier_wait(int id, unsigned flags);
void gas_barrier(void);
int gas_barrier_name(int *id_p); /* stores the last barrier's id; 0 if no rank gave one, else 1 */

/* ---- teams: ranks that perform collective operations together ---- */

typedef struct gas_team *gas_team_t;
#define GAS_TEAM_NONE ((gas_team_t)0)
#define GAS_TEAM_ALL ((gas_team_t)1) /* all ranks of the job */
#define GAS_EVERYBODY ((gas_rank_t)-1) /* as a root: every member gets the result */

/* The first three are collective over the parent, or over the team to free, and block. A member
 * with a negative color or an empty list gets GAS_TEAM_NONE. */
gas_team_t gas_team_split(gas_team_t parent, int color, int key);
gas_team_t gas_team_create(gas_team_t parent, const gas_rank_t *members, size_t n);
void gas_team_free(gas_team_t team);
gas_rank_t gas_team_rank(gas_team_t team);
gas_rank_t gas_team_size(gas_team_t team);
gas_rank_t gas_team_to_job(gas_team_t team, gas_rank_t rank);
gas_rank_t gas_team_from_job(gas_team_t team, gas_rank_t rank);

/* All members begin a team's operations in the same order. Any thread may wait for them, in any
 * order. The memory may lie outside segments. */
gas_event_t gas_team_barrier_nb(gas_team_t team);
gas_event_t gas_team_broadcast_nb(gas_team_t team, gas_rank_t root, void *dst, const void *src,
                                  size_t bytes);
gas_event_t gas_team_scatter_nb(gas_team_t team, gas_rank_t root, void *dst, const void *src,
                                size_t bytes);
gas_event_t gas_team_gather_nb(gas_team_t team, gas_rank_t root, void *dst, const void *src,
                               size_t bytes);
gas_event_t gas_team_exchange_nb(gas_team_t team, void *dst, const void *src, size_t bytes);

/* Computes inout[i] = in[i] op inout[i] for n elements. Runs in any polling thread, so it calls no
 * function of this header. */
typedef void gas_reduce_function(const void *in, void *inout, size_t n, const void *context);
gas_reduce_function *gas_reduction(gas_type_t type, gas_op_t op); /* null: no such reduction */
gas_event_t gas_team_reduce_nb(gas_team_t team, gas_rank_t root, void *dst, const void *src,
                               size_t bytes_each, size_t count, gas_reduce_function *combine,
                               const void *context);

#define gas_team_barrier(team) gas_event_wait(gas_team_barrier_nb(team))
#define gas_team_broadcast(...) gas_event_wait(gas_team_broadcast_nb(__VA_ARGS__))
#define gas_team_scatter(...) gas_event_wait(gas_team_scatter_nb(__VA_ARGS__))
#define gas_team_gather(...) gas_event_wait(gas_team_gather_nb(__VA_ARGS__))
#define gas_team_exchange(...) gas_event_wait(gas_team_exchange_nb(__VA_ARGS__))
#define gas_team_reduce(...) gas_event_wait(gas_team_reduce_nb(__VA_ARGS__))

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
