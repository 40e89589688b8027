/* SPDX-License-Identifier: BSD-3-Clause */
/* See profit.h. */
#include "omp/profit.h"

#include "omp/far.h"
#include "omp/program.h"

enum {
    WINDOW_RUNS = 64,        /* runs of regions that one verdict rests on */
    /* Runs of a region in a phase that do not count, since they move memory to its threads: as many
     * as that arrays take turns in it, less one, since the window's worst run does not count. */
    MOVING_RUNS = 2,
    FIRST_RUNS = MOVING_RUNS + 2, /* the fastest of the last two counts: one may move memory */
    TRY_LOSS_NS = 1000000,   /* lost by distributing before host 0 alone is tried, at least */
    TRY_LOSS_GROWTH = 4,     /* after each try that has failed */
    /* The most that a move of a region's memory costs, in times of its computation on host 0: a
     * stencil of 4 ms moves 25 MB in 200 ms. */
    MOVING_AT_TIMES = 48,
    HOLD_WINDOWS = 16,       /* that the first verdict holds; each further one twice as long */
    FORGET_AT_TIMES = 8,     /* of its time on several hosts: the region does other work now */
    THREADS_MOST = 128,      /* of a kept region */
    ROWS = 256,
    LOG2_MEAN = 4            /* a run has this share, as a power of two, in a mean */
};

/* A region, by its code. Means of its distributed runs; 0: none yet. */
struct row {
    const void *code;
    unsigned threads;
    unsigned phase;     /* number of the last in which it ran, */
    bool kept;          /* and whether on host 0; */
    unsigned runs;      /* its runs there since then, at most FIRST_RUNS; */
    uint64_t former_ns; /* the last of these */
    uint64_t far_ns;    /* of a run, with what its data cost host 0 until the next region */
    uint64_t alone_ns;  /* estimate for host 0 alone: what its CPUs would have to execute */
};

static struct {
    struct row rows[ROWS];
    enum { DISTRIBUTING, TRYING, KEEPING } phase;
    unsigned n_phases;
    unsigned runs;              /* in this window, and their sums: */
    uint64_t cost_ns, other_ns; /* measured; expected otherwise: alone, or on several hosts */
    int64_t worst_ns;           /* most that one of these runs has lost */
    int64_t lost_ns;            /* in former windows of the phase in which the other way seemed better */
    int64_t try_loss_ns;
    uint64_t computing_ns;      /* of one run of each region in this phase, on host 0 alone */
    uint64_t windows_left;      /* of KEEPING */
    unsigned hold;
    _Atomic uint64_t kept; /* runs on host 0 alone; relaxed: one thread at a time writes it */
    struct {
        struct row *row; /* null: none is measured */
        bool kept;
        uint64_t since_ns;
        uint64_t part_ns, part_cpu_ns, part_spent_ns; /* when its part began */
        uint64_t useful_ns, ns, spent_ns; /* spent_ns: the thread's so far, at the region's end */
    } last;
} profit = {.hold = HOLD_WINDOWS, .try_loss_ns = TRY_LOSS_NS, .n_phases = 1};

static struct row *row_of(const void *code, unsigned threads) {
    uint64_t hash = ((uintptr_t)code + threads) * 0x9e3779b97f4a7c15;
    for (unsigned i = 0; i < ROWS; i++) {
        struct row *row = &profit.rows[((hash >> 32) + i) % ROWS];
        if (!row->code) {
            *row = (struct row){.code = code, .threads = threads};
        }
        if (row->code == code && row->threads == threads) {
            return row;
        }
    }
    return NULL;
}

static uint64_t mean(uint64_t before, uint64_t ns) {
    return before == 0 ? ns : before - (before >> LOG2_MEAN) + (ns >> LOG2_MEAN);
}

/* All threads as useful as the caller, on the CPUs of one host. */
static uint64_t estimate(const struct row *row, uint64_t useful_ns) {
    unsigned cpus = fl_omp_program.cpus;
    return useful_ns * row->threads / (row->threads < cpus ? row->threads : cpus);
}

/* Whether host 0 would lose little alone: one region on several hosts between others that are kept
 * moves their memory back and forth. */
static bool is_cheap(const struct row *row) {
    return row->far_ns > 0 && row->alone_ns / 3 <= row->far_ns / 2 && row->threads <= THREADS_MOST;
}

static void begin_window(void) {
    profit.runs = 0;
    profit.cost_ns = profit.other_ns = 0;
    profit.worst_ns = 0;
}

static void begin_phase(unsigned phase) {
    profit.phase = phase;
    profit.n_phases++;
    profit.lost_ns = 0;
    profit.computing_ns = 0;
    begin_window();
}

/* Holds so long that trying the slower way again costs little beside it. */
static void keep(uint64_t kept_ns, uint64_t far_ns) {
    begin_phase(KEEPING);
    profit.windows_left = profit.hold * (far_ns / (kept_ns + 1) + 1);
    profit.hold *= 2; /* so its time doubles: it does not overflow */
}

static void give_up_trying(void) {
    begin_phase(DISTRIBUTING);
    if (profit.try_loss_ns < INT64_MAX / TRY_LOSS_GROWTH) {
        profit.try_loss_ns *= TRY_LOSS_GROWTH;
    }
}

/* A try moves memory to host 0, and the estimates know nothing of imbalance, or of other load. */
static bool may_gain(uint64_t cost_ns, uint64_t other_ns) {
    return cost_ns >= other_ns + other_ns / 2;
}

/* Of this phase. The window's worst run does not count: another program may have had the CPU. */
static int64_t lost_ns(void) {
    return profit.lost_ns + (int64_t)(profit.cost_ns - profit.other_ns) - profit.worst_ns;
}

/* To begin another phase moves the memory of all regions. */
static int64_t price_of_change_ns(void) {
    int64_t moving_ns = (int64_t)(MOVING_AT_TIMES * profit.computing_ns);
    return moving_ns > profit.try_loss_ns ? moving_ns : profit.try_loss_ns;
}

/* A verdict that has cost as much as a change is not kept until the window's end. */
static void judge_early(void) {
    if (lost_ns() < price_of_change_ns()) {
        return;
    }
    if (profit.phase == TRYING) {
        give_up_trying();
    } else if (profit.phase == KEEPING) {
        begin_phase(DISTRIBUTING);
    } else if (may_gain(profit.cost_ns, profit.other_ns)) {
        fl_omp_far_mobile() ? begin_phase(TRYING) : give_up_trying();
    }
}

static void end_window(void) {
    uint64_t cost = profit.cost_ns, other = profit.other_ns;
    if (profit.phase == TRYING && cost < other - other / 8) {
        keep(cost, other);
    } else if (profit.phase == TRYING) {
        give_up_trying();
    } else if (profit.phase == KEEPING && (--profit.windows_left == 0 || cost > other)) {
        begin_phase(DISTRIBUTING);
    } else {
        bool losing = profit.phase == DISTRIBUTING && may_gain(cost, other);
        profit.lost_ns = losing ? lost_ns() : 0;
        begin_window();
    }
}

static void learn(struct row *row, uint64_t far_ns) {
    uint64_t alone_ns = estimate(row, profit.last.useful_ns);
    if (row->runs == MOVING_RUNS || row->far_ns == 0) {
        row->far_ns = far_ns;
        row->alone_ns = alone_ns;
        return;
    }
    bool starts = row->runs < FIRST_RUNS;
    row->far_ns = !starts ? mean(row->far_ns, far_ns) : far_ns < row->far_ns ? far_ns : row->far_ns;
    row->alone_ns = mean(row->alone_ns, alone_ns);
}

static uint64_t expected_otherwise(const struct row *row, uint64_t ns) {
    if (profit.phase == DISTRIBUTING) {
        return is_cheap(row) ? row->alone_ns : ns;
    }
    return row->far_ns > 0 ? row->far_ns : ns;
}

/* The last run's time, with its data's cost to what followed; or that of the one before, if that was
 * less: what takes long once does so as other programs have the CPUs. */
static uint64_t time_of_last(struct row *row) {
    uint64_t ns = profit.last.ns + fl_omp_far_spent_ns() - profit.last.spent_ns;
    if (row->phase != profit.n_phases || row->kept != profit.last.kept) {
        row->phase = profit.n_phases;
        row->kept = profit.last.kept;
        row->runs = 0;
        row->former_ns = ns;
    }
    uint64_t least_ns = ns < row->former_ns ? ns : row->former_ns;
    row->former_ns = ns;
    return least_ns;
}

/* Accounts for the last run, before the next one. */
static void account(void) {
    struct row *row = profit.last.row;
    uint64_t ns = time_of_last(row);
    profit.last.row = NULL;
    bool moves = row->runs < MOVING_RUNS;
    if (!profit.last.kept && !moves && (profit.phase == DISTRIBUTING || row->far_ns == 0)) {
        learn(row, ns);
    }
    profit.computing_ns += row->runs == MOVING_RUNS ? row->alone_ns : 0;
    row->runs += row->runs < FIRST_RUNS;
    if (moves) {
        return;
    }
    if (profit.last.kept && ns / FORGET_AT_TIMES > row->far_ns) {
        row->far_ns = 0;
        return;
    }
    uint64_t other = expected_otherwise(row, ns);
    int64_t loss = (int64_t)(ns - other);
    profit.cost_ns += ns;
    profit.other_ns += other;
    profit.worst_ns = loss > profit.worst_ns ? loss : profit.worst_ns;
    profit.runs++;
    judge_early();
    if (profit.runs == WINDOW_RUNS) {
        end_window();
    }
}

static bool is_kept(const struct row *row) {
    bool keeps = profit.phase == TRYING || profit.phase == KEEPING;
    return !fl_omp_far_bound_far() &&
           (fl_omp_far_bound_here() || (row && keeps && is_cheap(row)));
}

bool fl_omp_profit_distributes(const struct fl_omp_region *region, unsigned n) {
    if (profit.last.row) {
        account();
    }
    struct row *row = row_of(region->code ? region->code : (const void *)region->body, n);
    profit.last.row = row;
    profit.last.kept = is_kept(row);
    if (profit.last.kept) {
        uint64_t kept = atomic_load_explicit(&profit.kept, memory_order_relaxed);
        atomic_store_explicit(&profit.kept, kept + 1, memory_order_relaxed);
    }
    profit.last.since_ns = fl_os_now_ns();
    return !profit.last.kept;
}

void fl_omp_profit_part_begins(void) {
    profit.last.part_ns = fl_os_now_ns();
    profit.last.part_cpu_ns = fl_os_thread_cpu_ns();
    profit.last.part_spent_ns = fl_omp_far_spent_ns();
}

void fl_omp_profit_part_ended(void) {
    uint64_t ns = fl_os_now_ns() - profit.last.part_ns;
    uint64_t cpu = fl_os_thread_cpu_ns() - profit.last.part_cpu_ns;
    uint64_t spent = fl_omp_far_spent_ns() - profit.last.part_spent_ns;
    uint64_t other = ns > spent ? ns - spent : 0;
    profit.last.useful_ns = cpu < other ? cpu : other;
}

void fl_omp_profit_region_ended(void) {
    profit.last.ns = fl_os_now_ns() - profit.last.since_ns;
    profit.last.spent_ns = fl_omp_far_spent_ns();
}

uint64_t fl_omp_kept(void) {
    return atomic_load_explicit(&profit.kept, memory_order_relaxed);
}
