/* SPDX-License-Identifier: BSD-3-Clause */
/* See attach.h. First the processes of a host agree, in its memory; then its first one compares
 * with that of host 0. */
#include "upc/attach.h"

#include "core/fatal.h"
#include "upc/cells.h"
#include "upc/collective.h"
#include "upc/heap.h"
#include "upc/objects.h"
#include "upc/process.h"
#include "upc/stall.h"
#include "upc/stuck.h"
#include "upc/tuned.h"

#include <stdlib.h>

/* The job area: what processes agree on (struct upc_shared), then the barrier, the two teams of all
 * threads, the inboxes of this host's threads, the heaps' table, the entries of upc/stuck.h. */
struct layout {
    uint64_t barrier, team, later_team, inboxes, heap, stuck, bytes;
};

/* Each begins at a page that threads do not share. */
static uint64_t inbox_bytes(const struct fl_layout *layout) {
    return fl_round_up(fl_pairs_bytes(layout->threads), 4096);
}

static struct layout job_area_layout(const struct fl_layout *layout) {
    unsigned threads = fl_layout_my_threads(layout);
    struct layout at;
    at.barrier = fl_round_up(sizeof(struct upc_shared), 4096);
    at.team = fl_round_up(at.barrier + fl_barrier_bytes(threads), 4096);
    at.later_team = fl_round_up(at.team + fl_coll_bytes(layout->threads, layout->hosts), 4096);
    at.inboxes = fl_round_up(at.later_team + fl_coll_bytes(layout->threads, layout->hosts), 4096);
    at.heap = fl_round_up(at.inboxes + threads * inbox_bytes(layout), 4096);
    at.stuck = fl_round_up(at.heap + fl_heap_table_bytes(layout), 4096);
    at.bytes = fl_round_up(at.stuck + upc_stuck_bytes(threads), 4096);
    return at;
}

static bool is_first_of_host(void) {
    return upc_process.job.proc == fl_layout_my_first_proc(&upc_process.layout);
}

static const char *host_name(unsigned host) {
    return fl_job_host_name(&upc_process.job, host);
}

static void init_heap(void) {
    struct fl_heap_failure failure;
    if (fl_heap_init(&upc_process.heap, &failure)) {
        return;
    }
    fl_fatal(FL_CODE_STATIC_SPACE, "the static shared objects need %llu KB, but %s %llu KB",
             (unsigned long long)(failure.wanted / 1024),
             failure.status == FL_ERR_FULL ? "-shared-heap allows each thread"
                                           : "the machine has left",
             (unsigned long long)(failure.limit / 1024));
}

static FL_COLD _Noreturn void other_program(void) {
    const struct fl_job *job = &upc_process.job;
    fl_fatal(FL_CODE_OTHER_PROGRAM,
             "the static shared objects of this process%s%s differ from those of thread 0's%s%s; "
             "all must run the same program",
             job->hosts > 1 ? " on " : "", job->hosts > 1 ? host_name(job->host) : "",
             job->hosts > 1 ? " on " : "", job->hosts > 1 ? host_name(0) : "");
}

/* The first process of the host sets up the shared data; the others wait for it. */
static void agree_on_host(uint64_t fingerprint) {
    struct upc_shared *shared = upc_process.shared;
    enum { READY = 2 };
    if (is_first_of_host()) {
        unsigned known = upc_process.job.host_cpus;
        shared->cpus = known ? known : fl_os_cpu_count();
        shared->program = fingerprint;
        init_heap();
        fl_wait_publish(&shared->ready, READY);
    }
    fl_wait_until(&shared->ready, READY, fl_wait_choose(2, 1, 0, 0));
    if (shared->program != fingerprint) {
        other_program();
    }
}

static void tell_of_job(void *context, const struct fl_comm_call *call) {
    (void)context;
    if (call->n_words > 0) {
        upc_tuned_answer(call, upc_process.coll_table);
        return;
    }
    fl_comm_answer(call->asker, &upc_process.shared->program, 1, NULL, 0);
}

/* The first process of each host asks host 0's; the others of the host have agreed with it. */
static void agree_with_hosts(void) {
    if (upc_process.job.host == 0 || !is_first_of_host()) {
        return;
    }
    struct fl_comm_answer answer = {0};
    fl_comm_ask(0, FL_COMM_START, NULL, 0, NULL, 0, &answer);
    if (answer.words[0] != upc_process.shared->program) {
        other_program();
    }
}

static void start_comm(void) {
    fl_comm_attach_start(&upc_process.attach);
    if (upc_process.job.hosts == 1) {
        return;
    }
    fl_barrier_connect(&upc_process.barrier, &upc_process.layout);
    fl_pairs_start(&upc_process.hub);
    fl_pairs_connect(&upc_process.hub, &upc_process.pairs, 0, &upc_process.layout);
    fl_comm_register(FL_COMM_START, tell_of_job, NULL);
    fl_queue_start(&upc_process.queue, (uint32_t)upc_process.params.lock_keep);
    upc_heap_start();
    upc_stall_register();
    upc_process.wait = fl_comm_attach_connect(&upc_process.attach,
                                              fl_layout_my_threads(&upc_process.layout),
                                              upc_process.shared->cpus);
    upc_process.barrier.policy = upc_process.wait;
    agree_with_hosts();
}

static void choose_collectives(void) {
    if (upc_process.job.host > 0) {
        upc_process.coll_table = upc_tuned_ask();
    }
    upc_collective_choose(&upc_process.choices, &upc_process.team);
}

/* The team of operations that are waited for later. It does not use the barrier of the program,
 * which may be called between such an operation's begin and its end. */
static void attach_later_team(void *memory) {
    struct fl_coll_team *team = &upc_process.later_team;
    *team = upc_process.team;
    team->barrier = NULL;
    team->id = 1;
    fl_coll_use(team, memory);
    if (team->hosts > 1) {
        fl_coll_connect(team);
    }
}

static void attach_pairs(char *inboxes) {
    const struct fl_layout *layout = &upc_process.layout;
    struct fl_pairs *pairs = &upc_process.pairs;
    pairs->members = layout->threads;
    pairs->policy = upc_process.wait;
    pairs->what = "upcx_wait";
    pairs->inboxes = FL_ALLOCATED(calloc(layout->threads, sizeof *pairs->inboxes),
                                  "%u threads", layout->threads);
    for (unsigned i = 0; i < fl_layout_my_threads(layout); i++) {
        pairs->inboxes[fl_layout_my_first(layout) + i] =
            (struct fl_pairs_inbox *)(void *)(inboxes + i * inbox_bytes(layout));
    }
}

static const unsigned long *segment_offsets(unsigned threads) {
    unsigned long *offsets = FL_ALLOCATED(calloc(threads, sizeof *offsets),
                                          "the addresses of %u threads", threads);
    for (unsigned t = 0; t < threads; t++) {
        offsets[t] = t * upc_process.space.stride;
    }
    return offsets;
}

static void fill_job_cell(void) {
    unsigned threads = upc_process.job.threads;
    bool all_remote = upc_process.params.all_remote;
    upc_job_cell = (struct upcr_job){
        .threads = threads,
        .log2_segment = upc_process.space.log2_segment,
        .log2_threads = (threads & (threads - 1)) == 0 ? (int)fl_log2_floor(threads) : -1,
        .stride = upc_process.space.stride,
        .span = threads * upc_process.space.stride,
        .segments = segment_offsets(threads),
        .hosts = all_remote ? 2 : upc_process.job.hosts,
        .here = upc_process.space.here_base,
        .here_bytes = all_remote ? 0 : upc_process.space.here_bytes,
        .mythread = (int)upc_process.job.first,
        .reciprocal = ~0ul / threads + 1,
        .bias = (1l << 45) / threads,
    };
}

void upc_attach(void) {
    const struct fl_job *job = &upc_process.job;
    const struct fl_params *params = &upc_process.params;
    struct layout at = job_area_layout(&upc_process.layout);
    uint64_t fingerprint;
    uint64_t segment = fl_space_segment_of(job->threads);
    uint64_t statics = upc_objects_place(FL_SPACE_BASE, segment / 2, &fingerprint);
    fl_space_map(&upc_process.space, &upc_process.layout, job->mem, at.bytes);
    fill_job_cell();
    upc_heard_cell |= (params->report ? UPCR_COUNTS_ARE_HEARD : 0) |
                      (job->trace && params->all_remote ? UPCR_EACH_IS_HEARD : 0);
    char *area = upc_process.space.job_area;
    upc_process.shared = (struct upc_shared *)area;
    upc_process.space.pages = &upc_process.shared->pages;
    fl_heap_attach(&upc_process.heap, &upc_process.space, &upc_process.layout, area + at.heap,
                   statics);
    upc_process.heap.segment_limit = job->heap;
    upc_process.heap.overcommit = params->overcommit;
    upc_process.heap.align = (uint32_t)params->alloc_align;
    agree_on_host(fingerprint);
    unsigned threads = fl_layout_my_threads(&upc_process.layout);
    upc_process.attach = (struct fl_comm_attach){.job = job,
                                                 .params = params,
                                                 .space = &upc_process.space,
                                                 .layout = &upc_process.layout};
    upc_process.wait = fl_comm_choose_wait(&upc_process.attach, threads, upc_process.shared->cpus);
    fl_barrier_attach(&upc_process.barrier, area + at.barrier, threads,
                      fl_barrier_choose(threads, upc_process.shared->cpus), upc_process.wait,
                      upc_barrier_names);
    fl_coll_attach(&upc_process.team, area + at.team, &upc_process.layout, FL_SPACE_BASE,
                   upc_process.space.log2_segment, upc_process.space.stride, upc_barrier_names,
                   &upc_process.barrier.policy, &upc_process.teams);
    upc_process.team.barrier = &upc_process.barrier;
    upc_process.team.choices = &upc_process.choices;
    attach_later_team(area + at.later_team);
    attach_pairs(area + at.inboxes);
    upc_stuck_start(area + at.stuck);
    if (job->host == 0) {
        upc_process.coll_table = upc_tuned_read();
    }
    start_comm();
    choose_collectives();
}
