/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams and their collective operations. The operations are those of the room coll and run on
 * fibers: any polling thread advances all of them, one thread at a time (coll/pending.h). So an
 * operation is not bound to the thread that began it, and its event is like any other.
 *
 * On each host a team's cells lie in memory of its leader: see gas_own_allocate.
 */
#include "gas/inside.h"

#include "coll/pending.h"
#include "coll/split.h"
#include "coll/value.h"

#include <stdlib.h>
#include <string.h>

/* The kinds of calls, and their names in messages to the user. */
enum kind { SPLIT, FREE, BARRIER, BROADCAST, SCATTER, GATHER, EXCHANGE, REDUCE };
static const char *const names[] = {
    [SPLIT] = "gas_team_split",         [FREE] = "gas_team_free",
    [BARRIER] = "gas_team_barrier",     [BROADCAST] = "gas_team_broadcast",
    [SCATTER] = "gas_team_scatter",     [GATHER] = "gas_team_gather",
    [EXCHANGE] = "gas_team_exchange",   [REDUCE] = "gas_team_reduce",
};

struct gas_team {
    struct fl_coll_team team;
    struct fl_coll_member member;
};

static struct {
    struct gas_team all;
    struct fl_coll_hub hub;
    struct fl_mutex mutex; /* held by the thread that uses the queue */
    struct fl_coll_queue queue;
    _Atomic uint32_t pending; /* number of operations that have not ended */
} teams;

uint64_t gas_teams_bytes(const struct fl_layout *layout) {
    return fl_coll_bytes(layout->threads, layout->hosts);
}

void gas_teams_start(void *memory) {
    const struct fl_space *space = &gas_process.space;
    fl_coll_attach(&teams.all.team, memory, &gas_process.layout, FL_SPACE_BASE,
                   space->log2_segment, space->stride, names, &gas_process.wait, &teams.hub);
    teams.hub.posted = gas_wake_sleepers;
    teams.all.member.rank = gas_rank();
}

static struct gas_team *team_of(gas_team_t team, const char *what) {
    if (FL_LIKELY(team == GAS_TEAM_ALL)) {
        return &teams.all;
    }
    if (FL_UNLIKELY(!team)) {
        gas_misuse("%s: the team is GAS_TEAM_NONE", what);
    }
    return team;
}

/* ---- pending operations ---- */

struct order {
    struct gas_event *event;
    struct fl_coll_call call;
    void (*perform)(struct order *order);
    void *dst;
    const void *src;
    size_t bytes; /* of a block */
    unsigned root;
    size_t count;
    struct fl_coll_combiner combiner;
    struct gas_team *made; /* the result of a split, or the team to free */
    int color, key;        /* of a split */
};
_Static_assert(sizeof(struct order) <= FL_COLL_CONTEXT_BYTES, "an order can be waited for later");

bool gas_teams_pending(void) {
    /* Relaxed: a thread that misses an operation polls again before it sleeps. */
    return atomic_load_explicit(&teams.pending, memory_order_relaxed) > 0;
}

static void run(void *context) {
    struct order *order = context;
    order->perform(order);
    /* Relaxed: see gas_teams_pending. */
    atomic_fetch_sub_explicit(&teams.pending, 1, memory_order_relaxed);
    fl_comm_op_end(&order->event->op);
}

unsigned gas_teams_go_on(void) {
    if (!fl_mutex_try(&teams.mutex)) {
        return 0; /* another thread advances them */
    }
    uint32_t before = atomic_load_explicit(&teams.pending, memory_order_relaxed);
    bool went_on = fl_coll_queue_go_on(&teams.queue);
    uint32_t after = atomic_load_explicit(&teams.pending, memory_order_relaxed);
    fl_mutex_unlock(&teams.mutex);
    if (went_on) {
        gas_wake_sleepers();
    }
    return before > after;
}

static gas_event_t begin(gas_team_t team, enum kind kind, struct order *order) {
    struct gas_team *of = team_of(team, names[kind]);
    struct gas_event *event = gas_event_new();
    fl_comm_op_begin(&event->op);
    order->event = event;
    order->call = (struct fl_coll_call){
        .team = &of->team, .member = &of->member, .kind = kind, .in = FL_COLL_MINE,
        .out = FL_COLL_MINE};
    fl_mutex_lock(&teams.mutex);
    atomic_fetch_add_explicit(&teams.pending, 1, memory_order_relaxed);
    fl_coll_queue_begin(&teams.queue, &of->member, run, order, sizeof *order);
    fl_mutex_unlock(&teams.mutex);
    gas_wake_sleepers();
    return gas_event_started(event);
}

static void perform(gas_team_t team, enum kind kind, struct order *order) {
    fl_wait_begin(names[kind], NULL, 0);
    gas_event_wait(begin(team, kind, order));
    fl_wait_end();
}

static void check_root(const struct fl_coll_team *team, enum kind kind, gas_rank_t root) {
    if (FL_UNLIKELY(root >= team->members)) {
        gas_misuse("%s: the root is %u, and the team's ranks are 0 to %u", names[kind], root,
                   team->members - 1);
    }
}

/* ---- teams ---- */

gas_rank_t gas_team_rank(gas_team_t team) {
    return team_of(team, "gas_team_rank")->member.rank;
}

gas_rank_t gas_team_size(gas_team_t team) {
    return team_of(team, "gas_team_size")->team.members;
}

gas_rank_t gas_team_to_job(gas_team_t team, gas_rank_t rank) {
    const struct fl_coll_team *members = &team_of(team, "gas_team_to_job")->team;
    if (FL_UNLIKELY(rank >= members->members)) {
        gas_misuse("gas_team_to_job: rank %u of a team of %u", rank, members->members);
    }
    return fl_coll_thread(members, rank);
}

gas_rank_t gas_team_from_job(gas_team_t team, gas_rank_t rank) {
    const struct fl_coll_team *members = &team_of(team, "gas_team_from_job")->team;
    unsigned found = members->threads ? fl_coll_rank_of_thread(members, rank) : rank;
    return found < members->members ? found : GAS_RANK_NONE;
}

static void split(struct order *order) {
    struct gas_team *new = order->made;
    new->member.rank = fl_coll_split(&order->call, order->color, order->key, &new->team);
    bool leads = new->team.members > 0 && new->member.rank == new->team.leader;
    void *memory = NULL;
    if (leads) {
        memory = gas_own_allocate(fl_coll_bytes(new->team.members, new->team.hosts));
        memset(memory, 0, fl_coll_zeroed_bytes(new->team.members));
    }
    fl_coll_split_end(&order->call, &new->team, memory);
}

gas_team_t gas_team_split(gas_team_t parent, int color, int key) {
    struct order order = {.perform = split, .color = color < 0 ? -1 : color, .key = key};
    order.made = calloc(1, sizeof *order.made);
    if (!order.made) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "gas_team_split: no memory for a team");
    }
    perform(parent, SPLIT, &order);
    if (order.made->team.members == 0) {
        free(order.made);
        return GAS_TEAM_NONE;
    }
    return order.made;
}

/* The member lists of one call are disjoint, so the rank of a list's first member is its color. */
gas_team_t gas_team_create(gas_team_t parent, const gas_rank_t *members, size_t n) {
    gas_rank_t me = gas_team_rank(parent);
    size_t at = 0;
    while (at < n && members[at] != me) {
        at++;
    }
    if (n > 0 && at == n) {
        gas_misuse("gas_team_create: rank %u of the parent is none of the %zu members it names", me,
                   n);
    }
    return gas_team_split(parent, n > 0 ? (int)members[0] : -1, (int)at);
}

static void leave_team(struct order *order) {
    struct gas_team *team = order->made;
    void *memory = fl_coll_unite(&order->call, &team->team);
    if (memory) {
        gas_own_free(memory);
    }
}

void gas_team_free(gas_team_t team) {
    if (team == GAS_TEAM_ALL) {
        gas_misuse("gas_team_free: GAS_TEAM_ALL cannot be freed");
    }
    struct order order = {.perform = leave_team, .made = team};
    perform(team, FREE, &order);
    free(team);
}

/* ---- operations ---- */

static void meet(struct order *order) {
    fl_coll_barrier(&order->call);
}

gas_event_t gas_team_barrier_nb(gas_team_t team) {
    struct order order = {.perform = meet};
    return begin(team, BARRIER, &order);
}

static void broadcast(struct order *order) {
    struct fl_coll_call *call = &order->call;
    bool is_root = fl_coll_me(call) == order->root;
    if (is_root && order->dst != order->src) {
        memmove(order->dst, order->src, order->bytes);
    }
    fl_coll_value_broadcast(call, is_root ? (void *)(uintptr_t)order->src : order->dst,
                            order->bytes, order->root);
}

gas_event_t gas_team_broadcast_nb(gas_team_t team, gas_rank_t root, void *dst, const void *src,
                                  size_t bytes) {
    struct order order = {
        .perform = broadcast, .dst = dst, .src = src, .bytes = bytes, .root = root};
    check_root(&team_of(team, names[BROADCAST])->team, BROADCAST, root);
    return begin(team, BROADCAST, &order);
}

static void scatter(struct order *order) {
    fl_coll_value_scatter(&order->call, order->dst, order->src, order->bytes, order->root);
}

gas_event_t gas_team_scatter_nb(gas_team_t team, gas_rank_t root, void *dst, const void *src,
                                size_t bytes) {
    struct order order = {
        .perform = scatter, .dst = dst, .src = src, .bytes = bytes, .root = root};
    check_root(&team_of(team, names[SCATTER])->team, SCATTER, root);
    return begin(team, SCATTER, &order);
}

static void gather(struct order *order) {
    fl_coll_value_gather(&order->call, order->dst, order->src, order->bytes, order->root);
}

_Static_assert(GAS_EVERYBODY == FL_COLL_EVERYBODY, "one name of all members");

gas_event_t gas_team_gather_nb(gas_team_t team, gas_rank_t root, void *dst, const void *src,
                               size_t bytes) {
    struct order order = {.perform = gather, .dst = dst, .src = src, .bytes = bytes, .root = root};
    if (root != GAS_EVERYBODY) {
        check_root(&team_of(team, names[GATHER])->team, GATHER, root);
    }
    return begin(team, GATHER, &order);
}

static void exchange(struct order *order) {
    fl_coll_value_exchange(&order->call, order->dst, order->src, order->bytes);
}

gas_event_t gas_team_exchange_nb(gas_team_t team, void *dst, const void *src, size_t bytes) {
    struct order order = {.perform = exchange, .dst = dst, .src = src, .bytes = bytes};
    return begin(team, EXCHANGE, &order);
}

static void reduce(struct order *order) {
    fl_coll_value_combine(&order->call, order->dst, order->src, order->count, &order->combiner,
                          order->root);
}

gas_event_t gas_team_reduce_nb(gas_team_t team, gas_rank_t root, void *dst, const void *src,
                               size_t bytes_each, size_t count, gas_reduce_function *combine,
                               const void *context) {
    struct order order = {.perform = reduce,
                          .dst = dst,
                          .src = src,
                          .count = count,
                          .root = root,
                          .combiner = {bytes_each, combine, context}};
    if (root != GAS_EVERYBODY) {
        check_root(&team_of(team, names[REDUCE])->team, REDUCE, root);
    }
    return begin(team, REDUCE, &order);
}
