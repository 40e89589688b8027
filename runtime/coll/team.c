/* SPDX-License-Identifier: BSD-3-Clause */
/* See team.h. */
#include "coll/team.h"

#include "coll/between.h"
#include "coll/pending.h"
#include "comm/comm.h"
#include "core/assert.h"
#include "core/fatal.h"

#include <inttypes.h>
#include <string.h>

uint32_t fl_coll_window_bytes(unsigned members, unsigned hosts) {
    uint32_t bytes = hosts > 1 ? FL_COLL_FAR_WINDOW_BYTES : FL_COLL_WINDOW_BYTES;
    while (bytes > FL_COLL_WINDOW_BYTES &&
           (uint64_t)members * 2 * bytes > FL_COLL_WINDOWS_BYTES) {
        bytes /= 2;
    }
    return bytes;
}

uint64_t fl_coll_zeroed_bytes(unsigned members) {
    return fl_round_up(sizeof(struct fl_coll_center), sizeof(struct fl_coll_cell)) +
           (uint64_t)members * FL_COLL_RING * sizeof(struct fl_coll_cell);
}

uint64_t fl_coll_bytes(unsigned members, unsigned hosts) {
    return fl_coll_zeroed_bytes(members) +
           (uint64_t)members * 2 * fl_coll_window_bytes(members, hosts);
}

void fl_coll_attach(struct fl_coll_team *team, void *memory, const struct fl_layout *layout,
                    uintptr_t origin, unsigned shift, uintptr_t stride, const char *const *names,
                    const struct fl_wait_policy *wait, struct fl_coll_hub *hub) {
    *team = (struct fl_coll_team){.members = layout->threads,
                                  .here = fl_layout_my_threads(layout),
                                  .leader = fl_layout_my_first(layout),
                                  .hosts = layout->hosts,
                                  .host = layout->my_host,
                                  .layout = layout,
                                  .origin = origin,
                                  .shift = shift,
                                  .stride = stride,
                                  .names = names,
                                  .wait = wait,
                                  .hub = hub};
    fl_coll_use(team, memory);
    if (team->hosts > 1) {
        fl_coll_connect(team);
        fl_coll_listen(hub);
    }
}

void fl_coll_use(struct fl_coll_team *team, void *memory) {
    team->center = memory;
    team->cells = (struct fl_coll_cell *)((char *)memory + fl_round_up(sizeof *team->center,
                                                                       sizeof *team->cells));
    team->windows = (unsigned char *)(team->cells + (size_t)team->members * FL_COLL_RING);
    team->window_bytes = fl_coll_window_bytes(team->members, team->hosts);
}

unsigned fl_coll_rank_of_thread(const struct fl_coll_team *team, unsigned thread) {
    unsigned rank = 0;
    while (rank < team->members && team->threads[rank] != thread) {
        rank++;
    }
    return rank;
}

unsigned fl_coll_host_of(const struct fl_coll_team *team, unsigned rank) {
    return team->hosts_of ? team->hosts_of[rank] : fl_layout_host_of_thread(team->layout, rank);
}

static void begin_wait(const struct fl_coll_call *call) {
    fl_wait_begin(call->team->names[call->kind], NULL, 0);
}

static void meet_at_turn(struct fl_coll_call *call) {
    if (call->team->hosts > 1) {
        fl_comm_quiet();
    }
    fl_coll_step(call);
    if (fl_coll_arrive(call)) {
        fl_coll_over(call);
    } else {
        fl_coll_await_over(call);
    }
}

void fl_coll_barrier(struct fl_coll_call *call) {
    if (!call->team->barrier) {
        meet_at_turn(call);
        return;
    }
    const struct fl_barrier_mark mark = {.kind = call->kind};
    begin_wait(call);
    fl_barrier_notify(call->team->barrier, call->member->barrier, &mark);
    fl_barrier_wait(call->team->barrier, call->member->barrier, &mark);
    fl_wait_end();
}

/* As many polls without a pause take as long as one with it. */
enum { LOOKS_OF_PAUSE = 24 };

/* Polls with pauses: each takes the line away from the thread that is about to write it. */
static bool reached_with_pauses(_Atomic uint32_t *word, uint32_t value, uint32_t spins) {
    for (uint32_t i = 0; i < spins / LOOKS_OF_PAUSE; i++) {
        fl_os_relax();
        if (fl_wait_reached(word, value)) {
            return true;
        }
    }
    return false;
}

void fl_coll_await_slow(const struct fl_coll_call *call, _Atomic uint32_t *word, uint32_t value) {
    if (fl_coll_paused(word, value)) {
        return;
    }
    begin_wait(call);
    if (fl_wait_service.poll) {
        fl_wait_until(word, value, *call->team->wait);
    } else if (!reached_with_pauses(word, value, call->team->wait->spins)) {
        fl_wait_until_slow(word, value, *call->team->wait);
    }
    fl_wait_end();
}

/* Bits of the number of a half. */
enum { HALVES_MASK = INT32_MAX / FL_COLL_HALF };

void fl_coll_half_over(const struct fl_coll_team *team, uint32_t half) {
    _Atomic uint32_t *over = &team->center->half[(half - 1) & 1].over;
    /* Relaxed: the thread that ends a half is the only one. At first the word is 0. */
    uint32_t before = atomic_load_explicit(over, memory_order_relaxed) >> 1;
    fl_assert(before == 0 || before == ((half - 2) & HALVES_MASK));
    fl_wait_publish(over, half << 1);
}

/* Waits until all have ended the half before the last one, whose cells `half` will use; and ends
 * the last one. */
static FL_COLD void begin_half(const struct fl_coll_call *call, uint32_t half) {
    struct fl_coll_center *center = call->team->center;
    uint32_t ended = (half - 1) & 1;
    /* The word stays: the next half of its parity ends only with the caller. */
    fl_coll_await(call, &center->half[half & 1].over, ((half - 1) & HALVES_MASK) << 1);
    /* [K4] pairs itself: members that the last one releases may write cells that others have
     * read. */
    uint32_t before = atomic_fetch_add_explicit(&center->half[ended].left, 1, memory_order_acq_rel);
    fl_assert(before < call->team->here);
    if (before + 1 < call->team->here) {
        return;
    }
    /* Relaxed: no member ends the next half of this parity before the publication. */
    atomic_store_explicit(&center->half[ended].left, 0, memory_order_relaxed);
    if (fl_coll_one_host(call->team)) {
        fl_coll_half_over(call->team, half);
    } else {
        fl_coll_end_half(call->team, half);
    }
}

void fl_coll_await_ends(const struct fl_coll_team *team, struct fl_coll_member *member) {
    const struct fl_coll_call call = {.team = team, .member = member};
    uint32_t half = member->step / FL_COLL_HALF;
    fl_coll_await(&call, &team->center->half[(half - 1) & 1].over, half << 1);
}

void fl_coll_step_slow(struct fl_coll_call *call, size_t bytes) {
    struct fl_coll_member *member = call->member;
    bool large = FL_UNLIKELY(bytes > FL_COLL_CELL_BYTES);
    fl_assert(bytes <= call->team->window_bytes);
    member->step++;
    if (large && member->room + bytes > call->team->window_bytes) {
        member->step = (uint32_t)fl_round_up(member->step, FL_COLL_HALF);
    }
    call->step = member->step &= INT32_MAX;
    if (FL_UNLIKELY(call->step % FL_COLL_HALF == 0)) {
        member->room = 0;
        begin_half(call, call->step / FL_COLL_HALF);
    }
    call->room = member->room;
    if (large) {
        member->room += (uint32_t)fl_round_up(bytes, FL_CACHE_LINE);
    }
}

void fl_coll_two_steps(struct fl_coll_call *call, size_t bytes, struct fl_coll_call *second,
                       size_t second_bytes) {
    if ((call->member->step + 2) % FL_COLL_HALF == 0) {
        fl_coll_step(call); /* not used */
    }
    size_t first_bytes = fl_round_up(bytes, FL_CACHE_LINE);
    fl_coll_step_with(call, first_bytes + second_bytes);
    *second = *call;
    second->step = ++call->member->step;
    fl_assert(second->step / FL_COLL_HALF == call->step / FL_COLL_HALF);
    second->room = call->room + (uint32_t)first_bytes;
}

void fl_coll_add_acks(_Atomic uint32_t *acks, unsigned n, unsigned of) {
    /* [K5] pairs itself, and the acquire of the waiting owner (core/wait.h): else the owner would
     * change what is being copied. A sleeper's bit stays in the word, so only the last wakes. */
    uint32_t before = atomic_fetch_add_explicit(acks, n << 1, memory_order_acq_rel);
    fl_assert(of == 0 || (before >> 1) + n <= of);
    if (FL_UNLIKELY(before & FL_WAIT_SLEEPING) && (of == 0 || (before >> 1) + n == of)) {
        fl_os_futex_wake(acks, INT32_MAX);
    }
}

void fl_coll_ack(const struct fl_coll_call *call, unsigned rank, unsigned of, unsigned here) {
    if (fl_coll_is_here(call->team, rank)) {
        fl_coll_add_acks(&fl_coll_cell(call, rank)->acks, 1, of);
    } else {
        fl_coll_ack_far(call, rank, here);
    }
}

void fl_coll_await_acks(const struct fl_coll_call *call, unsigned of) {
    _Atomic uint32_t *acks = &fl_coll_cell(call, fl_coll_me(call))->acks;
    fl_coll_await(call, acks, of << 1);
    /* Relaxed: the step that has this cell next begins only when the caller has ended its half. */
    atomic_store_explicit(acks, 0, memory_order_relaxed);
}

bool fl_coll_arrive_here(const struct fl_coll_call *call) {
    _Atomic uint32_t *turn = fl_coll_turn(call);
    uint32_t others = (call->team->here - 1) << 1;
    /* The last member to arrive need not count itself: it writes the line once, at the end. Each
     * member will write the line: fetched for reading, it would have to be fetched again. */
    fl_os_prefetch_write((void *)turn);
    if (!fl_wait_reached(turn, others)) {
        /* [K1] pairs itself: the last to arrive sees what all wrote before. */
        uint32_t before = atomic_fetch_add_explicit(turn, 2, memory_order_acq_rel);
        fl_assert((before & ~(uint32_t)FL_WAIT_SLEEPING) <= others);
        if ((before & ~(uint32_t)FL_WAIT_SLEEPING) != others) {
            return false;
        }
    }
    return true;
}

bool fl_coll_arrive(const struct fl_coll_call *call) {
    bool last = fl_coll_arrive_here(call);
    if (last && FL_UNLIKELY(call->team->hosts > 1)) {
        fl_coll_exchange_cells(call);
    }
    return last;
}
