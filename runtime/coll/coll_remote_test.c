/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective operations of threads of several hosts, by every algorithm: random calls in all modes,
 * of the team of all threads, and of two teams split from it whose ranks alternate between hosts.
 * With MINE a member writes its source just before a call and changes it right after; with ALL its
 * neighbour writes it, and reads its result; with NONE all meet.
 */
#include "comm/world_for_test.h"

#include "coll/choose.h"
#include "coll/move.h"
#include "coll/pending.h"
#include "coll/reduce.h"
#include "coll/split.h"
#include "coll/value.h"
#include "coll/vector.h"

enum {
    ROUNDS = 108, /* each operation in each mode */
    MOST_BYTES = 40000,
    MOST_MEMBERS = 8,
    ROOM = MOST_MEMBERS * (MOST_BYTES + 72), /* one for each member, or a long vector */
    LONG = 40, /* a vector is longer by this factor */
    /* In segments: */
    SRC = 0,
    DST = 1 << 20,
    PERM = 2 << 20,
    BARRIER = 3 << 20,
    TEAM = 4 << 20,
    SPLIT = 16 << 20
};

static const char *const names[] = {"the test"};
static const char *forced;
static struct fl_barrier barrier;
static struct fl_coll_hub hub;
static struct fl_coll_team everybody;
static struct fl_coll_choices everybodys_choices;

static void *here(uint64_t offset) {
    return (void *)fl_space_address(&space, fl_layout_my_first(&layout), offset);
}

static void choose(struct fl_coll_choices *choices, struct fl_coll_team *team) {
    fl_coll_choose(choices, &(struct fl_coll_situation){team->members, team->hosts, false}, forced,
                   NULL);
    team->choices = choices;
}

static void register_handlers(void) {
    fl_barrier_attach(&barrier, here(BARRIER), fl_layout_my_threads(&layout), FL_BARRIER_CENTRAL,
                      (struct fl_wait_policy){.spins = 20, .yields = 5}, names);
    fl_barrier_connect(&barrier, &layout);
    fl_coll_attach(&everybody, here(TEAM), &layout, FL_SPACE_BASE, space.log2_segment,
                   space.stride, names, &barrier.policy, &hub);
    everybody.barrier = &barrier;
    choose(&everybodys_choices, &everybody);
}

/* A member of a team. */
struct part {
    const struct fl_coll_team *team;
    struct fl_coll_member member;
    struct fl_barrier_thread *barrier; /* of all threads */
    bool good;
};

static void meet_all(const struct part *part) {
    const struct fl_barrier_mark mark = {.kind = 0};
    fl_barrier_notify(&barrier, part->barrier, &mark);
    fl_barrier_wait(&barrier, part->barrier, &mark);
}

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15u;
    return (x ^ x >> 29) * 0xbf58476d1ce4e5b9u >> 7;
}

/* The operation of a round: the same for all members. */
struct trial {
    struct part *part;
    enum fl_coll_operation operation;
    enum fl_coll_sync in, out;
    unsigned root, turn; /* member i of a permutation gives to turn - i */
    size_t bytes, src, dst;
    uint64_t seed;
};

enum { VALUES = FL_COLL_N_OPERATIONS, KINDS };

static bool is_vector(const struct trial *trial) {
    return trial->operation == FL_COLL_VECTOR_REDUCE ||
           trial->operation == FL_COLL_VECTOR_REDUCE_ALL;
}

static struct trial trial_of(struct part *part, unsigned round,
                             enum fl_coll_operation operation) {
    static const size_t mosts[] = {16, 130, 1000, 6000, MOST_BYTES};
    unsigned members = part->team->members;
    uint64_t seed = mix(round + 1);
    struct trial trial = {.part = part,
                          .operation = operation,
                          .in = (enum fl_coll_sync)(round / KINDS % 3),
                          .out = (enum fl_coll_sync)(round / KINDS / 3 % 3),
                          .root = (unsigned)(seed >> 5) % members,
                          .turn = (unsigned)(seed >> 40) % members,
                          .bytes = 1 + (seed >> 9) % mosts[(seed >> 3) % 5],
                          .src = SRC + (seed >> 20) % 9 * 8,
                          .dst = DST + (seed >> 30) % 9 * 8,
                          .seed = seed};
    if (is_vector(&trial)) {
        size_t longer = seed % 5 || trial.bytes + 8 > ROOM / LONG ? 1 : LONG;
        trial.bytes = (trial.bytes / 8 + 1) * 8 * longer;
    }
    return trial;
}

static char *at(const struct trial *trial, unsigned rank, size_t offset) {
    return (char *)fl_space_address(&space, fl_coll_thread(trial->part->team, rank), offset);
}

static unsigned next(const struct trial *trial) {
    return fl_coll_next(trial->part->team, trial->part->member.rank);
}

static unsigned giver_to(const struct trial *trial, unsigned member) {
    unsigned members = trial->part->team->members;
    return (trial->turn + members - member) % members;
}

static size_t source_bytes(const struct trial *trial) {
    bool table = trial->operation == FL_COLL_SCATTER || trial->operation == FL_COLL_EXCHANGE;
    return trial->bytes * (table ? trial->part->team->members : 1);
}

static size_t result_bytes(const struct trial *trial) {
    bool table = trial->operation == FL_COLL_GATHER || trial->operation == FL_COLL_GATHER_ALL ||
                 trial->operation == FL_COLL_EXCHANGE;
    return trial->bytes * (table ? trial->part->team->members : 1);
}

static bool gets(const struct trial *trial, unsigned member) {
    bool one = trial->operation == FL_COLL_GATHER || trial->operation == FL_COLL_VECTOR_REDUCE;
    return !one || member == trial->root;
}

/* x -> high * x + low of both halves of a number, one after the other: associative, and tells the
 * order. */
static unsigned long compose(unsigned long a, unsigned long b) {
    uint32_t low = (uint32_t)(b >> 32) * (uint32_t)a + (uint32_t)b;
    return (unsigned long)((uint32_t)(a >> 32) * (uint32_t)(b >> 32)) << 32 | low;
}

static struct fl_coll_operator composition(void) {
    struct fl_coll_operator op = fl_coll_operator(FL_COLL_UL, FL_COLL_FUNCTION);
    op.function = (fl_coll_function)compose;
    op.ordered = true;
    return op;
}

static uint64_t word_of(const struct trial *trial, unsigned member, size_t i) {
    return mix(trial->seed + member * 7919u + i) * 0x9e3779b97f4a7c15u;
}

static char source_byte(const struct trial *trial, unsigned member, size_t i) {
    return (char)(word_of(trial, member, i / 8) >> i % 8 * 8);
}

static void fill(const struct trial *trial, unsigned member) {
    static _Thread_local char bytes[ROOM];
    for (size_t i = 0; i < source_bytes(trial); i++) {
        bytes[i] = source_byte(trial, member, i);
    }
    fl_comm_put((uint64_t)at(trial, member, trial->src), bytes, source_bytes(trial));
    int to = (int)giver_to(trial, member);
    fl_comm_put((uint64_t)at(trial, member, PERM), &to, sizeof to);
}

static char expected(const struct trial *trial, unsigned member, size_t i) {
    size_t block = i / trial->bytes, in_block = i % trial->bytes;
    switch (trial->operation) {
    case FL_COLL_BROADCAST: return source_byte(trial, trial->root, i);
    case FL_COLL_SCATTER: return source_byte(trial, trial->root, member * trial->bytes + i);
    case FL_COLL_EXCHANGE:
        return source_byte(trial, (unsigned)block, member * trial->bytes + in_block);
    case FL_COLL_PERMUTE: return source_byte(trial, giver_to(trial, member), i);
    case FL_COLL_VECTOR_REDUCE:
    case FL_COLL_VECTOR_REDUCE_ALL: {
        unsigned long all = word_of(trial, 0, i / 8);
        for (unsigned from = 1; from < trial->part->team->members; from++) {
            all = compose(all, word_of(trial, from, i / 8));
        }
        return (char)(all >> i % 8 * 8);
    }
    default: return source_byte(trial, (unsigned)block, in_block);
    }
}

static void wrong(const struct trial *trial, unsigned member, size_t i) {
    static const char *const texts[] = {
#define FL_COLL_OPERATION(identifier, name) name,
        FL_COLL_OPERATIONS
#undef FL_COLL_OPERATION
        "values"};
    if (trial->part->good) {
        printf("# %s of %zu bytes, mode %d/%d, root %u: wrong at %zu of member %u of %u, says %u\n",
               texts[trial->operation], trial->bytes, (int)trial->in, (int)trial->out, trial->root,
               i, member, trial->part->team->members, trial->part->member.rank);
        fflush(stdout);
    }
    trial->part->good = false;
}

static void check_result(const struct trial *trial, unsigned member) {
    static _Thread_local char result[ROOM];
    size_t bytes = gets(trial, member) ? result_bytes(trial) : 0;
    fl_comm_get(result, (uint64_t)at(trial, member, trial->dst), bytes);
    for (size_t i = 0; i < bytes; i++) {
        if (result[i] != expected(trial, member, i)) {
            wrong(trial, member, i);
            return;
        }
    }
}

static struct fl_coll_call call_of(const struct trial *trial) {
    return (struct fl_coll_call){.team = trial->part->team,
                                 .member = &trial->part->member,
                                 .in = trial->in,
                                 .out = trial->out};
}

static void *of_thread_0(size_t offset) {
    return (void *)(FL_SPACE_BASE + offset);
}

static void perform(void *context) {
    const struct trial *trial = context;
    struct fl_coll_call call = call_of(trial);
    void *src = of_thread_0(trial->src), *dst = of_thread_0(trial->dst);
    void *roots_src = at(trial, trial->root, trial->src);
    void *roots_dst = at(trial, trial->root, trial->dst);
    struct fl_coll_operator op = composition();
    switch (trial->operation) {
    case FL_COLL_BROADCAST: fl_coll_broadcast(&call, dst, roots_src, trial->bytes); break;
    case FL_COLL_SCATTER: fl_coll_scatter(&call, dst, roots_src, trial->bytes); break;
    case FL_COLL_GATHER: fl_coll_gather(&call, roots_dst, src, trial->bytes); break;
    case FL_COLL_GATHER_ALL: fl_coll_gather_all(&call, dst, src, trial->bytes); break;
    case FL_COLL_EXCHANGE: fl_coll_exchange(&call, dst, src, trial->bytes); break;
    case FL_COLL_PERMUTE:
        fl_coll_permute(&call, dst, src, of_thread_0(PERM), trial->bytes);
        break;
    case FL_COLL_VECTOR_REDUCE:
        fl_coll_vector_reduce(&call, roots_dst, src, trial->bytes / 8, &op);
        break;
    default: fl_coll_vector_reduce_all(&call, dst, src, trial->bytes / 8, &op);
    }
}

static void try_move(struct trial *trial) {
    unsigned me = trial->part->member.rank;
    fill(trial, trial->in == FL_COLL_ALL ? next(trial) : me);
    if (trial->in == FL_COLL_NONE) {
        meet_all(trial->part);
    }
    struct fl_coll_pending *pending =
        trial->seed % 3 ? (perform(trial), NULL)
                        : fl_coll_begin(&trial->part->member, perform, trial, sizeof *trial);
    if (pending) {
        fl_coll_wait(pending, *trial->part->team->wait);
    }
    if (trial->out == FL_COLL_NONE) {
        meet_all(trial->part);
    }
    check_result(trial, trial->out == FL_COLL_ALL ? next(trial) : me);
    if (trial->out == FL_COLL_MINE) {
        memset(at(trial, me, trial->src), 0xee, source_bytes(trial));
    }
}

/* Element i of an array of blocks of 3 is i. */
static void try_reduction(const struct trial *trial) {
    struct fl_coll_call call = call_of(trial);
    unsigned me = trial->part->member.rank, members = trial->part->team->members;
    struct fl_coll_operator add = fl_coll_operator(FL_COLL_L, FL_COLL_ADD);
    add.ordered = trial->seed & 1;
    size_t first = trial->bytes % 17, count = 1 + trial->bytes % 41;
    struct fl_coll_array array = {FL_SPACE_BASE + trial->src, first, count, 3};
    long *mine = (long *)(void *)at(trial, me, trial->src);
    long *result = (long *)(void *)at(trial, me, trial->dst);
    for (unsigned i = 0; i < 64; i++) {
        mine[i] = i / 3 * 3 * members + me * 3 + i % 3;
    }
    if (trial->in == FL_COLL_NONE) {
        meet_all(trial->part);
    }
    long before = first ? (long)(first * (first - 1) / 2) : 0;
    long sum = (long)((first + count) * (first + count - 1) / 2) - before;
    bool good = true;
    if (trial->operation == FL_COLL_PREFIX_REDUCE) {
        struct fl_coll_array results = array;
        results.origin = FL_SPACE_BASE + trial->dst;
        fl_coll_prefix_reduce(&call, &results, &array, &add);
    } else if (trial->operation == FL_COLL_REDUCE) {
        fl_coll_reduce(&call, at(trial, trial->root, trial->dst), &array, &add);
    } else {
        fl_coll_reduce_all(&call, of_thread_0(trial->dst), &array, &add);
    }
    if (trial->out == FL_COLL_NONE) {
        meet_all(trial->part);
    }
    if (trial->operation != FL_COLL_PREFIX_REDUCE) {
        good = (trial->operation == FL_COLL_REDUCE && me != trial->root) || *result == sum;
    }
    for (size_t i = first; trial->operation == FL_COLL_PREFIX_REDUCE && i < first + count; i++) {
        long wanted = (long)(i * (i + 1) / 2) - before;
        good = good && (i / 3 % members != me || result[i / 3 / members * 3 + i % 3] == wanted);
    }
    if (!good) {
        wrong(trial, me, 0);
    }
}

static void try_values(const struct trial *trial) {
    struct fl_coll_call call = call_of(trial);
    unsigned me = trial->part->member.rank, members = trial->part->team->members;
    unsigned root = trial->root;
    struct large {
        unsigned a[50];
    } mine = {.a = {[49] = me}}, table[MOST_THREADS];
    int value = (int)me + 1, sum = (int)(members * (members + 1) / 2);
    struct fl_coll_operator add = fl_coll_operator(FL_COLL_I, FL_COLL_ADD);
    fl_coll_value_reduce(&call, &value, &add, false, root);
    bool good = value == (me == root ? sum : (int)me + 1);
    value = (int)me + 1;
    fl_coll_value_reduce(&call, &value, &add, true, 0);
    good = good && value == sum;
    fl_coll_value_gather(&call, table, &mine, sizeof mine,
                         trial->seed % 2 ? root : FL_COLL_EVERYBODY);
    for (unsigned i = 0; i < members && me == root; i++) {
        good = good && table[i].a[49] == i;
    }
    fl_coll_value_scatter(&call, &mine, table, sizeof mine, root);
    good = good && mine.a[49] == me;
    fl_coll_value_permute(&call, &mine, sizeof mine, (me + root) % members);
    good = good && mine.a[49] == (me + members - root) % members;
    fl_coll_value_broadcast(&call, &mine, sizeof mine, root);
    good = good && mine.a[49] == 0;
    value = 1;
    fl_coll_value_prefix_reduce(&call, &value, &add);
    if (!good || value != (int)me + 1) {
        wrong(trial, me, 0);
    }
}

static void try(struct part *part, unsigned round) {
    struct trial trial = trial_of(part, round, (enum fl_coll_operation)(round % KINDS));
    if ((int)trial.operation == VALUES) {
        try_values(&trial);
    } else if (trial.operation < FL_COLL_REDUCE || is_vector(&trial)) {
        try_move(&trial);
    } else {
        try_reduction(&trial);
    }
    meet_all(part);
}

/* Rounds without any other waiting: members run ahead as far as they may. */
static void try_ahead(struct part *part, unsigned round) {
    struct trial trial = trial_of(part, round, (enum fl_coll_operation)(round % 6));
    trial.in = trial.out = FL_COLL_MINE;
    trial.seed |= 1;
    try_move(&trial);
}

static bool of_all(unsigned me, void *context) {
    (void)context;
    struct fl_barrier_thread at_barrier = {.me = me};
    struct part part = {&everybody, {.rank = me, .barrier = &at_barrier}, &at_barrier, true};
    for (unsigned round = 0; round < ROUNDS; round++) {
        try(&part, round);
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        try_ahead(&part, round);
    }
    fl_coll_pending_end();
    return part.good;
}

/* The ranks of each team go to and fro between the hosts. All have the same memory one after the other,
 * and no two the same name: a host may still wait for messages of the team before. */
static bool of_teams(unsigned me, void *context) {
    (void)context;
    struct fl_barrier_thread at_barrier = {.me = me};
    struct fl_coll_member member = {.rank = me, .barrier = &at_barrier};
    struct fl_coll_call call = {.team = &everybody, .member = &member};
    struct fl_coll_team team;
    struct fl_coll_choices choices;
    struct part part = {.team = &team, .barrier = &at_barrier, .good = true};
    uint64_t ids[3];
    for (unsigned i = 0; i < 3; i++) {
        part.member = (struct fl_coll_member){
            .rank = fl_coll_split(&call, (int)(me % (i + 1)), (int)(me * 5 % layout.threads), &team)};
        bool leads = part.member.rank == team.leader;
        fl_coll_split_end(&call, &team,
                          leads ? memset((void *)fl_space_address(&space, me, SPLIT), 0,
                                         fl_coll_bytes(team.members, team.hosts))
                                : NULL);
        choose(&choices, &team);
        ids[i] = team.id;
        for (unsigned before = 0; before < i; before++) {
            part.good &= team.hosts == 1 || ids[before] != team.id;
        }
        for (unsigned round = 0; round < ROUNDS; round++) {
            try(&part, round);
        }
        struct fl_coll_call last = {.team = &team, .member = &part.member};
        fl_coll_unite(&last, &team);
    }
    fl_coll_pending_end();
    return part.good;
}

static const struct {
    unsigned hosts, procs, pthreads;
} mappings[] = {{2, 1, 1}, {3, 1, 2}, {2, 2, 2}};

static const char *const ways[] = {NULL, "*:post", "*:pull,*:meet", "*:push,*:slice",
                                   "*:levels"};

int main(void) {
    for (size_t i = 0; i < sizeof mappings / sizeof *mappings; i++) {
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            /* What orders two threads of a process may be a step that another process of their host
             * makes in their shared memory: TSan does not see that. */
            if (TEST_TSAN && mappings[i].procs > 1) {
                continue;
            }
            forced = ways[w];
            printf("# %s\n", forced ? forced : "by rule");
            run("all", new_world(mappings[i].hosts, mappings[i].procs, mappings[i].pthreads,
                                 of_all));
            run("teams", new_world(mappings[i].hosts, mappings[i].procs, mappings[i].pthreads,
                                   of_teams));
        }
    }
    return test_done();
}
