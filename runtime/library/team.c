/* SPDX-License-Identifier: BSD-3-Clause */
/* <upcx_team.h>: handles, memory and checks. coll/ makes teams and performs their operations. */
#include "library/team.h"

#include "coll/move.h"
#include "coll/pending.h"
#include "coll/split.h"
#include "coll/vector.h"
#include "core/fatal.h"
#include "library/alloc.h"
#include "library/collective.h"
#include "upc/foreign.h"
#include "upc/trace.h"

#include <stdlib.h>
#include <string.h>

/* A team as one member has it. */
struct upcx_team {
    struct fl_coll_team team;
    struct fl_coll_member member;
    struct fl_coll_choices choices;
};

static struct upcx_team *const everybody = (struct upcx_team *)1; /* UPCX_TEAM_ALL */

static FL_COLD _Noreturn void bad_team(const char *what, const char *why) {
    fl_fatal(FL_CODE_BAD_ARGUMENT, "%s: the team is %s", what, why);
}

/* Makes the call of a blocking operation. Operations that the member has begun before are completed
 * first. */
static struct fl_coll_call enter_with(struct upcx_team *team, enum upc_barrier_use use,
                                      upc_flag_t flags) {
    struct upc_thread *self = upc_collective_enter(use);
    if (team == everybody) {
        return upc_coll_call(&upc_process.team, &self->coll, use, flags);
    }
    if (FL_UNLIKELY(!team)) {
        bad_team(upc_barrier_names[use], "UPCX_TEAM_NONE");
    }
    if (FL_UNLIKELY(fl_wait_aside != NULL)) {
        fl_coll_settle(&team->member, upc_process.wait);
    }
    return upc_coll_call(&team->team, &team->member, use, flags);
}

/* The same for an operation that is waited for later. */
static struct fl_coll_call enter_later(struct upcx_team *team, enum upc_barrier_use use,
                                       upc_flag_t flags) {
    struct upc_thread *self = upc_collective_enter(use);
    if (team == everybody) {
        return upc_coll_call(&upc_process.later_team, &self->later_coll, use, flags);
    }
    if (FL_UNLIKELY(!team)) {
        bad_team(upc_barrier_names[use], "UPCX_TEAM_NONE");
    }
    return upc_coll_call(&team->team, &team->member, use, flags);
}

/* For functions without flags. */
static struct fl_coll_call enter(struct upcx_team *team, enum upc_barrier_use use) {
    struct fl_coll_call call = enter_with(team, use, 0);
    if (FL_UNLIKELY(upc_process.check)) {
        upc_collective_agree_in(&call, NULL, 0);
    }
    return call;
}

static const struct fl_coll_team *members_of(struct upcx_team *team, const char *what) {
    if (FL_UNLIKELY(!team)) {
        bad_team(what, "UPCX_TEAM_NONE");
    }
    return team == everybody ? &upc_process.team : &team->team;
}

int upcx_team_size(struct upcx_team *team) {
    return (int)members_of(team, "upcx_team_size")->members;
}

int upcx_team_rank(struct upcx_team *team) {
    members_of(team, "upcx_team_rank");
    return (int)(team == everybody ? upc_itself("upcx_team_rank")->me : team->member.rank);
}

int upcx_team_thread(struct upcx_team *team, int rank) {
    const struct fl_coll_team *members = members_of(team, "upcx_team_thread");
    if (FL_UNLIKELY((unsigned)rank >= members->members)) {
        fl_fatal(FL_CODE_BAD_ARGUMENT,
                 "upcx_team_thread: rank is %d, but the team's ranks are 0 to %u", rank,
                 members->members - 1);
    }
    return (int)fl_coll_thread(members, (unsigned)rank);
}

/* Memory for the cells of all members, on this host. */
static void *host_memory(const struct fl_coll_team *team) {
    enum { ALIGNMENT = sizeof(struct fl_coll_cell) };
    uint64_t bytes = fl_coll_bytes(team->members, team->hosts);
    uint64_t address = upc_alloc_local("upcx_team_split", bytes);
    if (address == 0 || address % ALIGNMENT != 0) {
        fl_fatal(FL_CODE_HEAP_FULL, "upcx_team_split: no memory for a team of %u members",
                 team->members);
    }
    return memset((void *)address, 0, fl_coll_zeroed_bytes(team->members));
}

struct upcx_team *upcx_team_split(struct upcx_team *from, int color, int key) {
    struct fl_coll_call call = enter(from, UPC_AT_TEAM_SPLIT);
    struct upcx_team *team = calloc(1, sizeof *team);
    if (!team) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "upcx_team_split: no memory for a team");
    }
    struct fl_coll_team *new = &team->team;
    team->member.rank = fl_coll_split(&call, color, key, new);
    bool leads = new->members > 0 && team->member.rank == new->leader;
    fl_coll_split_end(&call, new, leads ? host_memory(new) : NULL);
    if (new->members == 0) {
        free(team);
        return NULL;
    }
    upc_collective_choose(&team->choices, new);
    new->choices = &team->choices;
    return team;
}

void upcx_team_free(struct upcx_team *team) {
    if (team == everybody) {
        bad_team("upcx_team_free", "UPCX_TEAM_ALL, which cannot be freed");
    }
    struct fl_coll_call call = enter(team, UPC_AT_TEAM_FREE);
    void *memory = fl_coll_unite(&call, &team->team);
    if (memory) {
        upc_alloc_free("upcx_team_free", (uint64_t)memory);
    }
    free(team);
}

/* The address in thread 0's segment at the same offset as p. */
static upcr_pts at_thread_0(upcr_pts p) {
    uint64_t address = upcr_address(p);
    return address ? upcr_address_on(upcr_addrfield(address), 0) : 0;
}

static void check_member(const struct fl_coll_call *call, const char *name, upcr_pts p) {
    if (FL_UNLIKELY(fl_coll_rank_of(call->team, (void *)p) == call->team->members)) {
        fl_fatal(FL_CODE_BAD_ARGUMENT,
                 "%s: %s points to memory of thread %lu, which is no member of the team",
                 upc_barrier_names[call->kind], name, upcr_threadof(p));
    }
}

static struct upc_coll_move placed(struct upc_coll_move move) {
    move.dst = move.dst_on_all ? at_thread_0(move.dst) : upcr_address(move.dst);
    move.src = move.src_on_all ? at_thread_0(move.src) : upcr_address(move.src);
    return move;
}

static void check(const struct fl_coll_call *call, const struct upc_coll_move *move) {
    if (FL_UNLIKELY(upc_process.check)) {
        upc_coll_check_move(call, move);
    }
    if (!move->dst_on_all) {
        check_member(call, "dst", move->dst);
    }
    if (!move->src_on_all) {
        check_member(call, "src", move->src);
    }
}

/* An operation with its arguments. All functions that move blocks have the same parameters. */
struct order {
    struct fl_coll_call call;
    struct upc_coll_move move;
    void (*perform)(struct order *order);
    void (*copy)(struct fl_coll_call *call, void *dst, const void *src, size_t bytes);
    void (*combine)(struct fl_coll_call *call, void *dst, const void *src, size_t count,
                    const struct fl_coll_operator *op);
    const int *perm;
    size_t nelems;
    upc_type_t type;
    upc_op_t op;
    fl_coll_function function;
};
_Static_assert(sizeof(struct order) <= FL_COLL_CONTEXT_BYTES, "an order can be waited for later");

static void run(void *context) {
    struct order *order = context;
    order->perform(order);
}

static void do_now(struct upcx_team *team, enum upc_barrier_use use, struct order order) {
    uint64_t since = upc_trace_begin();
    order.call = enter_with(team, use, order.move.flags);
    order.perform(&order);
    upc_coll_leave(&order.call, since);
}

static struct fl_coll_pending *do_later(struct upcx_team *team, enum upc_barrier_use use,
                                        struct order order) {
    order.call = enter_later(team, use, order.move.flags);
    return fl_coll_begin(order.call.member, run, &order, sizeof order);
}

int upcx_coll_try(struct fl_coll_pending *handle) {
    upc_itself("upcx_coll_try");
    return !handle || fl_coll_try(handle);
}

void upcx_coll_wait(struct fl_coll_pending *handle) {
    upc_itself("upcx_coll_wait");
    uint64_t since = upc_trace_begin();
    if (handle) {
        fl_wait_begin("upcx_coll_wait", NULL, 0);
        fl_coll_wait(handle, upc_process.wait);
        fl_wait_end();
    }
    upc_trace_end_call(since, "collective", "upcx_coll_wait");
}

/* The two functions of an operation. */
#define OPERATION(name, USE, order, ...)                                                           \
    void upcx_team_##name(struct upcx_team *team, __VA_ARGS__, upc_flag_t flags) {                 \
        do_now(team, UPC_AT_TEAM_##USE, order);                                                    \
    }                                                                                              \
    struct fl_coll_pending *upcx_team_##name##_nb(struct upcx_team *team, __VA_ARGS__,             \
                                                  upc_flag_t flags) {                              \
        return do_later(team, UPC_AT_TEAM_##USE, order);                                           \
    }

static void meet(struct order *order) {
    if (FL_UNLIKELY(upc_process.check)) {
        upc_collective_agree_in(&order->call, NULL, 0);
    }
    fl_coll_barrier(&order->call);
}

void upcx_team_barrier(struct upcx_team *team) {
    do_now(team, UPC_AT_TEAM_BARRIER, (struct order){.perform = meet});
}

struct fl_coll_pending *upcx_team_barrier_nb(struct upcx_team *team) {
    return do_later(team, UPC_AT_TEAM_BARRIER, (struct order){.perform = meet});
}

static void move(struct order *order) {
    const struct upc_coll_move move = placed(order->move);
    check(&order->call, &move);
    order->copy(&order->call, (void *)move.dst, (void *)move.src, move.nbytes);
}

#define MOVE(name, USE, ...)                                                                       \
    OPERATION(name, USE,                                                                           \
              ((struct order){.perform = move, .copy = fl_coll_##name,                             \
                              .move = {dst, src, nbytes, flags, __VA_ARGS__}}),                    \
              upcr_pts dst, upcr_pts src, size_t nbytes)

MOVE(broadcast, BROADCAST, .dst_on_all = true, .in_place = true)
MOVE(scatter, SCATTER, .dst_on_all = true, .src_is_table = true, .in_place = true)
MOVE(gather, GATHER, .src_on_all = true, .dst_is_table = true, .in_place = true)
MOVE(gather_all, GATHER_ALL, .dst_on_all = true, .src_on_all = true, .dst_is_table = true,
     .in_place = true)
MOVE(exchange, EXCHANGE, .dst_on_all = true, .src_on_all = true, .dst_is_table = true,
     .src_is_table = true)

static void permute(struct order *order) {
    const struct upc_coll_move move = placed(order->move);
    const int *perm = (const int *)at_thread_0((upcr_pts)order->perm);
    check(&order->call, &move);
    if (FL_UNLIKELY(upc_process.check)) {
        upc_coll_check_permutation(&order->call, perm);
    }
    fl_coll_permute(&order->call, (void *)move.dst, (void *)move.src, perm, move.nbytes);
}

OPERATION(permute, PERMUTE,
          ((struct order){.perform = permute, .perm = perm,
                          .move = {dst, src, nbytes, flags, .dst_on_all = true,
                                   .src_on_all = true}}),
          upcr_pts dst, upcr_pts src, const int *perm, size_t nbytes)

static void reduce(struct order *order) {
    struct fl_coll_call *call = &order->call;
    struct fl_coll_operator op =
        upc_coll_operator_of((enum upc_barrier_use)call->kind, order->type, order->op,
                             order->function);
    if (FL_UNLIKELY(upc_process.check)) {
        const struct upc_argument arguments[] = {{"nelems", order->nelems, UPC_NUMBER},
                                                 {"type", (uint64_t)order->type, UPC_TYPE},
                                                 {"op", (uint64_t)order->op, UPC_OPERATION}};
        upc_collective_agree_in(call, arguments, 3);
    }
    struct upc_coll_move move = placed(order->move);
    move.nbytes = order->nelems * op.size;
    check(call, &move);
    order->combine(call, (void *)move.dst, (void *)move.src, order->nelems, &op);
}

#define REDUCTION(name, vector, USE, operation, func, argument, ...)                               \
    OPERATION(name, USE,                                                                           \
              ((struct order){.perform = reduce, .combine = fl_coll_vector_##vector,               \
                              .nelems = nelems, .type = type, .op = operation,                     \
                              .function = func,                                                    \
                              .move = {dst, src, .flags = flags, __VA_ARGS__}}),                   \
              upcr_pts dst, upcr_pts src, size_t nelems, upc_type_t type, argument)

/* The forms with an operation, and with a function. */
#define REDUCTIONS(name, USE, ...)                                                                 \
    REDUCTION(name, name, USE, op, NULL, upc_op_t op, __VA_ARGS__)                                 \
    REDUCTION(name##_func, name, USE##_FUNC, UPC_FUNC, func, fl_coll_function func, __VA_ARGS__)

REDUCTIONS(reduce, REDUCE, .src_on_all = true, .in_place = true)
REDUCTIONS(reduce_all, REDUCE_ALL, .dst_on_all = true, .src_on_all = true, .in_place = true)
