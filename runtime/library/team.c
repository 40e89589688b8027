/* SPDX-License-Identifier: BSD-3-Clause */
/* <upcx_team.h>: handles, memory and checks. How a team is made and works is coll/. */
#include "library/team.h"

#include "coll/move.h"
#include "coll/split.h"
#include "coll/vector.h"
#include "core/fatal.h"
#include "library/alloc.h"
#include "library/collective.h"
#include "upc/trace.h"

#include <stdlib.h>
#include <string.h>

/* A member's own. */
struct upcx_team {
    struct fl_coll_team team;
    struct fl_coll_member member;
    struct fl_coll_choices choices;
};

static struct upcx_team *const everybody = (struct upcx_team *)1; /* UPCX_TEAM_ALL */

static FL_COLD _Noreturn void bad_team(const char *what, const char *why) {
    fl_fatal(FL_CODE_BAD_ARGUMENT, "%s: the team is %s", what, why);
}

static struct fl_coll_call enter_with(struct upcx_team *team, enum upc_barrier_use use,
                                      upc_flag_t flags) {
    struct upc_thread *self = upc_collective_enter(use);
    if (team == everybody) {
        return upc_coll_call(&upc_process.team, &self->coll, use, flags);
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
    return (int)(team == everybody ? upc_self->me : team->member.rank);
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
    uint64_t bytes = fl_coll_bytes(team->members);
    uint64_t address = upc_alloc_local("upcx_team_split", bytes);
    if (address == 0 || address % ALIGNMENT != 0) {
        fl_fatal(FL_CODE_HEAP_FULL, "upcx_team_split: no memory for a team of %u members",
                 team->members);
    }
    return memset((void *)address, 0, bytes);
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

void upcx_team_barrier(struct upcx_team *team) {
    uint64_t since = upc_trace_begin();
    struct fl_coll_call call = enter(team, UPC_AT_TEAM_BARRIER);
    fl_coll_barrier(&call);
    upc_coll_leave(&call, since);
}

/* Where thread 0 has, or would have, what some thread has at p. */
static upcr_pts at_thread_0(upcr_pts p) {
    uint64_t address = upcr_address(p);
    return address ? upcr_at_thread(upcr_addrfield(address), 0) : 0;
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

typedef void move_operation(struct fl_coll_call *call, void *dst, const void *src, size_t bytes);

static void perform(struct upcx_team *team, enum upc_barrier_use use, move_operation *operation,
                    struct upc_coll_move move) {
    uint64_t since = upc_trace_begin();
    struct fl_coll_call call = enter_with(team, use, move.flags);
    move = placed(move);
    check(&call, &move);
    operation(&call, (void *)move.dst, (void *)move.src, move.nbytes);
    upc_coll_leave(&call, since);
}

void upcx_team_broadcast(struct upcx_team *team, upcr_pts dst, upcr_pts src, size_t nbytes,
                         upc_flag_t flags) {
    perform(team, UPC_AT_TEAM_BROADCAST, fl_coll_broadcast,
            (struct upc_coll_move){dst, src, nbytes, flags, .dst_on_all = true, .in_place = true});
}

void upcx_team_scatter(struct upcx_team *team, upcr_pts dst, upcr_pts src, size_t nbytes,
                       upc_flag_t flags) {
    perform(team, UPC_AT_TEAM_SCATTER, fl_coll_scatter,
            (struct upc_coll_move){dst, src, nbytes, flags, .dst_on_all = true,
                                   .src_is_table = true, .in_place = true});
}

void upcx_team_gather(struct upcx_team *team, upcr_pts dst, upcr_pts src, size_t nbytes,
                      upc_flag_t flags) {
    perform(team, UPC_AT_TEAM_GATHER, fl_coll_gather,
            (struct upc_coll_move){dst, src, nbytes, flags, .src_on_all = true,
                                   .dst_is_table = true, .in_place = true});
}

void upcx_team_gather_all(struct upcx_team *team, upcr_pts dst, upcr_pts src, size_t nbytes,
                          upc_flag_t flags) {
    perform(team, UPC_AT_TEAM_GATHER_ALL, fl_coll_gather_all,
            (struct upc_coll_move){dst, src, nbytes, flags, .dst_on_all = true,
                                   .src_on_all = true, .dst_is_table = true, .in_place = true});
}

void upcx_team_exchange(struct upcx_team *team, upcr_pts dst, upcr_pts src, size_t nbytes,
                        upc_flag_t flags) {
    perform(team, UPC_AT_TEAM_EXCHANGE, fl_coll_exchange,
            (struct upc_coll_move){dst, src, nbytes, flags, .dst_on_all = true,
                                   .src_on_all = true, .dst_is_table = true,
                                   .src_is_table = true});
}

void upcx_team_permute(struct upcx_team *team, upcr_pts dst, upcr_pts src, const int *perm,
                       size_t nbytes, upc_flag_t flags) {
    uint64_t since = upc_trace_begin();
    struct fl_coll_call call = enter_with(team, UPC_AT_TEAM_PERMUTE, flags);
    const struct upc_coll_move move = placed((struct upc_coll_move){
        dst, src, nbytes, flags, .dst_on_all = true, .src_on_all = true});
    const int *targets = (const int *)at_thread_0((upcr_pts)perm);
    check(&call, &move);
    if (FL_UNLIKELY(upc_process.check)) {
        upc_coll_check_permutation(&call, targets);
    }
    fl_coll_permute(&call, (void *)move.dst, (void *)move.src, targets, nbytes);
    upc_coll_leave(&call, since);
}

/* What a reduction is called with. */
struct reduction {
    size_t nelems;
    upc_type_t type;
    upc_op_t op;
};

typedef void vector_operation(struct fl_coll_call *call, void *dst, const void *src, size_t count,
                              const struct fl_coll_operator *op);

static void reduce(struct upcx_team *team, enum upc_barrier_use use, vector_operation *operation,
                   struct upc_coll_move move, const struct reduction *r) {
    uint64_t since = upc_trace_begin();
    struct fl_coll_call call = enter_with(team, use, move.flags);
    struct fl_coll_operator op = upc_coll_operator_of(use, r->type, r->op);
    if (FL_UNLIKELY(upc_process.check)) {
        const struct upc_argument arguments[] = {{"nelems", r->nelems, false},
                                                 {"type", (uint64_t)r->type, false},
                                                 {"op", (uint64_t)r->op, false}};
        upc_collective_agree_in(&call, arguments, 3);
    }
    move = placed(move);
    move.nbytes = r->nelems * op.size;
    check(&call, &move);
    operation(&call, (void *)move.dst, (void *)move.src, r->nelems, &op);
    upc_coll_leave(&call, since);
}

void upcx_team_reduce(struct upcx_team *team, upcr_pts dst, upcr_pts src, size_t nelems,
                      upc_type_t type, upc_op_t op, upc_flag_t flags) {
    reduce(team, UPC_AT_TEAM_REDUCE, fl_coll_vector_reduce,
           (struct upc_coll_move){dst, src, .flags = flags, .src_on_all = true, .in_place = true},
           &(struct reduction){nelems, type, op});
}

void upcx_team_reduce_all(struct upcx_team *team, upcr_pts dst, upcr_pts src, size_t nelems,
                          upc_type_t type, upc_op_t op, upc_flag_t flags) {
    reduce(team, UPC_AT_TEAM_REDUCE_ALL, fl_coll_vector_reduce_all,
           (struct upc_coll_move){dst, src, .flags = flags, .dst_on_all = true,
                                  .src_on_all = true, .in_place = true},
           &(struct reduction){nelems, type, op});
}
