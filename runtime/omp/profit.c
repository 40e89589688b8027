/* SPDX-License-Identifier: BSD-3-Clause */
/* See profit.h. */
#include "omp/profit.h"

#include "omp/far.h"
#include "omp/program.h"

enum {
    WINDOW_RUNS = 64,        /* runs of regions that one verdict rests on */
    HOLD_WINDOWS = 16,       /* that the first verdict holds; each further one twice as long */
    FORGET_AT_TIMES = 8,     /* of its time on several hosts: the region does other work now */
    THREADS_MOST = 128,      /* of a kept region */
    ROWS = 256,
    LOG2_MEAN = 2            /* a run has this share, as a power of two, in a mean */
};

/* A region, by its code. Means of its distributed runs but the first, which places memory; 0: none
 * yet. */
struct row {
    const void *code;
    unsigned threads;
    bool has_run;
    uint64_t far_ns;   /* of a run, with what its data cost host 0 until the next region */
    uint64_t alone_ns; /* estimate for host 0 alone: what its CPUs would have to execute */
};

static struct {
    struct row rows[ROWS];
    enum { MEASURING, TRYING, DISTRIBUTING, KEEPING } phase;
    unsigned settling;          /* runs left in which memory moves to where it is used now */
    unsigned runs;              /* in this window, and their sums: */
    uint64_t cost_ns, other_ns; /* measured; expected otherwise: alone, or on several hosts */
    uint64_t windows_left;
    unsigned hold;
    uint64_t kept; /* runs on host 0 alone */
    struct {
        struct row *row; /* null: none is measured */
        bool kept;
        uint64_t since_ns;
        uint64_t part_ns, part_cpu_ns, part_spent_ns; /* when its part began */
        uint64_t useful_ns, ns, spent_ns; /* spent_ns: the thread's so far, at the region's end */
    } last;
} profit = {.hold = HOLD_WINDOWS};

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

static void explore(unsigned phase, unsigned settling) {
    profit.phase = phase;
    profit.settling = settling;
}

/* Holds so long that trying the slower way again costs little beside it. */
static void decide(unsigned phase, uint64_t faster_ns, uint64_t slower_ns) {
    uint64_t times = slower_ns / (faster_ns + 1) + 1;
    profit.phase = phase;
    profit.windows_left = profit.hold * times;
    profit.hold *= 2; /* so its time doubles: it does not overflow */
}

/* A try moves memory to host 0, and the estimates know nothing of imbalance, or of other load. */
static bool may_gain(uint64_t far_ns, uint64_t alone_ns) {
    return far_ns >= 3 * alone_ns;
}

static void end_window(void) {
    uint64_t cost = profit.cost_ns, other = profit.other_ns;
    profit.runs = 0;
    profit.cost_ns = profit.other_ns = 0;
    if (profit.phase == MEASURING && may_gain(cost, other) && fl_omp_far_mobile()) {
        explore(TRYING, WINDOW_RUNS);
    } else if (profit.phase == MEASURING) {
        decide(DISTRIBUTING, cost, other);
    } else if (profit.phase == TRYING && cost < other - other / 8) {
        decide(KEEPING, cost, other);
    } else if (profit.phase == TRYING) {
        decide(DISTRIBUTING, other, cost);
    } else if (--profit.windows_left == 0 || (profit.phase == KEEPING && cost > other)) {
        explore(MEASURING, profit.phase == KEEPING ? WINDOW_RUNS : 0);
    }
}

/* Accounts for the last run, once its data's cost to what followed is known. */
static void account(void) {
    struct row *row = profit.last.row;
    uint64_t ns = profit.last.ns + fl_omp_far_spent_ns() - profit.last.spent_ns;
    bool first = !row->has_run;
    row->has_run = true;
    profit.last.row = NULL;
    if (profit.last.kept && !profit.settling && ns / FORGET_AT_TIMES > row->far_ns) {
        row->far_ns = 0;
        return;
    }
    if (first) {
        return;
    }
    bool measures = profit.phase == MEASURING && !profit.settling;
    if (!profit.last.kept && (row->far_ns == 0 || measures)) {
        row->far_ns = mean(row->far_ns, ns);
        row->alone_ns = mean(row->alone_ns, estimate(row, profit.last.useful_ns));
    }
    if (profit.settling > 0) {
        profit.settling--;
        return;
    }
    profit.cost_ns += ns;
    profit.other_ns += profit.phase == MEASURING ? row->alone_ns : row->far_ns;
    if (++profit.runs == WINDOW_RUNS) {
        end_window();
    }
}

bool fl_omp_profit_distributes(const struct fl_omp_region *region, unsigned n) {
    if (profit.last.row) {
        account();
    }
    struct row *row = row_of(region->code ? region->code : (const void *)region->body, n);
    bool keeps = profit.phase == TRYING || profit.phase == KEEPING;
    profit.last.row = row;
    profit.last.kept = row && keeps && is_cheap(row);
    if (profit.last.kept) {
        profit.kept++;
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

uint64_t fl_omp_profit_kept(void) {
    return profit.kept;
}
