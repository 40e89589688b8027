/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The communication layer by itself, for runtimes of other languages and for libraries in C: active
 * messages, one-sided transfers, remote atomic operations and barriers between the processes of a
 * job, on one host or several. The terms are those of GASNet-EX, the names our own. See
 * furlong_gas(3); link with what `pkg-config --libs furlong-gas` says, start with upcrun.
 */
#ifndef FURLONG_GAS_H
#define FURLONG_GAS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t gas_rank_t;
#define GAS_RANK_NONE ((gas_rank_t)-1)

/* What functions return: 0, or why nothing was done. */
enum { GAS_OK = 0, GAS_ERR_NOT_READY = 1, GAS_ERR_BARRIER_MISMATCH = 2, GAS_ERR_BAD_ARG = 3 };

/* ---- the job ---- */

enum { GAS_THREADS = 1 }; /* several threads of the process will call functions of this header */

int gas_init(unsigned flags);
void gas_finish(void);
void gas_exit(int status) __attribute__((noreturn));
gas_rank_t gas_rank(void);
gas_rank_t gas_size(void);

/* The ranks [first, first + count) share this host's memory; so for every host. */
struct gas_host {
    gas_rank_t first, count;
};
unsigned gas_hosts(void);
unsigned gas_host_of(gas_rank_t rank);
struct gas_host gas_host_ranks(unsigned host);

/* ---- segments ---- */

size_t gas_segment_most(void);
int gas_segment_attach(void **address_p, size_t bytes);
void *gas_segment_of(gas_rank_t rank, size_t *bytes_p);

/* Segments of this host: what lies in them is memory that this process can read and write. */
extern struct gas_here {
    uint64_t base, bytes;
} gas_here;

static inline int gas_is_here(const void *address) {
    return (uint64_t)(uintptr_t)address - gas_here.base < gas_here.bytes;
}

/* ---- active messages ---- */

enum { GAS_ARGS_MOST = 16, GAS_HANDLERS_MOST = 256 };
enum { GAS_IMMEDIATE = 1 }; /* rather GAS_ERR_NOT_READY than to wait for room */

typedef struct gas_token *gas_token_t;
typedef uint8_t gas_handler_t;
typedef void gas_handler_function(gas_token_t token, const uint32_t *args, unsigned n_args,
                                  void *payload, size_t bytes);

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
void gas_token_info(gas_token_t token, struct gas_token_info *info_p);

/* Two parameters of the functions below: the arguments and their number. */
#define GAS_ARGS(...)                                                                              \
    ((const uint32_t[]){__VA_ARGS__}), (sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define GAS_NO_ARGS ((const uint32_t *)0), 0
#define GAS_ARG64(value) (uint32_t)(value), (uint32_t)((uint64_t)(value) >> 32)
static inline uint64_t gas_arg64(const uint32_t *args, unsigned first) {
    return args[first] | (uint64_t)args[first + 1] << 32;
}

typedef struct gas_event *gas_event_t;
#define GAS_EVENT_DONE ((gas_event_t)0)
#define GAS_EVENT_NOW ((gas_event_t *)1)   /* the bytes may be changed on return */
#define GAS_EVENT_DEFER ((gas_event_t *)2) /* when the operation has ended */

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

/* Negotiated payload: a message that is written where it will be sent from. */
struct gas_prepared {
    void *payload;
    size_t bytes; /* of room */
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
/* Of a long message, whose address may have been null until now. */
void gas_commit_long(struct gas_prepared *prepared, gas_handler_t handler, size_t bytes,
                     void *address, const uint32_t *args, unsigned n_args);
void gas_cancel(struct gas_prepared *prepared);

/* ---- progress and waiting ---- */

unsigned gas_poll(void);

struct gas_patience {
    unsigned idle;
};
void gas_wait_step(struct gas_patience *patience);
#define GAS_BLOCK_UNTIL(condition)                                                                 \
    do {                                                                                           \
        for (struct gas_patience gas_patience_ = {0}; !(condition);) {                             \
            gas_wait_step(&gas_patience_);                                                         \
        }                                                                                          \
        __atomic_thread_fence(__ATOMIC_ACQUIRE);                                                   \
    } while (0)

/* Handler-safe locks; zeros are a free one. */
typedef struct gas_hsl {
    uint32_t hidden;
} gas_hsl_t;
void gas_hsl_lock(gas_hsl_t *lock);
int gas_hsl_try(gas_hsl_t *lock);
void gas_hsl_unlock(gas_hsl_t *lock);

/* ---- events ---- */

/* An event may be tested, or waited for, by any thread, one at a time. */
int gas_event_test(gas_event_t event);
int gas_event_test_nopoll(gas_event_t event);
int gas_event_look(gas_event_t event); /* does not use it up, and does not poll */
void gas_event_wait(gas_event_t event);
int gas_event_test_some(gas_event_t *events, size_t n);
int gas_event_test_all(gas_event_t *events, size_t n);
void gas_event_wait_some(gas_event_t *events, size_t n);
void gas_event_wait_all(gas_event_t *events, size_t n);

/* Operations without an event of their own: the calling thread waits for all together, for those of
 * some kinds (bits), or for those of an access region. */
enum {
    GAS_NBI_GET = 1,
    GAS_NBI_PUT = 2,
    GAS_NBI_AM = 4, /* the payload of long requests may be changed */
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

/* Parts of gas_put_nbi and gas_get_nbi: small puts to a rank of another host travel together. */
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

/* The low 1, 2, 4 or 8 bytes of a value. */
static inline void gas_put_value(void *to, uint64_t value, size_t bytes) {
    gas_put(to, &value, bytes);
}

static inline uint64_t gas_get_value(const void *from, size_t bytes) {
    uint64_t value = 0;
    gas_get(&value, from, bytes);
    return value;
}

/* Several pieces at once: by a list of address and length on each side; by lists of addresses of
 * pieces of one length; by boxes, whose innermost pieces of count[0] bytes repeat count[1], .. times
 * at the distances strides[0], .. in bytes. Both sides have as many bytes. */
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
/* Bits: a domain names those that it will use. The F ones give the value that was there before. */
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
int gas_ad_create(gas_ad_t *domain_p, gas_type_t type, uint32_t ops);
gas_event_t gas_ad_op_nb(const gas_ad_t *domain, void *result, void *address, gas_op_t op,
                         const void *a, const void *b);
/* Those that fetch nothing travel together too. */
void gas_ad_op_nbi(const gas_ad_t *domain, void *result, void *address, gas_op_t op, const void *a,
                   const void *b);

/* What one instruction does: additions of integers, of a kind that the compiler sees, on this host.
 * Sequentially consistent, as all atomic operations are. 0: nothing has been done. */
static inline int fl_gas_add_here(const gas_ad_t *domain, void *result, void *address, gas_op_t op,
                                  const void *a) {
    const uint32_t given = GAS_OP_ADD | GAS_OP_FADD | GAS_OP_SUB | GAS_OP_FSUB;
    const uint32_t ones = GAS_OP_INC | GAS_OP_FINC | GAS_OP_DEC | GAS_OP_FDEC;
    const uint32_t down = GAS_OP_SUB | GAS_OP_FSUB | GAS_OP_DEC | GAS_OP_FDEC;
    const uint32_t fetching = GAS_OP_FADD | GAS_OP_FSUB | GAS_OP_FINC | GAS_OP_FDEC;
    if (!__builtin_constant_p(op) || !(op & (given | ones)) || (op & (op - 1)) != 0 ||
        !(domain->ops & op) || !gas_is_here(address)) {
        return 0;
    }
    if ((domain->type == GAS_I64 || domain->type == GAS_U64) && (uintptr_t)address % 8 == 0) {
        uint64_t n = 1;
        if (op & given) {
            memcpy(&n, a, sizeof n);
        }
        n = __atomic_fetch_add((uint64_t *)address, op & down ? -n : n, __ATOMIC_SEQ_CST);
        if (op & fetching) {
            memcpy(result, &n, sizeof n);
        }
        return 1;
    }
    if ((domain->type == GAS_I32 || domain->type == GAS_U32) && (uintptr_t)address % 4 == 0) {
        uint32_t n = 1;
        if (op & given) {
            memcpy(&n, a, sizeof n);
        }
        n = __atomic_fetch_add((uint32_t *)address, op & down ? -n : n, __ATOMIC_SEQ_CST);
        if (op & fetching) {
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
void gas_barrier_notify(int id, unsigned flags);
int gas_barrier_try(int id, unsigned flags);
int gas_barrier_wait(int id, unsigned flags);
void gas_barrier(void);
int gas_barrier_name(int *id_p); /* of the last one: 1, or 0 if it had none */

/* ---- teams: ranks that perform collective operations together ---- */

typedef struct gas_team *gas_team_t;
#define GAS_TEAM_NONE ((gas_team_t)0)
#define GAS_TEAM_ALL ((gas_team_t)1) /* all ranks of the job */
#define GAS_EVERYBODY ((gas_rank_t)-1) /* in the place of a root */

/* All members of the parent call these; they wait for each other. */
gas_team_t gas_team_split(gas_team_t parent, int color, int key);
gas_team_t gas_team_create(gas_team_t parent, const gas_rank_t *members, size_t n);
void gas_team_free(gas_team_t team);
gas_rank_t gas_team_rank(gas_team_t team);
gas_rank_t gas_team_size(gas_team_t team);
gas_rank_t gas_team_to_job(gas_team_t team, gas_rank_t rank);
gas_rank_t gas_team_from_job(gas_team_t team, gas_rank_t rank);

/* Begun by all members in the same order, waited for as one likes; memory is any. */
gas_event_t gas_team_barrier_nb(gas_team_t team);
gas_event_t gas_team_broadcast_nb(gas_team_t team, gas_rank_t root, void *dst, const void *src,
                                  size_t bytes);
gas_event_t gas_team_scatter_nb(gas_team_t team, gas_rank_t root, void *dst, const void *src,
                                size_t bytes);
gas_event_t gas_team_gather_nb(gas_team_t team, gas_rank_t root, void *dst, const void *src,
                               size_t bytes);
gas_event_t gas_team_exchange_nb(gas_team_t team, void *dst, const void *src, size_t bytes);

/* inout[i] = in[i] op inout[i], for n elements; may run in any thread that polls. */
typedef void gas_reduce_function(const void *in, void *inout, size_t n, const void *context);
gas_reduce_function *gas_reduction(gas_type_t type, gas_op_t op); /* null: there is none */
gas_event_t gas_team_reduce_nb(gas_team_t team, gas_rank_t root, void *dst, const void *src,
                               size_t bytes_each, size_t count, gas_reduce_function *combine,
                               const void *context);

#define gas_team_barrier(team) gas_event_wait(gas_team_barrier_nb(team))
#define gas_team_broadcast(...) gas_event_wait(gas_team_broadcast_nb(__VA_ARGS__))
#define gas_team_scatter(...) gas_event_wait(gas_team_scatter_nb(__VA_ARGS__))
#define gas_team_gather(...) gas_event_wait(gas_team_gather_nb(__VA_ARGS__))
#define gas_team_exchange(...) gas_event_wait(gas_team_exchange_nb(__VA_ARGS__))
#define gas_team_reduce(...) gas_event_wait(gas_team_reduce_nb(__VA_ARGS__))

#ifdef __cplusplus
}
#endif

#endif
