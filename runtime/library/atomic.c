/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomicity domains (UPC 1.3 library 7.6). The operations themselves are library/atomic_ops.h.
 *
 * A domain is a line in each thread's memory that is not written while it is used; programs have
 * the address of thread 0's. A call reads its own thread's, finds the function for type and
 * operation in a table, and jumps there with its own arguments. Each process has its own tables,
 * since the same function may have another address there: a domain only names a row of them.
 */
#include "library/atomic.h"

#include "core/fatal.h"
#include "library/alloc.h"
#include "library/atomic_far.h"
#include "library/atomic_ops.h"
#include "upc/collective.h"
#include "upc/trace.h"

#include <string.h>

enum { OPS = 17, MAGIC = 0x41746f6d };

struct upcr_atomicdomain {
    /* <upc_atomic.h> knows these two. */
    _Alignas(FL_CACHE_LINE) upc_op_t unchecked; /* ops; none if calls are to be checked first */
    int32_t integer;                            /* bytes of the type if it is an integer, or 0 */
    uint32_t row;                               /* where the tables begin for this type */
    upc_op_t ops;
    upc_type_t type;
    uint32_t magic; /* MAGIC until it is freed */
};

/* Which operations a class of types has (7.6.2p3): x(..., name of the macro, of the operation, its
 * form). */
#define OPS_ACCESSORS(x, ...)                                                                      \
    x(__VA_ARGS__, GET, get, GET) x(__VA_ARGS__, SET, set, SET) x(__VA_ARGS__, CSWAP, cswap, CSWAP)
#define OPS_BITWISE(x, ...)                                                                        \
    x(__VA_ARGS__, AND, and, BINARY) x(__VA_ARGS__, OR, or, BINARY)                                \
        x(__VA_ARGS__, XOR, xor, BINARY)
#define OPS_NUMERIC(x, ...)                                                                        \
    x(__VA_ARGS__, ADD, add, BINARY) x(__VA_ARGS__, SUB, sub, BINARY)                              \
        x(__VA_ARGS__, MULT, mult, BINARY) x(__VA_ARGS__, MIN, min, BINARY)                        \
            x(__VA_ARGS__, MAX, max, BINARY) x(__VA_ARGS__, INC, inc, UNARY)                       \
                x(__VA_ARGS__, DEC, dec, UNARY)
#define OPS_PTS(x, ...) OPS_ACCESSORS(x, __VA_ARGS__)
#define OPS_FLOATING(x, ...) OPS_ACCESSORS(x, __VA_ARGS__) OPS_NUMERIC(x, __VA_ARGS__)
#define OPS_INTEGER(x, ...) OPS_FLOATING(x, __VA_ARGS__) OPS_BITWISE(x, __VA_ARGS__)

/* One function for each order, type and operation. For calls without the old value the hardware
 * often has shorter instructions. */
#define FORM_GET(order, kind, type, op) *(type *)fetch = kind##_##op((type *)target, order)
#define FORM_SET(order, kind, type, op)                                                            \
    if (fetch) {                                                                                   \
        *(type *)fetch = kind##_swap((type *)target, *(const type *)a, order);                     \
    } else {                                                                                       \
        kind##_set((type *)target, *(const type *)a, order);                                       \
    }
#define FORM_FETCH(value, type)                                                                    \
    if (fetch) {                                                                                   \
        *(type *)fetch = value;                                                                    \
    } else {                                                                                       \
        (void)value;                                                                               \
    }
#define FORM_CSWAP(order, kind, type, op)                                                          \
    FORM_FETCH(kind##_##op((type *)target, *(const type *)a, *(const type *)b, order), type)
#define FORM_BINARY(order, kind, type, op)                                                         \
    FORM_FETCH(kind##_##op((type *)target, *(const type *)a, order), type)
#define FORM_UNARY(order, kind, type, op)                                                          \
    FORM_FETCH(kind##_##op((type *)target, 0, order), type)

#define FUNCTION(order, kind, type, macro, op, form)                                               \
    static void order##_##kind##_##op(struct upcr_atomicdomain *domain, void *fetch,               \
                                      upc_op_t ops, upcr_pts target, const void *a,                \
                                      const void *b) {                                             \
        (void)domain, (void)ops, (void)a, (void)b;                                                 \
        FORM_##form(order, kind, type, op);                                                        \
    }
#define FUNCTIONS(kind, type, class)                                                               \
    OPS_##class(FUNCTION, RELAXED, kind, type) OPS_##class(FUNCTION, STRICT, kind, type)
UPC_ATOMIC_TYPES(FUNCTIONS)

#define KIND(kind, type, class) KIND_##kind,
enum { UPC_ATOMIC_TYPES(KIND) KINDS };

#define ENTRY(order, kind, type, macro, op, form)                                                  \
    [KIND_##kind * OPS + __builtin_ctz(UPC_##macro)] = order##_##kind##_##op,
#define RELAXED_ENTRIES(kind, type, class) OPS_##class(ENTRY, RELAXED, kind, type)
#define STRICT_ENTRIES(kind, type, class) OPS_##class(ENTRY, STRICT, kind, type)
static upc_atomic_function *const relaxed[KINDS * OPS] = {UPC_ATOMIC_TYPES(RELAXED_ENTRIES)};
static upc_atomic_function *const strict[KINDS * OPS] = {UPC_ATOMIC_TYPES(STRICT_ENTRIES)};

static const struct type {
    const char *name; /* null: no type of atomic operations */
    unsigned kind;
    unsigned bytes;
    enum fl_comm_type far; /* on other hosts */
} types[] = {
#define TYPE(type, kind, bytes) [type] = {#type, KIND_##kind, bytes, ATOMIC_FAR_##kind}
    TYPE(UPC_INT, i32, 4),   TYPE(UPC_UINT, u32, 4),   TYPE(UPC_LONG, i64, 8),
    TYPE(UPC_ULONG, u64, 8), TYPE(UPC_INT32, i32, 4),  TYPE(UPC_UINT32, u32, 4),
    TYPE(UPC_INT64, i64, 8), TYPE(UPC_UINT64, u64, 8), TYPE(UPC_FLOAT, f, 4),
    TYPE(UPC_DOUBLE, d, 8),  TYPE(UPC_PTS, p, 8),
};

static const struct type *type_of(upc_type_t type) {
    bool known = type >= 0 && type < (int)(sizeof types / sizeof types[0]) && types[type].name;
    return known ? &types[type] : 0;
}

static upc_op_t ops_of(const struct type *type) {
    upc_op_t ops = 0;
    for (unsigned op = 0; op < OPS; op++) {
        ops |= relaxed[type->kind * OPS + op] ? 1 << op : 0;
    }
    return ops;
}

/* The name of the lowest of some bits of upc_op_t. */
static struct upc_value_text op_name(upc_op_t ops) {
    return upc_value_text(UPC_OPERATION, (unsigned)ops & -(unsigned)ops);
}

static void check_new(const char *what, upc_type_t type, upc_op_t ops) {
    const struct type *t = type_of(type);
    if (!t) {
        fl_fatal(FL_CODE_ATOMIC_MISUSE,
                 "%s: objects of type %d have no atomic operations; types are UPC_INT, UPC_LONG, "
                 "UPC_INT32, UPC_INT64, the unsigned ones, UPC_FLOAT, UPC_DOUBLE and UPC_PTS",
                 what, type);
    }
    upc_op_t wrong = ops & ~ops_of(t);
    if (wrong) {
        fl_fatal(FL_CODE_ATOMIC_MISUSE, "%s: %s has no operation %s (0x%x)", what, t->name,
                 op_name(wrong).text, (unsigned)wrong & -(unsigned)wrong);
    }
}

/* The calling thread's part of a domain. */
static struct upcr_atomicdomain *mine(const struct upcr_atomicdomain *domain) {
    unsigned me = upcr_mythread >= 0 ? (unsigned)upcr_mythread : upc_process.job.first;
    return (struct upcr_atomicdomain *)upcr_address_on(upcr_addrfield((uint64_t)domain), me);
}

static void make_domain(struct upcr_atomicdomain *domain, upc_type_t type, upc_op_t ops) {
    *mine(domain) = (struct upcr_atomicdomain){
        .unchecked = upc_process.check ? 0 : ops,
        .integer = type <= UPC_UINT64 ? (int32_t)type_of(type)->bytes : 0,
        .row = type_of(type)->kind * OPS,
        .ops = ops,
        .type = type,
        .magic = MAGIC,
    };
}

struct upcr_atomicdomain *upc_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops,
                                                     upc_atomichint_t hints) {
    static const char what[] = "upc_all_atomicdomain_alloc";
    struct upc_thread *self = upc_collective_enter(UPC_AT_ALL_ATOMICDOMAIN_ALLOC);
    if (upc_process.check) {
        const struct upc_argument arguments[] = {
            {"type", (uint64_t)type, UPC_TYPE},
            {"ops", (uint64_t)ops, UPC_OPERATION},
            {"hints", (uint64_t)hints, UPC_NUMBER},
        };
        upc_collective_agree(UPC_AT_ALL_ATOMICDOMAIN_ALLOC, arguments, 3);
    }
    check_new(what, type, ops);
    uint64_t address = self->me == 0 ? upc_alloc_global(what, sizeof(struct upcr_atomicdomain)) : 0;
    address = upc_alloc_broadcast(UPC_AT_ALL_ATOMICDOMAIN_ALLOC, address);
    struct upcr_atomicdomain *domain = (struct upcr_atomicdomain *)address;
    if (domain) {
        make_domain(domain, type, ops);
    }
    return domain;
}

/* Whether the address is thread 0's part of a domain. */
static bool is_domain(const struct upcr_atomicdomain *domain) {
    uint64_t address = (uint64_t)domain;
    return address % FL_CACHE_LINE == 0 && upcr_threadof(address) == 0 &&
           address >= upcr_base() && mine(domain)->magic == MAGIC;
}

unsigned upc_atomic_bytes(const struct upcr_atomicdomain *domain) {
    return domain && is_domain(domain) ? type_of(mine(domain)->type)->bytes : 0;
}

static FL_COLD _Noreturn void no_domain(const char *what, const struct upcr_atomicdomain *domain) {
    fl_fatal(FL_CODE_ATOMIC_MISUSE, "%s: %s", what,
             domain ? "this is no atomicity domain, or one that is freed"
                    : "the pointer to the domain is null");
}

/* The domain must stay valid until all threads have called this (7.6.4.2p4): until the barrier. */
void upc_all_atomicdomain_free(struct upcr_atomicdomain *domain) {
    static const char what[] = "upc_all_atomicdomain_free";
    struct upc_thread *self = upc_collective_enter(UPC_AT_ALL_ATOMICDOMAIN_FREE);
    if (upc_process.check) {
        const struct upc_argument argument = {"ptr", (uint64_t)domain, UPC_POINTER};
        upc_collective_agree(UPC_AT_ALL_ATOMICDOMAIN_FREE, &argument, 1);
    }
    if (domain) {
        if (!is_domain(domain)) {
            no_domain(what, domain);
        }
        *mine(domain) = (struct upcr_atomicdomain){0};
    }
    upc_barrier_called(UPC_AT_ALL_ATOMICDOMAIN_FREE);
    if (domain && self->me == 0) {
        upc_alloc_free(what, (uint64_t)domain);
    }
}

struct call {
    const char *what;
    const struct upcr_atomicdomain *domain;
    const void *fetch;
    upc_op_t op;
    uint64_t address;
    const void *operand1, *operand2;
};

static void check_operation(const struct call *c) {
    const struct type *type = type_of(c->domain->type);
    if (c->op == 0 || c->op & (c->op - 1)) {
        fl_fatal(FL_CODE_ATOMIC_MISUSE, "%s: 0x%x is not one operation", c->what, (unsigned)c->op);
    }
    if (!(c->op & c->domain->ops)) {
        fl_fatal(FL_CODE_ATOMIC_MISUSE,
                 "%s: %s is not among the operations of the domain (0x%x, for %s); name it in the "
                 "call of upc_all_atomicdomain_alloc",
                 c->what, op_name(c->op).text, (unsigned)c->domain->ops, type->name);
    }
}

static void check_operand(const struct call *c, const char *which, const void *operand,
                          upc_op_t needed_by) {
    bool needed = c->op & needed_by;
    if (needed != (operand != 0)) {
        fl_fatal(FL_CODE_ATOMIC_MISUSE, "%s: %s must %sbe null for %s", c->what, which,
                 needed ? "not " : "", op_name(c->op).text);
    }
}

static void check_target(const struct call *c) {
    const struct type *type = type_of(c->domain->type);
    if (!c->address) {
        fl_fatal(FL_CODE_ATOMIC_MISUSE, "%s: the target is null", c->what);
    }
    if (c->address % type->bytes) {
        fl_fatal(FL_CODE_ATOMIC_MISUSE,
                 "%s: the target, offset 0x%lx at thread %lu, is not aligned for a %s", c->what,
                 upcr_addrfield(c->address), upcr_threadof(c->address), type->name);
    }
}

static void check_call(const struct call *c) {
    check_operation(c);
    if (c->op == UPC_GET && !c->fetch) {
        fl_fatal(FL_CODE_ATOMIC_MISUSE, "%s: fetch_ptr must not be null for UPC_GET", c->what);
    }
    check_operand(c, "operand1", c->operand1, ~(UPC_GET | UPC_INC | UPC_DEC));
    check_operand(c, "operand2", c->operand2, UPC_CSWAP);
    check_target(c);
}

/* comm's operations, indexed by the bits of upc_op_t. */
static const enum fl_comm_atomic far_ops[OPS] = {
    [0] = FL_COMM_ADD,  [1] = FL_COMM_MULT, [2] = FL_COMM_AND,  [3] = FL_COMM_OR,
    [4] = FL_COMM_XOR,  [7] = FL_COMM_MIN,  [8] = FL_COMM_MAX,  [11] = FL_COMM_GET,
    [12] = FL_COMM_SET, [13] = FL_COMM_CAS, [14] = FL_COMM_SUB, [15] = FL_COMM_INC,
    [16] = FL_COMM_DEC,
};

static uint64_t bits_of(const void *operand, size_t bytes) {
    uint64_t bits = 0;
    uint32_t half;
    if (!operand) {
        return 0;
    }
    if (bytes == sizeof half) {
        memcpy(&half, operand, sizeof half);
        return half;
    }
    memcpy(&bits, operand, sizeof bits);
    return bits;
}

static uint64_t exchange_far(const struct type *type, uint64_t address, uint64_t a, uint64_t b) {
    struct atomic_far object = {type->far, type->kind == KIND_p, address};
    return atomic_far_cswap(&object, a, b);
}

/* Not cold: over hosts a program may do little else. An operation without a result has ended by the
 * thread's next fence. */
static __attribute__((noinline)) void operate_far(const struct upcr_atomicdomain *domain,
                                                  void *fetch, upc_op_t op, uint64_t address,
                                                  const void *operand1, const void *operand2) {
    const struct type *type = &types[domain->type];
    enum fl_comm_atomic what = far_ops[__builtin_ctz((unsigned)op)];
    uint64_t a = bits_of(operand1, type->bytes), old, since = upc_trace_begin();
    if (op == UPC_CSWAP) {
        old = exchange_far(type, address, a, bits_of(operand2, type->bytes));
    } else if (fetch) {
        old = fl_comm_atomic(what, type->far, address, a, 0);
    } else {
        fl_comm_update_aggregated(FL_COMM_ATOMIC, what, type->far, address, a, fl_comm_relaxed());
    }
    upc_trace_end_call_at(since, "atomic", "upc_atomic", address, type->bytes);
    if (fetch) {
        memcpy(fetch, &old, type->bytes);
    }
}

static inline void operate(upc_atomic_function *const table[], struct upcr_atomicdomain *domain,
                           void *fetch, upc_op_t op, uint64_t address, const void *a,
                           const void *b) {
    if (FL_UNLIKELY(!fl_comm_is_here(address))) {
        operate_far(domain, fetch, op, address, a, b);
        return;
    }
    table[domain->row + (unsigned)__builtin_ctz((unsigned)op)](domain, fetch, op, address, a, b);
}

static FL_COLD void check_and_operate(upc_atomic_function *const table[], struct call *c,
                                      const struct upcr_atomicdomain *domain, void *fetch) {
    if (!is_domain(domain)) {
        no_domain(c->what, domain);
    }
    c->domain = mine(domain);
    check_call(c);
    operate(table, mine(domain), fetch, c->op, c->address, c->operand1, c->operand2);
}

#define ATOMIC_FUNCTION(order)                                                                     \
    static FL_COLD void check_##order(struct upcr_atomicdomain *domain, void *fetch, upc_op_t op,  \
                                      upcr_pts target, const void *a, const void *b) {             \
        struct call c = {"upc_atomic_" #order, NULL, fetch, op, upcr_address(target), a, b};       \
        check_and_operate(order, &c, domain, fetch);                                               \
    }                                                                                              \
    static inline void atomic_##order(struct upcr_atomicdomain *domain, void *fetch, upc_op_t op,  \
                                      upcr_pts target, const void *a, const void *b) {             \
        if (FL_UNLIKELY(op & (op - 1) || !domain || !(mine(domain)->unchecked & op))) {            \
            check_##order(domain, fetch, op, target, a, b);                                        \
            return;                                                                                \
        }                                                                                          \
        operate(order, mine(domain), fetch, op, upcr_address(target), a, b);                       \
    }
ATOMIC_FUNCTION(relaxed)
ATOMIC_FUNCTION(strict)

void upc_atomic_relaxed(struct upcr_atomicdomain *domain, void *fetch, upc_op_t op, upcr_pts target,
                        const void *a, const void *b) {
    atomic_relaxed(domain, fetch, op, target, a, b);
}

/* On one host the strict operations order themselves. Over hosts all other accesses end before, and
 * the operation before the return. */
void upc_atomic_strict(struct upcr_atomicdomain *domain, void *fetch, upc_op_t op, upcr_pts target,
                       const void *a, const void *b) {
    if (FL_LIKELY(fl_comm_here.one_host)) {
        atomic_strict(domain, fetch, op, target, a, b);
        return;
    }
    upcr_fence();
    atomic_strict(domain, fetch, op, target, a, b);
    upcr_fence();
}

/* An operation is fast if it is one locked instruction, on any memory of the host. A loop around a
 * compare-and-exchange takes half as long again in bench/atomic.upc, and more when threads compete;
 * an object that crosses cache lines, many times as long. */
int upc_atomic_isfast(upc_type_t type, upc_op_t ops, upcr_pts address) {
    const struct type *t = type_of(type);
    if (!t || ops & ~ops_of(t) || upcr_address(address) % t->bytes ||
        !fl_comm_is_here(upcr_address(address))) {
        return 0;
    }
    upc_op_t loops = t->kind == KIND_f || t->kind == KIND_d
                         ? ~(UPC_GET | UPC_SET | UPC_CSWAP)
                         : UPC_MULT | UPC_MIN | UPC_MAX;
    return !(ops & loops);
}
