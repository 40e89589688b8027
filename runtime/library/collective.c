/* SPDX-License-Identifier: BSD-3-Clause */
/* <upc_collective.h> (UPC 1.3 library 7.4): flags, layouts and checks. The operations themselves are
 * coll/move.h and coll/reduce.h. */
#include "library/collective.h"

#include "coll/move.h"
#include "coll/reduce.h"
#include "comm/comm.h"
#include "core/fatal.h"

static inline __attribute__((always_inline)) struct fl_coll_call enter(enum upc_barrier_use use,
                                                                     upc_flag_t flags) {
    return upc_coll_call(&upc_process.team, &upc_collective_enter(use)->coll, use, flags);
}

static void *memory(upcr_pts p) {
    return (void *)upcr_address(p);
}

static FL_COLD _Noreturn void bad_argument(uint32_t kind, const char *what) {
    fl_fatal(FL_CODE_BAD_ARGUMENT, "%s: %s", upc_barrier_names[kind], what);
}

static void check_flags(uint32_t kind, upc_flag_t flags) {
    unsigned in = (unsigned)flags & 7, out = (unsigned)flags >> 3;
    if (out > 7 || (in & (in - 1)) != 0 || (out & (out - 1)) != 0) {
        bad_argument(kind, "flags are not one UPC_IN_ and one UPC_OUT_ flag");
    }
}

static void check_given(uint32_t kind, const char *name, upcr_pts p) {
    if (!upcr_address(p)) {
        fl_fatal(FL_CODE_BAD_ARGUMENT, "%s: %s is null", upc_barrier_names[kind], name);
    }
}

/* Refuses counts that are too large, as negative numbers become. */
static void check_count(const struct fl_coll_call *call, const char *name, size_t count,
                        uint64_t most) {
    if (count > most) {
        fl_fatal(FL_CODE_BAD_ARGUMENT, "%s: %s is %zu, more than shared memory holds",
                 upc_barrier_names[call->kind], name, count);
    }
}

static void agree(const struct fl_coll_call *call, const struct upc_argument *arguments,
                  unsigned count) {
    if (call->team == &upc_process.team) {
        upc_collective_agree((enum upc_barrier_use)call->kind, arguments, count);
    } else {
        upc_collective_agree_in(call, arguments, count);
    }
}

static void check_at_0(uint32_t kind, const char *name, upcr_pts p) {
    if (upcr_threadof(upcr_address(p)) != 0) {
        fl_fatal(FL_CODE_BAD_ARGUMENT,
                 "%s: %s points to memory of thread %lu; it must point to that of thread 0, where "
                 "the array begins",
                 upc_barrier_names[kind], name, upcr_threadof(upcr_address(p)));
    }
}

/* One side of a move, as the calling thread sees it. */
struct side {
    uintptr_t begin, end, own; /* own: the block that is for the thread itself */
};

static struct side side_of(const struct fl_coll_call *call, upcr_pts p, bool on_all, bool is_table,
                           size_t nbytes) {
    unsigned me = fl_coll_me(call);
    uintptr_t begin = (uintptr_t)(on_all ? fl_coll_at(call, memory(p), me) : memory(p));
    return (struct side){begin, begin + nbytes * (is_table ? call->team->members : 1),
                         begin + (is_table ? me * nbytes : 0)};
}

void upc_coll_check_move(const struct fl_coll_call *call, const struct upc_coll_move *move) {
    const struct upc_argument arguments[] = {
        {"dst", move->dst, UPC_POINTER},
        {"src", move->src, UPC_POINTER},
        {"nbytes", move->nbytes, UPC_NUMBER},
        {"flags", (uint64_t)move->flags, UPC_SYNC},
    };
    agree(call, arguments, 4);
    check_flags(call->kind, move->flags);
    if (move->nbytes == 0) {
        bad_argument(call->kind, "nbytes is 0; it must be greater");
    }
    check_count(call, "nbytes", move->nbytes, 1ull << call->team->shift);
    check_given(call->kind, "dst", move->dst);
    check_given(call->kind, "src", move->src);
    if (move->dst_on_all) {
        check_at_0(call->kind, "dst", move->dst);
    }
    if (move->src_on_all) {
        check_at_0(call->kind, "src", move->src);
    }
    struct side dst = side_of(call, move->dst, move->dst_on_all, move->dst_is_table, move->nbytes);
    struct side src = side_of(call, move->src, move->src_on_all, move->src_is_table, move->nbytes);
    if (dst.begin < src.end && src.begin < dst.end && !(move->in_place && dst.own == src.own)) {
        bad_argument(call->kind, "dst and src overlap");
    }
}

void upc_all_broadcast(upcr_pts dst, upcr_pts src, size_t nbytes, upc_flag_t flags) {
    uint64_t since = upc_trace_begin();
    struct fl_coll_call call = enter(UPC_AT_ALL_BROADCAST, flags);
    if (FL_UNLIKELY(upc_process.check)) {
        upc_coll_check_move(
            &call, &(struct upc_coll_move){dst, src, nbytes, flags, .dst_on_all = true,
                                           .in_place = true});
    }
    fl_coll_broadcast(&call, memory(dst), memory(src), nbytes);
    upc_coll_leave(&call, since);
}

void upc_all_scatter(upcr_pts dst, upcr_pts src, size_t nbytes, upc_flag_t flags) {
    uint64_t since = upc_trace_begin();
    struct fl_coll_call call = enter(UPC_AT_ALL_SCATTER, flags);
    if (FL_UNLIKELY(upc_process.check)) {
        upc_coll_check_move(
            &call, &(struct upc_coll_move){dst, src, nbytes, flags, .dst_on_all = true,
                                           .src_is_table = true,
                                           .in_place = true});
    }
    fl_coll_scatter(&call, memory(dst), memory(src), nbytes);
    upc_coll_leave(&call, since);
}

void upc_all_gather(upcr_pts dst, upcr_pts src, size_t nbytes, upc_flag_t flags) {
    uint64_t since = upc_trace_begin();
    struct fl_coll_call call = enter(UPC_AT_ALL_GATHER, flags);
    if (FL_UNLIKELY(upc_process.check)) {
        upc_coll_check_move(
            &call, &(struct upc_coll_move){dst, src, nbytes, flags, .src_on_all = true,
                                           .dst_is_table = true,
                                           .in_place = true});
    }
    fl_coll_gather(&call, memory(dst), memory(src), nbytes);
    upc_coll_leave(&call, since);
}

void upc_all_gather_all(upcr_pts dst, upcr_pts src, size_t nbytes, upc_flag_t flags) {
    uint64_t since = upc_trace_begin();
    struct fl_coll_call call = enter(UPC_AT_ALL_GATHER_ALL, flags);
    if (FL_UNLIKELY(upc_process.check)) {
        upc_coll_check_move(
            &call, &(struct upc_coll_move){dst, src, nbytes, flags, .dst_on_all = true,
                                           .src_on_all = true,
                                           .dst_is_table = true,
                                           .in_place = true});
    }
    fl_coll_gather_all(&call, memory(dst), memory(src), nbytes);
    upc_coll_leave(&call, since);
}

void upc_all_exchange(upcr_pts dst, upcr_pts src, size_t nbytes, upc_flag_t flags) {
    uint64_t since = upc_trace_begin();
    struct fl_coll_call call = enter(UPC_AT_ALL_EXCHANGE, flags);
    if (FL_UNLIKELY(upc_process.check)) {
        upc_coll_check_move(
            &call, &(struct upc_coll_move){dst, src, nbytes, flags, .dst_on_all = true,
                                           .src_on_all = true,
                                           .dst_is_table = true,
                                           .src_is_table = true});
    }
    fl_coll_exchange(&call, memory(dst), memory(src), nbytes);
    upc_coll_leave(&call, since);
}

/* Called after upc_coll_check_move, in which the threads have met, so perm is set whatever the
 * flags. */
void upc_coll_check_permutation(const struct fl_coll_call *call, const int *perm) {
    check_given(call->kind, "perm", (upcr_pts)perm);
    check_at_0(call->kind, "perm", (upcr_pts)perm);
    unsigned me = fl_coll_me(call);
    int mine = *(const int *)fl_coll_at(call, perm, me);
    if (mine < 0 || (unsigned)mine >= call->team->members) {
        fl_fatal(FL_CODE_BAD_ARGUMENT, "%s: perm[%u] is %d; it must be %s",
                 upc_barrier_names[call->kind], me, mine,
                 call->team->threads ? "the rank of a member" : "the number of a thread");
    }
    for (unsigned t = 0; t < me; t++) {
        int other;
        fl_comm_get(&other, (uint64_t)fl_coll_at(call, perm, t), sizeof other);
        if (other == mine) {
            fl_fatal(FL_CODE_BAD_ARGUMENT,
                     "%s: perm[%u] and perm[%u] are both %d; they must differ",
                     upc_barrier_names[call->kind], t, me, mine);
        }
    }
}

void upc_all_permute(upcr_pts dst, upcr_pts src, const int *perm, size_t nbytes,
                     upc_flag_t flags) {
    uint64_t since = upc_trace_begin();
    struct fl_coll_call call = enter(UPC_AT_ALL_PERMUTE, flags);
    if (FL_UNLIKELY(upc_process.check)) {
        upc_coll_check_move(
            &call, &(struct upc_coll_move){dst, src, nbytes, flags, .dst_on_all = true,
                                           .src_on_all = true});
        upc_coll_check_permutation(&call, perm);
    }
    fl_coll_permute(&call, memory(dst), memory(src), perm, nbytes);
    upc_coll_leave(&call, since);
}

struct fl_coll_operator upc_coll_operator(enum upc_barrier_use use, enum fl_coll_type type,
                                          upc_op_t op, fl_coll_function function) {
    _Static_assert(1 << FL_COLL_ADD == UPC_ADD && 1 << FL_COLL_MULT == UPC_MULT &&
                       1 << FL_COLL_AND == UPC_AND && 1 << FL_COLL_OR == UPC_OR &&
                       1 << FL_COLL_XOR == UPC_XOR && 1 << FL_COLL_LOGAND == UPC_LOGAND &&
                       1 << FL_COLL_LOGOR == UPC_LOGOR && 1 << FL_COLL_MIN == UPC_MIN &&
                       1 << FL_COLL_MAX == UPC_MAX && 1 << FL_COLL_FUNCTION == UPC_FUNC,
                   "fl_coll_op counts the bits of upc_op_t");
    bool ordered = op == UPC_NONCOMM_FUNC;
    unsigned bits = ordered ? UPC_FUNC : (unsigned)op;
    if (bits == 0 || (bits & (bits - 1)) != 0 || bits > UPC_FUNC) {
        fl_fatal(FL_CODE_BAD_ARGUMENT, "%s: op is %d, which is no operation of reductions",
                 upc_barrier_names[use], op);
    }
    struct fl_coll_operator o = fl_coll_operator(type, (enum fl_coll_op)__builtin_ctz(bits));
    if (!o.fold) {
        bad_argument(use, "op works on bits, but the elements are floating-point numbers");
    }
    if (bits == UPC_FUNC && !function) {
        bad_argument(use, "op asks for the function func, which is null");
    }
    o.function = function;
    o.ordered = ordered;
    return o;
}

/* The operation to use on bools, which must stay 0 or 1. */
static upc_op_t bool_op(upc_op_t op) {
    return op == UPC_ADD ? UPC_LOGOR : op == UPC_MULT ? UPC_LOGAND : op;
}

struct fl_coll_operator upc_coll_operator_of(enum upc_barrier_use use, upc_type_t type,
                                             upc_op_t op, fl_coll_function function) {
    static const enum fl_coll_type types[] = {
        [0] = FL_COLL_UC,          [UPC_CHAR] = FL_COLL_C,    [UPC_UCHAR] = FL_COLL_UC,
        [UPC_SHORT] = FL_COLL_S,   [UPC_USHORT] = FL_COLL_US, [UPC_INT] = FL_COLL_I,
        [UPC_UINT] = FL_COLL_UI,   [UPC_LONG] = FL_COLL_L,    [UPC_ULONG] = FL_COLL_UL,
        [UPC_LLONG] = FL_COLL_L,   [UPC_ULLONG] = FL_COLL_UL, [UPC_INT8] = FL_COLL_C,
        [UPC_UINT8] = FL_COLL_UC,  [UPC_INT16] = FL_COLL_S,   [UPC_UINT16] = FL_COLL_US,
        [UPC_INT32] = FL_COLL_I,   [UPC_UINT32] = FL_COLL_UI, [UPC_INT64] = FL_COLL_L,
        [UPC_UINT64] = FL_COLL_UL, [UPC_FLOAT] = FL_COLL_F,   [UPC_DOUBLE] = FL_COLL_D,
        [UPC_LDOUBLE] = FL_COLL_LD,
    };
    if (type < 0 || type > UPC_LDOUBLE) {
        fl_fatal(FL_CODE_BAD_ARGUMENT, "%s: type is %d, which is no type of numbers",
                 upc_barrier_names[use], type);
    }
    return upc_coll_operator(use, types[type], type == 0 ? bool_op(op) : op, function);
}

/* The arguments of a reduction. */
struct reduction {
    upcr_pts dst, src;
    upc_op_t op;
    size_t nelems, blk_size;
    fl_coll_function function;
    upc_flag_t flags;
};

static FL_COLD void check_phase(const struct fl_coll_call *call, const struct reduction *r,
                                const char *name, upcr_pts p) {
    if (r->blk_size > 0 && upcr_known_phase(p) >= r->blk_size) {
        fl_fatal(FL_CODE_BAD_ARGUMENT,
                 "%s: %s has phase %lu, but blk_size is %zu; give the block size of %s's type",
                 upc_barrier_names[call->kind], name, upcr_phase(p), r->blk_size, name);
    }
}

static FL_COLD void check_reduction(const struct fl_coll_call *call, const struct reduction *r,
                                    size_t size) {
    const struct upc_argument arguments[] = {
        {"dst", r->dst, UPC_POINTER},
        {"src", r->src, UPC_POINTER},
        {"op", (uint64_t)r->op, UPC_OPERATION},
        {"nelems", r->nelems, UPC_NUMBER},
        {"blk_size", r->blk_size, UPC_NUMBER},
        {"flags", (uint64_t)r->flags, UPC_SYNC},
    };
    upc_collective_agree(call->kind, arguments, 6);
    check_flags(call->kind, r->flags);
    check_given(call->kind, "dst", r->dst);
    check_given(call->kind, "src", r->src);
    check_count(call, "nelems", r->nelems, call->team->members * ((1ull << call->team->shift) / size));
    check_phase(call, r, "src", r->src);
}

/* The elements that `p` points to (7.4.3.1p6 to p8). A phase that is not less than blk_size is
 * found in programs compiled with -g; here it only must not give addresses outside shared
 * memory. */
static struct fl_coll_array array_of(const struct fl_coll_call *call, const struct reduction *r,
                                     upcr_pts p, size_t size) {
    uintptr_t address = upcr_address(p);
    size_t phase = r->blk_size > 1 ? upcr_known_phase(p) % r->blk_size : 0;
    if (r->blk_size == 0 || r->nelems <= r->blk_size - phase) {
        return (struct fl_coll_array){address, 0, r->nelems, 0};
    }
    size_t thread = upcr_threadof(address);
    return (struct fl_coll_array){address - thread * call->team->stride - phase * size,
                                  thread * r->blk_size + phase, r->nelems, r->blk_size};
}

static void reduce(enum upc_barrier_use use, enum fl_coll_type type, const struct reduction *r) {
    uint64_t since = upc_trace_begin();
    struct fl_coll_call call = enter(use, r->flags);
    struct fl_coll_operator op = upc_coll_operator(use, type, r->op, r->function);
    if (FL_UNLIKELY(upc_process.check)) {
        check_reduction(&call, r, op.size);
    }
    struct fl_coll_array array = array_of(&call, r, r->src, op.size);
    fl_coll_reduce(&call, memory(r->dst), &array, &op);
    upc_coll_leave(&call, since);
}

static void reduce_all(enum upc_barrier_use use, enum fl_coll_type type,
                       const struct reduction *r) {
    uint64_t since = upc_trace_begin();
    struct fl_coll_call call = enter(use, r->flags);
    struct fl_coll_operator op = upc_coll_operator(use, type, r->op, r->function);
    if (FL_UNLIKELY(upc_process.check)) {
        check_reduction(&call, r, op.size);
        check_at_0(use, "dst", r->dst);
    }
    struct fl_coll_array array = array_of(&call, r, r->src, op.size);
    fl_coll_reduce_all(&call, memory(r->dst), &array, &op);
    upc_coll_leave(&call, since);
}

/* dst is as long as src, and may begin at another thread or phase, which UPC 1.3 leaves undefined
 * (7.4.3.1p10), but programs rely on. */
static void prefix_reduce(enum upc_barrier_use use, enum fl_coll_type type,
                          const struct reduction *r) {
    uint64_t since = upc_trace_begin();
    struct fl_coll_call call = enter(use, r->flags);
    struct fl_coll_operator op = upc_coll_operator(use, type, r->op, r->function);
    if (FL_UNLIKELY(upc_process.check)) {
        check_reduction(&call, r, op.size);
        check_phase(&call, r, "dst", r->dst);
    }
    struct fl_coll_array src = array_of(&call, r, r->src, op.size);
    struct fl_coll_array dst = array_of(&call, r, r->dst, op.size);
    fl_coll_prefix_reduce(&call, &dst, &src, &op);
    upc_coll_leave(&call, since);
}

#define REDUCTION(name, USE, T, type, perform)                                                     \
    void name##T(upcr_pts dst, upcr_pts src, upc_op_t op, size_t nelems, size_t blk_size,          \
                 type (*func)(type, type), upc_flag_t flags) {                                     \
        perform(UPC_AT_##USE##_##T, FL_COLL_##T,                                                   \
                &(struct reduction){dst, src, op, nelems, blk_size, (fl_coll_function)func,        \
                                    flags});                                                       \
    }
#define FL_COLL_TYPE(T, type, wide, class)                                                         \
    REDUCTION(upc_all_reduce, ALL_REDUCE, T, type, reduce)                                         \
    REDUCTION(upc_all_prefix_reduce, ALL_PREFIX_REDUCE, T, type, prefix_reduce)                    \
    REDUCTION(bupc_all_reduce_all, ALL_REDUCE_ALL, T, type, reduce_all)
FL_COLL_TYPES
#undef FL_COLL_TYPE
