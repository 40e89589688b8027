/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective operations by threads and by processes, against a sequential model: every operation in
 * all nine modes, by every algorithm, with random sizes, places and delays. Each mode is tested for
 * what it promises and no more: without waiting the test has barriers of its own; with MINE a
 * member writes its source just before and its neighbour's never, and changes it right after; with
 * ALL a member writes its neighbour's source before, and reads its neighbour's result after.
 *
 * Members run ahead of each other as far as they may, and change what others have read as soon as
 * they may: with the thread sanitizer, an order that is too weak is a race; without, wrong bytes.
 * COLL_TEST_ROUNDS sets the number of rounds.
 */
#include "coll/choose.h"
#include "coll/move.h"
#include "coll/pending.h"
#include "coll/reduce.h"
#include "coll/value.h"
#include "coll/vector.h"
#include "comm/comm.h"
#include "core/test.h"

#include <sched.h>

enum { MOST_MEMBERS = 16, SHIFT = 17, STRIDE = 1 << SHIFT, SRC = 0, DST = 60 << 10, PERM = 120 << 10 };

static const char *const names[] = {"the test"};

struct rig {
    unsigned members;
    unsigned rounds;
    unsigned char *segments; /* [members][STRIDE] */
    struct fl_layout layout;
    struct fl_barrier barrier, own_barrier; /* own: the test's, which the operations do not know */
    struct fl_coll_choices choices;
    struct fl_coll_team team;
};

static void rig_init(struct rig *rig, unsigned members, const char *forced) {
    static const unsigned first_threads[] = {0};
    struct fl_wait_policy policy = fl_wait_choose(members, 1, 0, 0);
    rig->members = members;
    rig->segments = test_shared_memory((size_t)members * STRIDE);
    fl_barrier_attach(&rig->barrier, test_shared_memory(fl_barrier_bytes(members)), members,
                      FL_BARRIER_CENTRAL, policy, names);
    fl_barrier_attach(&rig->own_barrier, test_shared_memory(fl_barrier_bytes(members)), members,
                      FL_BARRIER_CENTRAL, policy, names);
    CHECK(fl_layout_make(&rig->layout, members, members, 1, first_threads, 0), "layout");
    fl_coll_attach(&rig->team, test_shared_memory(fl_coll_bytes(members, 1)), &rig->layout,
                   (uintptr_t)rig->segments, SHIFT, STRIDE, names, &rig->barrier.policy, NULL);
    fl_coll_choose(&rig->choices, &(struct fl_coll_situation){members, 1, members > 2}, forced, NULL);
    rig->team.choices = &rig->choices;
    rig->team.barrier = members % 2 ? NULL : &rig->barrier; /* null: like a team that was split */
}

static void rig_end(struct rig *rig) {
    munmap(rig->segments, (size_t)rig->members * STRIDE);
    munmap(rig->team.center, fl_coll_bytes(rig->members, 1));
    munmap(rig->barrier.center, fl_barrier_bytes(rig->members));
    munmap(rig->own_barrier.center, fl_barrier_bytes(rig->members));
    fl_layout_release(&rig->layout);
}

/* One member in a test. */
struct part {
    struct rig *rig;
    struct fl_barrier_thread barrier, own_barrier;
    struct fl_coll_member member;
    unsigned me;
    uint64_t chance; /* its own; those of a round are the same for all */
    bool good;
};

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15u;
    return (x ^ x >> 29) * 0xbf58476d1ce4e5b9u >> 7;
}

static void delay(struct part *part) {
    part->chance = mix(part->chance + 1);
    unsigned n = part->chance % 8 == 0 ? (unsigned)(part->chance >> 8) % 40 : 0;
    for (unsigned i = 0; i < n; i++) {
        sched_yield();
    }
}

static void meet(struct part *part) {
    const struct fl_barrier_mark mark = {.kind = 0};
    fl_barrier_notify(&part->rig->own_barrier, &part->own_barrier, &mark);
    fl_barrier_wait(&part->rig->own_barrier, &part->own_barrier, &mark);
}

static struct fl_coll_call call_of(struct part *part, unsigned mode) {
    return (struct fl_coll_call){.team = &part->rig->team,
                                 .member = &part->member,
                                 .in = (enum fl_coll_sync)(mode % 3),
                                 .out = (enum fl_coll_sync)(mode / 3 % 3)};
}

static unsigned char *at(const struct rig *rig, unsigned member, size_t offset) {
    return rig->segments + (size_t)member * STRIDE + offset;
}

/* The operation of a round: the same for all members. */
struct trial {
    enum fl_coll_operation operation;
    unsigned mode, root;
    size_t bytes, src, dst; /* src, dst: offsets in segments */
    uint64_t seed;
    unsigned turn; /* member i of a permutation gives to turn - i */
};

static struct trial trial_of(const struct rig *rig, unsigned round) {
    static const unsigned mosts[] = {16, 130, 130, 3000};
    uint64_t seed = mix(round + 1);
    size_t most = mosts[round % 4];
    return (struct trial){.operation = (enum fl_coll_operation)(round % 6),
                          .mode = round / 6 % 9,
                          .root = (unsigned)(seed >> 5) % rig->members,
                          .bytes = 1 + (seed >> 9) % most,
                          .src = SRC + (seed >> 20) % 70,
                          .dst = DST + (seed >> 30) % 70,
                          .seed = seed,
                          .turn = (unsigned)(seed >> 40) % rig->members};
}

static unsigned char source_byte(const struct trial *trial, unsigned member, size_t i) {
    return (unsigned char)mix(trial->seed + member * 7919u + i);
}

static size_t source_bytes(const struct rig *rig, const struct trial *trial) {
    bool table = trial->operation == FL_COLL_SCATTER || trial->operation == FL_COLL_EXCHANGE;
    return trial->bytes * (table ? rig->members : 1);
}

static void fill(const struct rig *rig, const struct trial *trial, unsigned member) {
    unsigned char *src = at(rig, member, trial->src);
    for (size_t i = 0; i < source_bytes(rig, trial); i++) {
        src[i] = source_byte(trial, member, i);
    }
    *(int *)(void *)at(rig, member, PERM) =
        (int)((trial->turn + rig->members - member) % rig->members);
}

static bool gets_table(const struct trial *trial) {
    return trial->operation == FL_COLL_GATHER || trial->operation == FL_COLL_GATHER_ALL ||
           trial->operation == FL_COLL_EXCHANGE;
}

/* Byte i of the block that a member gets from another. */
static unsigned char expected(const struct rig *rig, const struct trial *trial, unsigned member,
                              unsigned from, size_t i) {
    switch (trial->operation) {
    case FL_COLL_BROADCAST: return source_byte(trial, trial->root, i);
    case FL_COLL_SCATTER: return source_byte(trial, trial->root, member * trial->bytes + i);
    case FL_COLL_EXCHANGE: return source_byte(trial, from, member * trial->bytes + i);
    case FL_COLL_PERMUTE:
        return source_byte(trial, (trial->turn + rig->members - member) % rig->members, i);
    default: return source_byte(trial, from, i);
    }
}

static const char *operation_name(const struct trial *trial) {
    static const char *const texts[] = {
#define FL_COLL_OPERATION(identifier, name) name,
        FL_COLL_OPERATIONS
#undef FL_COLL_OPERATION
    };
    return texts[trial->operation];
}

static void check_result(struct part *part, const struct trial *trial, unsigned member) {
    const struct rig *rig = part->rig;
    const unsigned char *dst = at(rig, member, trial->dst);
    unsigned blocks = gets_table(trial) ? rig->members : 1;
    if (trial->operation == FL_COLL_GATHER && member != trial->root) {
        return;
    }
    for (unsigned from = 0; from < blocks; from++) {
        for (size_t i = 0; i < trial->bytes; i++) {
            if (dst[from * trial->bytes + i] != expected(rig, trial, member, from, i) &&
                part->good) {
                printf("# %s of %zu bytes, mode %u, root %u: block %u of member %u is wrong at %zu, "
                       "says %u of %u\n",
                       operation_name(trial), trial->bytes, trial->mode, trial->root, from, member,
                       i, part->me, rig->members);
                part->good = false;
            }
        }
    }
}

struct order {
    struct part *part;
    const struct trial *trial;
};

static void run(void *context) {
    struct part *part = ((struct order *)context)->part;
    const struct trial *trial = ((struct order *)context)->trial;
    struct fl_coll_call call = call_of(part, trial->mode);
    struct rig *rig = part->rig;
    void *src = at(rig, 0, trial->src), *dst = at(rig, 0, trial->dst);
    switch (trial->operation) {
    case FL_COLL_BROADCAST:
        fl_coll_broadcast(&call, dst, at(rig, trial->root, trial->src), trial->bytes);
        break;
    case FL_COLL_SCATTER:
        fl_coll_scatter(&call, dst, at(rig, trial->root, trial->src), trial->bytes);
        break;
    case FL_COLL_GATHER:
        fl_coll_gather(&call, at(rig, trial->root, trial->dst), src, trial->bytes);
        break;
    case FL_COLL_GATHER_ALL: fl_coll_gather_all(&call, dst, src, trial->bytes); break;
    case FL_COLL_EXCHANGE: fl_coll_exchange(&call, dst, src, trial->bytes); break;
    default:
        fl_coll_permute(&call, dst, src, (int *)(void *)at(rig, 0, PERM), trial->bytes);
    }
}

/* Some operations are begun, and waited for later. */
static void perform(struct part *part, const struct trial *trial) {
    struct order order = {part, trial};
    if (trial->seed % 3) {
        run(&order);
        return;
    }
    struct fl_coll_pending *pending = fl_coll_begin(&part->member, run, &order, sizeof order);
    delay(part);
    if (pending && !fl_coll_try(pending)) {
        fl_coll_wait(pending, *part->rig->team.wait);
    }
}

/* A round after which all meet. */
static void try_alone(struct part *part, unsigned round) {
    const struct rig *rig = part->rig;
    struct trial trial = trial_of(rig, round);
    unsigned in = trial.mode % 3, out = trial.mode / 3, next = (part->me + 1) % rig->members;
    delay(part);
    fill(rig, &trial, in == FL_COLL_ALL ? next : part->me);
    if (in == FL_COLL_NONE) {
        meet(part);
    }
    perform(part, &trial);
    if (out == FL_COLL_NONE) {
        meet(part);
    }
    check_result(part, &trial, out == FL_COLL_ALL ? next : part->me);
    if (out == FL_COLL_MINE) {
        memset(at(rig, part->me, trial.src), 0xee, source_bytes(rig, &trial));
    }
    meet(part);
}

/* Rounds that follow each other without any other waiting: members run ahead as far as they may. */
static void try_together(struct part *part, unsigned round) {
    const struct rig *rig = part->rig;
    struct trial trial = trial_of(rig, round);
    trial.mode = FL_COLL_MINE * 3 + FL_COLL_MINE;
    delay(part);
    fill(rig, &trial, part->me);
    perform(part, &trial);
    check_result(part, &trial, part->me);
}

/* One member gives, again and again, without waiting; another sleeps meanwhile. */
static void try_ahead(struct part *part, unsigned round) {
    const struct rig *rig = part->rig;
    struct trial trial = trial_of(rig, round);
    trial.operation = FL_COLL_BROADCAST;
    trial.mode = FL_COLL_MINE * 3 + FL_COLL_MINE;
    trial.bytes = 1 + trial.seed % 2000;
    bool sleeps = part->me == (trial.root + 1) % rig->members && part->me != trial.root;
    for (unsigned i = 0; i < FL_COLL_RING + FL_COLL_HALF; i++) {
        for (unsigned yields = 0; sleeps && i == 0 && yields < 300; yields++) {
            sched_yield();
        }
        trial.seed++;
        if (part->me == trial.root) {
            fill(rig, &trial, part->me);
        }
        perform(part, &trial);
        check_result(part, &trial, part->me);
    }
}

static int *ints_of(struct part *part, unsigned member, size_t offset) {
    return (int *)(void *)at(part->rig, member, offset);
}

static void expect(struct part *part, const char *what, unsigned round, long got, long wanted) {
    if (got != wanted && part->good) {
        printf("# %s, round %u, member %u of %u: %ld, not %ld\n", what, round, part->me,
               part->rig->members, got, wanted);
        part->good = false;
    }
}

static void before(struct part *part, const struct fl_coll_call *call) {
    delay(part);
    if (call->in == FL_COLL_NONE) {
        meet(part);
    }
}

static void after(struct part *part, const struct fl_coll_call *call) {
    if (call->out == FL_COLL_NONE) {
        meet(part);
    }
}

static long sum_to(long n) {
    return n * (n + 1) / 2;
}

/* Element i of an array of blocks of 3 is i. */
static void try_reductions(struct part *part, unsigned round) {
    struct fl_coll_call call = call_of(part, round);
    unsigned me = part->me, members = part->rig->members;
    struct fl_coll_operator add = fl_coll_operator(FL_COLL_I, FL_COLL_ADD);
    add.ordered = round % 2;
    size_t first = (size_t)round % 17, count = (size_t)round % 41;
    struct fl_coll_array array = {(uintptr_t)ints_of(part, 0, SRC), first, count, 3};
    long sum = count ? sum_to((long)(first + count) - 1) - sum_to((long)first - 1) : -5;
    for (unsigned i = 0; i < 64; i++) {
        ints_of(part, me, SRC)[i] = (int)(i / 3 * 3 * members + me * 3 + i % 3);
    }
    *ints_of(part, me, PERM) = -5;
    before(part, &call);
    fl_coll_reduce_all(&call, ints_of(part, 0, PERM), &array, &add);
    after(part, &call);
    expect(part, "reduce_all", round, *ints_of(part, me, PERM), sum);
    meet(part);
    before(part, &call);
    struct fl_coll_array results = array;
    results.origin = (uintptr_t)ints_of(part, 0, DST);
    fl_coll_prefix_reduce(&call, &results, &array, &add);
    after(part, &call);
    for (size_t i = first; i < first + count; i++) {
        if (i / 3 % members == me) {
            expect(part, "prefix_reduce", round,
                   ints_of(part, me, DST)[i / 3 / members * 3 + i % 3],
                   sum_to((long)i) - sum_to((long)first - 1));
        }
    }
    meet(part);
}

static int first_of_both(int a, int b) {
    return (int)(3u * (unsigned)a + (unsigned)b); /* tells the order, and what is grouped */
}

static int vector_element(unsigned round, unsigned member, size_t i) {
    return (int)(mix(round * 31 + member * 7919u + i) % 1000);
}

static void try_vectors(struct part *part, unsigned round) {
    static const size_t mosts[] = {5, 60, 700, 6000};
    struct fl_coll_call call = call_of(part, round);
    unsigned me = part->me, members = part->rig->members;
    uint64_t seed = mix(round + 5);
    size_t count = 1 + seed % mosts[round % 4], src = SRC + (seed >> 20) % 5 * 4;
    size_t dst = (seed >> 25) % 4 == 0 ? src : (size_t)DST + (seed >> 30) % 5 * 4;
    bool to_all = seed >> 40 & 1;
    unsigned root = (unsigned)(seed >> 42) % members;
    struct fl_coll_operator op = fl_coll_operator(FL_COLL_I, FL_COLL_FUNCTION);
    op.function = (fl_coll_function)first_of_both;
    for (size_t i = 0; i < count; i++) {
        ints_of(part, me, src)[i] = vector_element(round, me, i);
    }
    before(part, &call);
    if (to_all) {
        fl_coll_vector_reduce_all(&call, ints_of(part, 0, dst), ints_of(part, 0, src), count, &op);
    } else {
        fl_coll_vector_reduce(&call, ints_of(part, root, dst), ints_of(part, 0, src), count, &op);
    }
    after(part, &call);
    for (size_t i = 0; (to_all || me == root) && i < count; i++) {
        int sum = vector_element(round, 0, i);
        for (unsigned member = 1; member < members; member++) {
            sum = first_of_both(sum, vector_element(round, member, i));
        }
        expect(part, to_all ? "vector_reduce_all" : "vector_reduce", round,
               ints_of(part, me, dst)[i], sum);
    }
    meet(part);
}

/* Values larger than a slot, with no barrier anywhere. */
static void try_values(struct part *part, unsigned round) {
    struct fl_coll_call call = call_of(part, round);
    unsigned me = part->me, members = part->rig->members, root = round % members;
    struct large {
        int a[50];
    } mine = {.a = {[49] = (int)me}}, table[MOST_MEMBERS];
    int value = (int)me + 1;
    struct fl_coll_operator add = fl_coll_operator(FL_COLL_I, FL_COLL_ADD);
    fl_coll_value_reduce(&call, &value, &add, false, root);
    expect(part, "value_reduce", round, value, me == root ? sum_to(members) : (long)me + 1);
    fl_coll_value_gather(&call, table, &mine, sizeof mine, round % 5 ? root : FL_COLL_EVERYBODY);
    for (unsigned t = 0; t < members && me == root; t++) {
        expect(part, "value_gather", round, table[t].a[49], t);
    }
    fl_coll_value_scatter(&call, &mine, table, sizeof mine, root);
    expect(part, "value_scatter", round, mine.a[49], me);
    fl_coll_value_permute(&call, &mine, sizeof mine, (me + root) % members);
    expect(part, "value_permute", round, mine.a[49], (me + members - root) % members);
    fl_coll_value_broadcast(&call, &mine, sizeof mine, root);
    expect(part, "value_broadcast", round, mine.a[49], 0);
    value = 1;
    fl_coll_value_prefix_reduce(&call, &value, &add);
    expect(part, "value_prefix_reduce", round, value, me + 1);
}

static bool body(unsigned me, void *context) {
    struct rig *rig = context;
    struct part part = {.rig = rig, .barrier = {.me = me}, .own_barrier = {.me = me}, .me = me,
                        .chance = me * 77 + 1, .good = true};
    part.member = (struct fl_coll_member){.rank = me, .barrier = &part.barrier};
    for (unsigned round = 0; round < rig->rounds; round++) {
        try_alone(&part, round);
    }
    for (unsigned round = 0; round < rig->rounds; round++) {
        try_together(&part, round);
    }
    for (unsigned round = 0; round < rig->rounds / 20; round++) {
        try_ahead(&part, round);
    }
    meet(&part);
    for (unsigned round = 0; round < rig->rounds / 2; round++) {
        try_vectors(&part, round);
        try_reductions(&part, round);
        try_values(&part, round);
    }
    fl_coll_pending_end();
    return part.good;
}

static void test_integers_wrap(void) {
    unsigned short a[2] = {65535, 65535};
    int b[2] = {INT32_MAX, 1};
    fl_coll_operator(FL_COLL_US, FL_COLL_MULT).fold(&a[0], &a[1], 1, NULL);
    fl_coll_operator(FL_COLL_I, FL_COLL_ADD).fold(&b[0], &b[1], 1, NULL);
    CHECK(a[0] == 1 && b[0] == INT32_MIN, "sums and products wrap");
    CHECK(!fl_coll_operator(FL_COLL_D, FL_COLL_XOR).fold, "no bitwise operation on double");
}

static const char *const forced[] = {NULL, "*:last", "*:post", "*:later", "*:pull,*:meet", "*:push,*:slice", "*:tree,*:levels"};

static void test_all(unsigned members, const char *how, unsigned rounds) {
    struct rig rig = {.rounds = rounds};
    rig_init(&rig, members, how);
    CHECK(test_in_threads(members, body, &rig), "%u threads, %s", members, how ? how : "by rule");
    rig_end(&rig);
    if (TEST_TSAN) {
        return;
    }
    rig_init(&rig, members, how);
    CHECK(test_in_processes(members, body, &rig), "%u processes, %s", members,
          how ? how : "by rule");
    rig_end(&rig);
}

int main(void) {
    fl_comm_here = (struct fl_comm_here){0, UINT64_MAX, true};
    const char *text = getenv("COLL_TEST_ROUNDS");
    unsigned rounds = text ? (unsigned)atoi(text) : test_steps(108);
    static const unsigned counts[] = {1, 2, 3, 5, 8, MOST_MEMBERS};
    test_integers_wrap();
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        for (size_t f = 0; f < sizeof forced / sizeof forced[0]; f++) {
            test_all(counts[c], forced[f], rounds);
        }
    }
    return test_done();
}
