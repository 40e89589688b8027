/* SPDX-License-Identifier: BSD-3-Clause */
/* See round.h. */
#include "omp/round.h"

#include "core/assert.h"
#include "core/mutex.h"

enum {
    WORTH = 2, /* useful time over cost, from which on a round pays */
    FIRST_PAUSE_NS = 200000,       /* after a round that has not: doubles, */
    LONGEST_PAUSE_NS = 50000000,   /* up to that; */
    LEAST_PAUSE = 8,               /* times the cost of the round, at least, */
    MOST_PAUSE_NS = 1000000000,    /* up to that */
    MOST_BACK = 32 /* returned tasks after which a round is judged at the latest */
};

static struct {
    struct fl_mutex mutex;
    uint64_t away, back; /* tasks that have left and have not ended; that have ended */
    uint64_t cost_ns, gain_ns, pause_ns, not_before_ns;
    bool has_paid;
} now;

void fl_omp_round_begin_region(void) {
    fl_mutex_lock(&now.mutex);
    now.has_paid = false;
    fl_mutex_unlock(&now.mutex);
}

void fl_omp_round_leave(uint64_t tasks) {
    fl_mutex_lock(&now.mutex);
    now.away += tasks;
    fl_mutex_unlock(&now.mutex);
}

void fl_omp_round_cost(uint64_t ns) {
    fl_mutex_lock(&now.mutex);
    now.cost_ns += ns;
    fl_mutex_unlock(&now.mutex);
}

void fl_omp_round_take_back(uint64_t tasks) {
    fl_mutex_lock(&now.mutex);
    fl_assert(now.away >= tasks);
    now.away -= tasks;
    fl_mutex_unlock(&now.mutex);
}

/* The caller has the mutex. */
static bool pays(void) {
    return now.gain_ns >= WORTH * now.cost_ns;
}

/* How long no further round begins after one that has not paid. */
static uint64_t pause_after(uint64_t last_ns, uint64_t cost_ns) {
    uint64_t longer = last_ns ? 2 * last_ns : FIRST_PAUSE_NS;
    uint64_t least = cost_ns < MOST_PAUSE_NS / LEAST_PAUSE ? LEAST_PAUSE * cost_ns : MOST_PAUSE_NS;
    longer = longer < LONGEST_PAUSE_NS ? longer : LONGEST_PAUSE_NS;
    return longer > least ? longer : least;
}

/* The caller has the mutex. */
static void judge(void) {
    now.has_paid = pays();
    now.pause_ns = now.has_paid ? 0 : pause_after(now.pause_ns, now.cost_ns);
    now.not_before_ns = fl_os_now_ns() + now.pause_ns;
    now.back = now.cost_ns = now.gain_ns = 0;
}

void fl_omp_round_return(uint64_t useful_ns, uint64_t spent_ns) {
    fl_mutex_lock(&now.mutex);
    fl_assert(now.away > 0);
    now.gain_ns += useful_ns;
    now.cost_ns += spent_ns;
    now.away--;
    now.back++;
    if (now.away == 0 || now.back >= MOST_BACK) {
        judge();
    }
    fl_mutex_unlock(&now.mutex);
}

struct fl_omp_round fl_omp_round(void) {
    uint64_t now_ns = fl_os_now_ns();
    fl_mutex_lock(&now.mutex);
    struct fl_omp_round round = {.is_open = now.away > 0,
                                 .has_paid = now.has_paid,
                                 .is_worth_it = now_ns >= now.not_before_ns && pays(),
                                 .pause_ns = now.pause_ns};
    fl_mutex_unlock(&now.mutex);
    return round;
}
