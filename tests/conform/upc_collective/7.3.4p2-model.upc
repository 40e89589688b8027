// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.3.4p1 7.3.4p3 7.4p3
//@ args: {seed} 60
//@ mappings: 1x1 2x1 1x2 3x1 1x3 5x1 1x5 8x1 1x8 2x4 16x1 1x16 4x4 64x1 8x8 1x64 2:2x1 3:3x2 2:2x2
//@ limit: 60
// Random calls of all operations, by threads that arrive when they will, in all modes, beside a
// sequential model; with no more barriers than the modes ask for.
//
// Whoever may touch the operands of a call does so at the last moment before it and the first
// after it, in a way that shows what the call did too early or too late: looks whether they are as
// the model has them, and makes new ones. With MYSYNC this is the thread with affinity to them,
// with ALLSYNC any one. Other calls take what earlier ones have left.
#include "model.h"
#include "reduction.h"
#include <upcx_team.h>

enum kind {
    BROADCAST, SCATTER, GATHER, GATHER_ALL, EXCHANGE, PERMUTE, REDUCE, PREFIX_REDUCE, REDUCE_ALL,
    VECTOR_REDUCE, VECTOR_REDUCE_ALL, N_KINDS
};

static const char *const names[] = {"broadcast", "scatter", "gather", "gather_all", "exchange",
                                    "permute", "reduce", "prefix_reduce", "reduce_all",
                                    "vector_reduce", "vector_reduce_all"};

enum { SRC, DST, PERM };

struct operation {
    enum kind kind;
    enum level in, out;
    size_t n;                   // bytes of a block, or elements (of vectors: of one)
    struct range r[MOST_RANGES]; // SRC, DST, PERM
    size_t root;                // the thread of what is in one piece
    size_t phases[2];           // of src and dst where they do not count
    // Of reductions:
    size_t type, block, first;  // first: within the array that begins the range
    upc_op_t op;
};

static upc_flag_t flags(const struct operation *o)
{
    static const upc_flag_t in[] = {UPC_IN_NOSYNC, UPC_IN_MYSYNC, UPC_IN_ALLSYNC};
    static const upc_flag_t out[] = {UPC_OUT_NOSYNC, UPC_OUT_MYSYNC, UPC_OUT_ALLSYNC};
    return in[o->in] | out[o->out];
}

static int is_reduction(const struct operation *o)
{
    return o->kind >= REDUCE;
}

// Element by element, of a vector that each thread has.
static int is_of_vectors(const struct operation *o)
{
    return o->kind >= VECTOR_REDUCE;
}

// A pointer to `at` in a thread's area, with a phase.
static shared void *pointer(size_t thread, size_t at, size_t block, size_t phase)
{
    shared unsigned char *p = &memory[thread + (at - phase) * THREADS];
    switch (block) {
    case 2:
        return (shared [2] unsigned char *)p + phase;
    case 5:
        return (shared [5] unsigned char *)p + phase;
    case 16:
        return (shared [16] unsigned char *)p + phase;
    case MOST_BLOCK:
        return (shared [MOST_BLOCK] unsigned char *)p + phase;
    default:
        return p;
    }
}

// Where element i of a reduction's array is: thread, and place in the range.
struct element {
    size_t thread, at;
};

static struct element element(const struct operation *o, size_t size, size_t i)
{
    size_t block = o->block;
    if (block == 0)
        return (struct element){o->root, i * size};
    return (struct element){i / block % THREADS, (i / block / THREADS * block + i % block) * size};
}

// What depends on the type: new operands in the model, the model's result, the call.
#define DEFINE(T, type, class)                                                                     \
    DEFINE_TYPE(T, type, class)                                                                    \
    static type get##T(const unsigned char *from)                                                  \
    {                                                                                              \
        type value;                                                                                \
        memcpy(&value, from, sizeof value);                                                        \
        return value;                                                                              \
    }                                                                                              \
    static void set##T(unsigned char *to, type value)                                              \
    {                                                                                              \
        memset(to, 0, sizeof value);                                                               \
        memcpy(to, &value, sizeof value > 8 ? 10 : sizeof value); /* long double has padding */    \
    }                                                                                              \
    static void operands##T(const struct operation *o, int step)                                   \
    {                                                                                              \
        size_t n = is_of_vectors(o) ? o->n * THREADS : o->n;                                       \
        for (size_t i = o->first; i < o->first + n; i++) {                                         \
            struct element e = element(o, sizeof(type), i);                                        \
            set##T(modelled(e.thread, o->r[SRC].at + e.at), (type)value_of(o->op, i, step));       \
        }                                                                                          \
    }                                                                                              \
    static void apply_vectors##T(const struct operation *o)                                        \
    {                                                                                              \
        for (size_t i = 0; i < o->n; i++) {                                                        \
            type sum = get##T(modelled(0, o->r[SRC].at + i * sizeof(type)));                       \
            for (size_t t = 1; t < THREADS; t++)                                                   \
                sum = apply##T(sum, o->op, get##T(modelled(t, o->r[SRC].at + i * sizeof(type))));  \
            for (size_t t = 0; t < THREADS; t++)                                                   \
                if (o->kind == VECTOR_REDUCE_ALL || t == o->root)                                  \
                    set##T(modelled(t, o->r[DST].at + i * sizeof(type)), sum);                     \
        }                                                                                          \
    }                                                                                              \
    static void apply_all##T(const struct operation *o)                                            \
    {                                                                                              \
        type sum = 0;                                                                              \
        for (size_t i = o->first; i < o->first + o->n; i++) {                                      \
            struct element e = element(o, sizeof(type), i);                                        \
            type value = get##T(modelled(e.thread, o->r[SRC].at + e.at));                          \
            sum = i == o->first ? value : apply##T(sum, o->op, value);                             \
            if (o->kind == PREFIX_REDUCE)                                                          \
                set##T(modelled(e.thread, o->r[DST].at + e.at), sum);                              \
        }                                                                                          \
        for (size_t t = 0; t < THREADS; t++)                                                       \
            if (o->kind == REDUCE_ALL || (o->kind == REDUCE && t == o->root))                      \
                set##T(modelled(t, o->r[DST].at), sum);                                            \
    }                                                                                              \
    static void call##T(const struct operation *o, shared void *dst, shared void *src)             \
    {                                                                                              \
        type (*function)(type, type) = function##T(o->op);                                         \
        if (o->kind == PREFIX_REDUCE)                                                              \
            upc_all_prefix_reduce##T(dst, src, o->op, o->n, o->block, function, flags(o));         \
        else if (o->kind == REDUCE)                                                                \
            upc_all_reduce##T(dst, src, o->op, o->n, o->block, function, flags(o));                \
        else                                                                                       \
            bupc_all_reduce_all##T(dst, src, o->op, o->n, o->block, function, flags(o));           \
    }
TYPES(DEFINE)

struct type {
    const char *name;
    size_t size, n_operations;
    void (*operands)(const struct operation *, int step);
    void (*apply)(const struct operation *);
    void (*apply_vectors)(const struct operation *);
    void (*call)(const struct operation *, shared void *dst, shared void *src);
    upc_type_t upc_type;
};

enum {
    UPC_TYPE_C = UPC_CHAR, UPC_TYPE_UC = UPC_UCHAR, UPC_TYPE_S = UPC_SHORT, UPC_TYPE_US = UPC_USHORT,
    UPC_TYPE_I = UPC_INT, UPC_TYPE_UI = UPC_UINT, UPC_TYPE_L = UPC_LONG, UPC_TYPE_UL = UPC_ULONG,
    UPC_TYPE_F = UPC_FLOAT, UPC_TYPE_D = UPC_DOUBLE, UPC_TYPE_LD = UPC_LDOUBLE
};

#define ROW(T, type, class) {#T, sizeof(type), N_##class, operands##T, apply_all##T, apply_vectors##T, call##T, UPC_TYPE_##T},
static const struct type types[] = {TYPES(ROW)};
enum { N_TYPES = sizeof types / sizeof types[0], LONG_DOUBLE = N_TYPES - 1 };

// Blocks of a thread in what the operation reads and writes.
static size_t src_blocks(enum kind kind)
{
    return kind == SCATTER || kind == EXCHANGE ? THREADS : 1;
}

static size_t dst_blocks(enum kind kind)
{
    return kind == GATHER || kind == GATHER_ALL || kind == EXCHANGE ? THREADS : 1;
}

static void pick_move(struct operation *o)
{
    size_t room = area - HEAD - 3 * 16, align = pick(2) ? 1 : (size_t)1 << pick(7);
    o->n = pick_size((room - 3 * align) / (src_blocks(o->kind) + dst_blocks(o->kind)));
    o->r[SRC].n = o->n * src_blocks(o->kind);
    o->r[DST].n = o->n * dst_blocks(o->kind);
    o->r[PERM].n = o->kind == PERMUTE ? sizeof(int) : 0;
    if (o->kind == PERMUTE && align < sizeof(int))
        align = sizeof(int);
    lay_out(o->r, o->kind == PERMUTE ? 3 : 2, align < 16 ? align : 16);
    o->phases[SRC] = pick(MOST_BLOCK);
    o->phases[DST] = pick(MOST_BLOCK);
}

static void pick_reduction(struct operation *o)
{
    static const size_t blocks[] = {0, 1, 2, 5, 16, MOST_BLOCK};
    o->type = pick(N_TYPES);
    o->op = operations[pick(types[o->type].n_operations)];
    o->block = blocks[pick(sizeof blocks / sizeof blocks[0])];
    size_t size = types[o->type].size, most = (area - HEAD - 3 * 16) / 2 / size;
    if (is_of_vectors(o)) {
        while (o->op == UPC_FUNC || o->op == UPC_NONCOMM_FUNC)
            o->op = operations[pick(types[o->type].n_operations)];
        o->first = 0;
        o->n = o->block = pick_size(most);
        o->r[SRC].n = o->r[DST].n = o->n * size;
        lay_out(o->r, 2, size);
        return;
    }
    size_t row = o->block == 0 ? 1 : o->block * THREADS; // elements of a block for each thread
    size_t rows = o->block == 0 ? most : most / o->block;
    o->first = pick(row);
    o->n = pick_size(rows * row - o->first);
    size_t own = (o->first + o->n + row - 1) / row * (o->block == 0 ? 1 : o->block);
    o->r[SRC].n = own * size;
    o->r[DST].n = o->kind == PREFIX_REDUCE ? own * size : size;
    lay_out(o->r, 2, size);
}

static struct operation pick_operation(void)
{
    struct operation o = {.kind = pick(N_KINDS), .in = pick(3), .out = pick(3),
                          .root = pick(THREADS)};
    if (is_reduction(&o))
        pick_reduction(&o);
    else
        pick_move(&o);
    return o;
}

// Whether any bytes are fine as operands: no overflow, no fractions, no permutation.
static int takes_anything(const struct operation *o)
{
    int is_sum = o->op == UPC_ADD || o->op == UPC_FUNC;
    int is_wide = types[o->type].size >= sizeof(int), is_floating = o->type >= N_TYPES - 3;
    return is_reduction(o) ? o->op != UPC_MULT && !is_floating && !(is_sum && is_wide)
                           : o->kind != PERMUTE;
}

static void renew_operands(const struct operation *o, int step)
{
    for (int i = 0; i < MOST_RANGES; i++)
        renew(o->r[i]);
    if (is_reduction(o))
        types[o->type].operands(o, step);
    for (size_t t = 0; o->kind == PERMUTE && t < THREADS; t++) {
        int *last = (int *)modelled(t, o->r[PERM].at);
        int *other = (int *)modelled(pick(t + 1), o->r[PERM].at);
        *last = *other;
        *other = (int)t;
    }
}

static void clear_padding(unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i + 16 <= n; i += 16)
        memset(bytes + i + 10, 0, 6);
}

static void complain(const struct operation *o, const char *when, size_t thread, size_t at)
{
    if (check_failures++ >= 3)
        return;
    printf("thread %d of %d, %s %s of %zu, flags 0x%x, root %zu, src %zu, dst %zu: byte %zu of "
           "thread %zu is %d, not %d\n",
           (int)MYTHREAD, (int)THREADS, when, names[o->kind], o->n, (unsigned)flags(o), o->root,
           o->r[SRC].at, o->r[DST].at, at, thread, seen[at], *modelled(thread, at));
    if (is_reduction(o))
        printf("    type %s, op 0x%x, block %zu, from %zu\n", types[o->type].name, (int)o->op,
               o->block, o->first);
}

static void compare(const struct operation *o, const char *when, size_t thread, struct range range)
{
    if (range.n == 0)
        return;
    upc_memget(&seen[range.at], place(thread, range.at), range.n);
    if (is_reduction(o) && o->type == LONG_DOUBLE) {
        clear_padding(&seen[range.at], range.n);
        clear_padding(modelled(thread, range.at), range.n);
    }
    for (size_t i = range.at; i < range.at + range.n; i++)
        if (seen[i] != *modelled(thread, i)) {
            complain(o, when, thread, i);
            return;
        }
}

// Looks at the operation's data, and makes new data.
static void touch(const struct operation *o, const char *when, size_t shift, int step)
{
    enum level level = shift == 0 ? MY : NO;
    order((struct access){{o->r[0], o->r[1], o->r[2]}, level, level, shift});
    size_t thread = (MYTHREAD + shift) % THREADS;
    for (int i = 0; i < MOST_RANGES; i++)
        compare(o, when, thread, o->r[i]);
    renew_operands(o, step);
    for (int i = 0; i < MOST_RANGES; i++)
        if (o->r[i].n > 0)
            upc_memput(place(thread, o->r[i].at), modelled(thread, o->r[i].at), o->r[i].n);
}

static void call(const struct operation *o)
{
    const struct range *r = o->r;
    order((struct access){{r[0], r[1], r[2]}, o->in, o->out, 0});
    if (is_reduction(o)) {
        const struct type *type = &types[o->type];
        struct element e = element(o, type->size, o->first);
        size_t phase = o->block == 0 ? 0 : o->first % o->block;
        int has_root = o->kind == REDUCE || o->kind == VECTOR_REDUCE;
        shared void *src = pointer(e.thread, r[SRC].at + e.at, o->block, phase);
        shared void *dst = o->kind == PREFIX_REDUCE
                               ? pointer(e.thread, r[DST].at + e.at, o->block, phase)
                               : pointer(has_root ? o->root : 0, r[DST].at, 1, 0);
        if (o->kind == VECTOR_REDUCE)
            upcx_team_reduce(UPCX_TEAM_ALL, dst, src, o->n, type->upc_type, o->op, flags(o));
        else if (o->kind == VECTOR_REDUCE_ALL)
            upcx_team_reduce_all(UPCX_TEAM_ALL, dst, src, o->n, type->upc_type, o->op, flags(o));
        else
            type->call(o, dst, src);
        return;
    }
    int from_root = o->kind == BROADCAST || o->kind == SCATTER;
    shared void *src = pointer(from_root ? o->root : 0, r[SRC].at, MOST_BLOCK, o->phases[SRC]);
    shared void *dst = pointer(o->kind == GATHER ? o->root : 0, r[DST].at, MOST_BLOCK,
                               o->phases[DST]);
    switch (o->kind) {
    case BROADCAST:
        upc_all_broadcast(dst, src, o->n, flags(o));
        break;
    case SCATTER:
        upc_all_scatter(dst, src, o->n, flags(o));
        break;
    case GATHER:
        upc_all_gather(dst, src, o->n, flags(o));
        break;
    case GATHER_ALL:
        upc_all_gather_all(dst, src, o->n, flags(o));
        break;
    case EXCHANGE:
        upc_all_exchange(dst, src, o->n, flags(o));
        break;
    default:
        upc_all_permute(dst, src, (shared int *)pointer(0, r[PERM].at, 1, 0), o->n, flags(o));
    }
}

// Copies block `from` of thread `of` to block `to` of thread `at`.
static void model_copy(const struct operation *o, size_t at, size_t to, size_t of, size_t from)
{
    memcpy(modelled(at, o->r[DST].at + to * o->n), modelled(of, o->r[SRC].at + from * o->n), o->n);
}

static void apply(const struct operation *o)
{
    if (is_of_vectors(o))
        types[o->type].apply_vectors(o);
    else if (is_reduction(o))
        types[o->type].apply(o);
    for (size_t t = 0; !is_reduction(o) && t < THREADS; t++) {
        switch (o->kind) {
        case BROADCAST:
            model_copy(o, t, 0, o->root, 0);
            break;
        case SCATTER:
            model_copy(o, t, 0, o->root, t);
            break;
        case GATHER:
            model_copy(o, o->root, t, t, 0);
            break;
        case PERMUTE:
            model_copy(o, (size_t)*(int *)modelled(t, o->r[PERM].at), 0, t, 0);
            break;
        default:
            for (size_t u = 0; u < THREADS; u++)
                model_copy(o, u, t, t, o->kind == EXCHANGE ? u : 0);
        }
    }
}

// Whose data a thread touches around a call: where the mode is ALL, any thread's.
static size_t pick_shift(enum level level)
{
    size_t shift = pick(THREADS);
    return level == MY ? 0 : shift;
}

static void trial(int step)
{
    struct operation o = pick_operation();
    size_t before = pick_shift(o.in), after = pick_shift(o.out);
    dawdle();
    if (!takes_anything(&o) || pick(4))
        touch(&o, "before", before, step);
    call(&o);
    apply(&o);
    if (o.type == LONG_DOUBLE || pick(4))
        touch(&o, "after", after, step);
}

// Nothing but what the operations were to change has changed.
static void compare_all(void)
{
    struct operation nothing = {.n = 0};
    order((struct access){{{0, area}}, MY, MY, 0});
    compare(&nothing, "after all, not", MYTHREAD, (struct range){0, area});
}

int main(int argc, char **argv)
{
    unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 0) : 1;
    int steps = argc > 2 ? atoi(argv[2]) : 100;
    randomise((unsigned char *)&random_state, sizeof random_state, seed);
    randomise((unsigned char *)&random_own, sizeof random_own, seed + 1 + MYTHREAD);
    random_state |= 1;
    random_own |= 1;
    area = ((size_t)1 << 20) / THREADS & ~(size_t)63;
    memory = upc_all_alloc(THREADS, area);
    model = malloc(THREADS * area);
    seen = malloc(area);
    renew((struct range){0, area});
    upc_memput(place(MYTHREAD, 0), modelled(MYTHREAD, 0), area);
    upc_barrier;
    for (int step = 0; step < steps; step++) {
        trial(step);
        if (step % 16 == 15 || step + 1 == steps)
            compare_all();
    }
    if (check_failures > 0)
        printf("thread %d, seed %lu: %d failures\n", (int)MYTHREAD, seed, check_failures);
    return check_done();
}
