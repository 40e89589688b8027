/* SPDX-License-Identifier: BSD-3-Clause */
/* Start and end of a process that uses <furlong/gas.h>; ranks, segments, progress and waiting. */
#include "gas/inside.h"

#include "job/control.h"
#include "job/process.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct gas_process gas_process;
struct gas_here gas_here;

/* Tells upcrun that it may start this program as a job, though upcc did not compile it. As in
 * upc/main.c, nothing names it. */
__attribute__((section("furlong_gas"), used, retain)) static const char program_mark = 1;

enum {
    SLEEP_NS = 200000, /* longest sleep: a sleeper may be missed by gas_wake_sleepers */
    TEAM_YIELDS = 2000, /* more yields before sleeping, while a team of several hosts meets */
    INBOXES = 4096,    /* offset of the inboxes in the job area, in bytes */
};
#define LATE_NS 20000000000ull /* a rank that has ended says that others have not */
#define LEAVE_NS 300000000ull  /* for all ranks to come to gas_leave */
_Static_assert(sizeof(struct gas_shared) <= INBOXES, "inboxes come after what the ranks share");

void gas_misuse(const char *format, ...) {
    char text[240], place[200] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (gas_process.write_place) {
        gas_process.write_place(place, sizeof place);
    }
    fl_fatal(FL_CODE_GAS_MISUSE, "%s%s", text, place);
}

/* ---- start ---- */

/* The lower rooms see one thread for each rank, whatever -pthreads says. */
static void make_layout(void) {
    const struct fl_job *job = &gas_process.job;
    struct fl_layout threads;
    unsigned *first = calloc(job->hosts, sizeof *first);
    if (!first || !fl_job_layout(job, &threads)) {
        fl_job_refuse("processes and hosts that do not add up");
    }
    for (unsigned host = 0; host < job->hosts; host++) {
        first[host] = threads.at[host].proc;
    }
    if (!fl_layout_make(&gas_process.layout, job->procs, 1, job->hosts, first, job->proc)) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for %u hosts", job->hosts);
    }
    fl_layout_release(&threads);
    free(first);
}

static void start_comm(void) {
    const struct fl_job *job = &gas_process.job;
    fl_comm_attach_start(&gas_process.attach);
    gas_here = (struct gas_here){fl_comm_here.base, fl_comm_here.bytes};
    gas_teams_start((char *)gas_process.space.job_area + gas_process.teams_at);
    fl_comm_register(FL_COMM_GAS, gas_serve, NULL);
    if (job->hosts == 1) {
        return;
    }
    for (size_t kind = 0; kind < 2; kind++) {
        gas_process.ahead[kind] = FL_ALLOCATED(calloc(job->procs, sizeof **gas_process.ahead),
                                               "messages of %u ranks", job->procs);
    }
    gas_process.wait = fl_comm_attach_connect(
        &gas_process.attach, fl_layout_my_procs(&gas_process.layout), fl_os_cpu_count());
}

static void map_memory(unsigned flags) {
    struct gas_process *gas = &gas_process;
    unsigned ranks = fl_layout_my_procs(&gas->layout);
    gas->first = fl_layout_my_first_proc(&gas->layout);
    gas->teams_at = fl_round_up(INBOXES + fl_am_bytes(ranks), 2 * FL_CACHE_LINE);
    fl_space_map(&gas->space, &gas->layout, gas->job.mem,
                 gas->teams_at + gas_teams_bytes(&gas->layout));
    gas->shared = gas->space.job_area;
    fl_am_attach(&gas->am, (char *)gas->space.job_area + INBOXES, ranks,
                 gas->job.proc - gas->first, gas_deliver);
    gas->am.one_thread = !(flags & GAS_THREADS);
    gas->am.copy.policy = (enum fl_am_copy_policy)gas->params.am_copy;
    gas->attach = (struct fl_comm_attach){.job = &gas->job,
                                          .params = &gas->params,
                                          .space = &gas->space,
                                          .layout = &gas->layout};
    gas->wait = fl_comm_choose_wait(&gas->attach, ranks, fl_os_cpu_count());
}

void gas_start(unsigned flags, void (*mapped)(void)) {
    struct gas_process *gas = &gas_process;
    gas->started = true;
    gas->exit_function = "gas_exit";
    fl_os_thread_default_stack();
    (void)fl_process_find_job(&gas->job, &gas->params, &(struct fl_process_ranks){0});
    fl_process_report(&gas->job, &gas->params, NULL, NULL);
    make_layout();
    map_memory(flags);
    if (mapped) {
        mapped();
    }
    fl_process_bind(&gas->job, 0);
    start_comm();
    fl_process_at_exit(&gas->over, gas_finish);
    gas_barrier();
    fl_control_send0_sigsafe("up");
}

int gas_init(unsigned flags) {
    if (gas_process.started) {
        gas_misuse("gas_init is called a second time");
    }
    gas_start(flags, NULL);
    return GAS_OK;
}

/* ---- end ---- */

static _Noreturn void end_job(const char *why) {
    fl_warn("rank %u has ended (exit(0), or return from main) %s: the job ends", gas_rank(), why);
    gas_exit(0);
}

void gas_ends_late(uint64_t limit_ns) {
    unsigned seconds = (unsigned)(limit_ns / 1000000000);
    if (gas_process.end_limit_ns) {
        char why[100];
        snprintf(why, sizeof why, "and others have not in %u s (GASNET_EXITTIMEOUT)", seconds);
        end_job(why);
    }
    /* Relaxed: nothing depends on it; one line is enough for a host. */
    if (!atomic_exchange_explicit(&gas_process.shared->said_late, true, memory_order_relaxed)) {
        fl_warn("rank %u has ended (exit(0), return from main, or gas_finish), and has waited %u s "
                "for others to do so; if they never will, end the job by gas_exit",
                gas_rank(), seconds);
    }
}

void gas_ends_without_others(const char *what) {
    if (gas_process.end_limit_ns) {
        end_job("while others go on");
    }
    gas_misuse("%s (exit(0), return from main, or gas_finish): all ranks come to each barrier", what);
}

static void end_in_order(void) {
    gas_process.over = true;
    fl_comm_stop();
    fl_process_done();
}

void gas_finish(void) {
    if (gas_process.over) {
        return;
    }
    fflush(NULL); /* before others, which wait for no rank, can end the job */
    gas_barrier_at_end(gas_process.end_limit_ns ? gas_process.end_limit_ns : LATE_NS);
    end_in_order();
}

void gas_exit(int status) {
    gas_process.over = true;
    fflush(NULL);
    fl_process_end_all(gas_process.exit_function, status & 0xff);
    _exit(status & 0xff);
}

static bool all_leave(void) {
    uint64_t deadline = fl_os_now_ns() + LEAVE_NS;
    _Atomic uint32_t *leaving = &gas_process.shared->leaving;
    /* Relaxed: nothing is read on the strength of it. */
    uint32_t n = atomic_fetch_add_explicit(leaving, 1, memory_order_relaxed) + 1;
    if (n == gas_process.am.procs) {
        fl_os_futex_wake(leaving, INT_MAX);
    }
    for (uint64_t now; n < gas_process.am.procs;) {
        if ((now = fl_os_now_ns()) > deadline) {
            return false;
        }
        fl_os_futex_wait_timeout(leaving, n, deadline - now);
        n = atomic_load_explicit(leaving, memory_order_relaxed); /* as above */
    }
    return gas_process.job.hosts == 1 || gas_barrier_leave(deadline);
}

void gas_leave(int status) {
    fflush(NULL);
    if (fl_comm_is_serving()) {
        gas_exit(status); /* the library's thread cannot wait for its own end */
    }
    /* Relaxed: other threads only wait for the end of the process. */
    if (atomic_exchange_explicit(&gas_process.leaves, true, memory_order_relaxed)) {
        for (;;) {
            pause();
        }
    }
    if (!all_leave()) {
        gas_exit(status);
    }
    end_in_order();
    _exit(status & 0xff);
}

/* ---- ranks and segments ---- */

gas_rank_t gas_rank(void) {
    return gas_process.job.proc;
}

gas_rank_t gas_size(void) {
    return gas_process.job.procs;
}

unsigned gas_hosts(void) {
    return gas_process.job.hosts;
}

static void check_rank(gas_rank_t rank) {
    if (FL_UNLIKELY(rank >= gas_process.job.procs)) {
        gas_misuse("rank %u in a job of %u ranks", rank, gas_process.job.procs);
    }
}

unsigned gas_host_of(gas_rank_t rank) {
    check_rank(rank);
    return fl_layout_host_of_proc(&gas_process.layout, rank);
}

struct gas_host gas_host_ranks(unsigned host) {
    if (host >= gas_process.job.hosts) {
        gas_misuse("host %u in a job on %u host%s", host, gas_process.job.hosts,
                   gas_process.job.hosts == 1 ? "" : "s");
    }
    const struct fl_layout_host *at = &gas_process.layout.at[host];
    return (struct gas_host){at->proc, at[1].proc - at->proc};
}

static uint64_t segment_begin(gas_rank_t rank) {
    return fl_space_address(&gas_process.space, rank, 0);
}

uint64_t gas_own_bytes(void) {
    return fl_space_segment_bytes(&gas_process.space) / 16;
}

size_t gas_segment_most(void) {
    return fl_space_segment_bytes(&gas_process.space) - gas_own_bytes() - GAS_SEGMENT_HEAD;
}

int gas_segment_attach(void **address_p, size_t bytes) {
    if (bytes > gas_segment_most()) {
        return GAS_ERR_BAD_ARG;
    }
    uint64_t begin = segment_begin(gas_rank());
    *(uint64_t *)(uintptr_t)begin = bytes;
    *address_p = (void *)(uintptr_t)(begin + GAS_SEGMENT_HEAD);
    gas_barrier();
    return GAS_OK;
}

void *gas_segment_of(gas_rank_t rank, size_t *bytes_p) {
    check_rank(rank);
    uint64_t begin = segment_begin(rank);
    if (bytes_p) {
        *bytes_p = gas_get_value((const void *)(uintptr_t)begin, sizeof(uint64_t));
    }
    return (void *)(uintptr_t)(begin + GAS_SEGMENT_HEAD);
}

/* ---- progress and waiting ---- */

unsigned gas_poll(void) {
    unsigned count = fl_am_poll(&gas_process.am);
    if (FL_UNLIKELY(gas_process.job.hosts > 1)) {
        count += fl_comm_poll();
    }
    return FL_UNLIKELY(gas_teams_pending()) ? count + gas_teams_go_on() : count;
}

void gas_wake_sleepers(void) {
    /* Relaxed: a rank that is missed here wakes up after SLEEP_NS. */
    if (FL_LIKELY(atomic_load_explicit(&gas_process.shared->sleepers, memory_order_relaxed) == 0)) {
        return;
    }
    for (unsigned i = 0; i < gas_process.am.procs; i++) {
        fl_am_wake(&gas_process.am, i);
    }
}

static FL_COLD void sleep_a_while(void) {
    /* Relaxed: see gas_wake_sleepers. */
    atomic_fetch_add_explicit(&gas_process.shared->sleepers, 1, memory_order_relaxed);
    fl_wait_rest();
    fl_am_sleep(&gas_process.am, SLEEP_NS);
    atomic_fetch_sub_explicit(&gas_process.shared->sleepers, 1, memory_order_relaxed);
}

/* Says once what the calling thread waits for, when it has waited for so long: since a second, which is 0
 * when the wait begins, and is returned. */
static FL_COLD uint32_t tell_stall(uint32_t since) {
    const uint32_t told = UINT32_MAX;
    uint32_t now = (uint32_t)(fl_os_now_ns() / 1000000000u) + 1;
    if (since == 0) {
        return now;
    }
    if (since == told || now - since < gas_process.params.stall_seconds) {
        return since;
    }
    /* Relaxed: this thread's own. */
    const char *what = atomic_load_explicit(&fl_wait_reason.what, memory_order_relaxed);
    char place[200] = "";
    if (gas_process.write_place) {
        gas_process.write_place(place, sizeof place);
    }
    fprintf(stderr, "rank %u waits in %s for %u s%s\n", gas_rank(),
            what ? what : "a loop that polls", now - since, place);
    return told;
}

/* After so many polls in vain; returns how many count from now on. */
static uint32_t yield_or_sleep(uint32_t idle) {
    const struct fl_wait_policy *policy = &gas_process.wait;
    /* Messages of other hosts are late for a sleeper: another thread must be woken to poll. */
    bool far = FL_UNLIKELY(gas_process.job.hosts > 1) && gas_teams_pending();
    if (idle > policy->spins + policy->yields + (far ? TEAM_YIELDS : 0)) {
        if (gas_process.stays_awake) {
            fl_os_yield();
        } else {
            sleep_a_while();
        }
        return idle - 1;
    }
    if (idle > fl_wait_spins(*policy)) {
        fl_os_yield();
    }
    return idle;
}

void gas_wait_step(struct gas_patience *patience) {
    uint32_t since = (uint32_t)(patience->hidden >> 32), idle = (uint32_t)patience->hidden;
    if (gas_poll()) {
        idle = 0;
    } else {
        since = FL_UNLIKELY(gas_process.params.stall_seconds > 0) ? tell_stall(since) : 0;
        idle = yield_or_sleep(idle + 1);
    }
    patience->hidden = (uint64_t)since << 32 | idle;
}

_Static_assert(sizeof(struct gas_hsl) == sizeof(struct fl_mutex), "a lock is a mutex");

void gas_hsl_lock(gas_hsl_t *lock) {
    fl_mutex_lock((struct fl_mutex *)lock);
}

int gas_hsl_try(gas_hsl_t *lock) {
    return fl_mutex_try((struct fl_mutex *)lock) ? GAS_OK : GAS_ERR_NOT_READY;
}

void gas_hsl_unlock(gas_hsl_t *lock) {
    fl_mutex_unlock((struct fl_mutex *)lock);
}
