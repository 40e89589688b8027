/* SPDX-License-Identifier: BSD-3-Clause */
/* See dsm.h: the start, and what happens to each message first. */
#include "dsm/inside.h"

#include "core/params.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct fl_dsm fl_dsm;

enum { HEADER_BYTES = 16 }; /* of comm, in front of each message */

const char *fl_dsm_name_of(unsigned kind) {
    static const char *const names[FL_DSM_KINDS] = {
#define FL_MESSAGE(name, ...) [fl_dsm_kind_##name] = #name,
#include "dsm/messages.def"
#undef FL_MESSAGE
    };
    return kind < FL_DSM_KINDS ? names[kind] : "unknown";
}

static void serve(void *context, const struct fl_comm_call *call) {
    (void)context;
    const struct fl_message_come come = {"about coherent memory", call->asker.proc, fl_dsm.me,
                                         call->asker.cookie != 0, call->n_words, call->bytes};
    switch (call->n_words > 0 ? (uint8_t)call->words[0] : FL_DSM_KINDS) {
#define FL_MESSAGE(name, how, where, least, most, ...)                                             \
    FL_MESSAGE_CASE(&come, call, fl_dsm, name, how, where, least, most)
#include "dsm/messages.def"
#undef FL_MESSAGE
    }
    fl_message_refuse_kind(&come);
}

void fl_dsm_bad(const struct fl_comm_call *call, const char *why) {
    fl_fatal(FL_CODE_BAD_MESSAGE, "process %u sent a message about coherent memory (`%s`) that makes "
             "no sense: %s", call->asker.proc, fl_dsm_name_of((uint8_t)call->words[0]), why);
}

static void count(unsigned host, unsigned kind, size_t bytes) {
    if (host == fl_dsm.me) {
        return;
    }
    FL_DSM_ADD(messages, 1);
    FL_DSM_ADD(bytes, HEADER_BYTES + sizeof(uint64_t) + bytes);
    switch (kind) {
#define FL_MESSAGE(name, ...)                                                                      \
    case fl_dsm_kind_##name:                                                                       \
        FL_DSM_ADD(sent_##name, 1);                                                                \
        break;
#include "dsm/messages.def"
#undef FL_MESSAGE
    }
}

void fl_dsm_send(unsigned host, const uint64_t *word, const void *payload, size_t bytes) {
    unsigned kind = (uint8_t)*word;
    if (FL_UNLIKELY(fl_page_chunks_held)) {
        fl_fatal(FL_CODE_BAD_MESSAGE, "a message about coherent memory (`%s`) would be sent while "
                 "pages are locked, and might never arrive", fl_dsm_name_of(kind));
    }
    count(host, kind, bytes);
    fl_comm_tell(host, FL_COMM_DSM, word, 1, payload, bytes);
}

void fl_dsm_send_parts(unsigned host, const uint64_t *word, const struct fl_bytes *bytes) {
    size_t most = fl_comm_payload_most();
    size_t at = 0;
    do {
        size_t n = bytes->n - at < most ? bytes->n - at : most;
        union {
            uint64_t word;
            struct fl_dsm_tell_message as; /* all have `more` at the same place */
        } part = {*word};
        part.as.more = at + n < bytes->n;
        fl_dsm_send(host, &part.word, n ? bytes->at + at : NULL, n);
        at += n;
    } while (at < bytes->n);
}

void fl_dsm_ask(unsigned host, const uint64_t *word, const void *payload, size_t bytes,
                struct fl_comm_answer *answer) {
    count(host, (uint8_t)*word, bytes);
    fl_comm_ask(host, FL_COMM_DSM, word, 1, payload, bytes, answer);
}

void *fl_dsm_memory(size_t n, size_t size) {
    void *memory = mmap(NULL, n * size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for %zu tables of coherent memory", n);
    }
    return memory;
}

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void fl_dsm_list_sort(struct fl_dsm_list *list) {
    qsort(list->pages, list->n, sizeof *list->pages, ascending);
}

void fl_dsm_order_lock(void) {
    while (!fl_mutex_try(&fl_dsm.order)) {
        if (!fl_comm_poll()) {
            fl_os_yield();
        }
    }
}

static void set_policies(const struct fl_params *params) {
    params = params ? params : &fl_params_initial;
    fl_dsm.policies = fl_dsm.original
                          ? (struct fl_dsm_policies){.fetch_pages = 1}
                          : (struct fl_dsm_policies){
                                .push_bytes = (uint32_t)params->dsm_push,
                                .piggyback_bytes = (uint32_t)params->dsm_piggyback,
                                .track_faults = (uint32_t)params->dsm_track,
                                .fetch_pages = (uint32_t)params->dsm_fetch,
                                .turn_ns = params->dsm_turn * 1000000,
                            };
}

void fl_dsm_start(const struct fl_dsm_setup *setup) {
    struct fl_dsm *dsm = &fl_dsm;
    dsm->setup = *setup;
    dsm->hosts = setup->hosts;
    dsm->me = setup->me;
    int handle;
    const struct fl_fault_ops *faults = fl_fault_open(setup->faults, &handle);
    if (!faults) {
        fl_fatal(FL_CODE_SHARED_MEMORY, "coherent memory cannot be watched by `%s` here",
                 setup->faults);
    }
    dsm->original = setup->faults && strcmp(setup->faults, FL_FAULT_ORIGINAL) == 0;
    set_policies(setup->params);
    if (dsm->original && setup->threads > 1) {
        fl_fatal(FL_CODE_SHARED_MEMORY,
                 "coherent memory is watched as `%s` TreadMarks did for one thread a host, and this "
                 "host has %u; run it on as many hosts as threads, or without FURLONG_FAULTS",
                 setup->faults, setup->threads);
    }
    fl_map_make(&dsm->map, setup->ranges, setup->n_ranges, dsm->me, faults, handle);
    size_t pages = dsm->map.pages;
    /* Runs of pages end where their chunk does, so the table has those behind the last page too. */
    dsm->pages = fl_dsm_memory(fl_round_up(pages, FL_MAP_CHUNK), sizeof *dsm->pages);
    dsm->logs = fl_dsm_memory(pages, sizeof *dsm->logs);
    dsm->needed = fl_dsm_memory(pages * dsm->hosts, sizeof *dsm->needed);
    struct fl_dsm_list *lists[] = {&dsm->dirty.list, &dsm->work, &dsm->noted, &dsm->noticed,
                                   &dsm->late};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        lists[i]->pages = fl_dsm_memory(pages, sizeof(uint32_t));
    }
    dsm->wanted = fl_dsm_memory(dsm->hosts, sizeof *dsm->wanted);
    dsm->told = fl_dsm_memory(dsm->hosts, sizeof *dsm->told);
    dsm->diffs = fl_dsm_memory(dsm->hosts, sizeof *dsm->diffs);
    dsm->arrived = fl_dsm_memory(dsm->hosts, sizeof *dsm->arrived);
    dsm->arriving = fl_dsm_memory(dsm->hosts, sizeof *dsm->arriving);
    dsm->meet.heard = fl_dsm_memory(dsm->hosts, sizeof *dsm->meet.heard);
    dsm->meet.news = fl_dsm_memory(dsm->hosts, sizeof *dsm->meet.news);
    dsm->meet.before = fl_dsm_memory(dsm->hosts, sizeof *dsm->meet.before);
    fl_time_start(&dsm->known.time, dsm->hosts);
    dsm->known.met = fl_dsm_memory(dsm->hosts, sizeof *dsm->known.met);
    fl_page_start();
    fl_track_start();
    fl_fetch_start();
    fl_carry_start();
    fl_push_start();
    fl_dsm_locks_start();
    fl_dsm_tell_start();
    fl_atomic_start();
    fl_update_start();
    fl_check_start();
    int error = fl_os_fault_catch(fl_page_resolve_sigsafe);
    if (error) {
        fl_fatal(FL_CODE_SHARED_MEMORY, "faults of coherent memory cannot be caught: %s",
                 strerror(-error));
    }
    fl_comm_register(FL_COMM_DSM, serve, NULL);
}

void fl_dsm_wait_as(struct fl_wait_policy wait) {
    fl_dsm.setup.wait = wait;
}

void fl_dsm_thread_start(void) {
    int error = fl_os_signal_stack();
    if (error) {
        fl_fatal(FL_CODE_THREAD_START, "no stack for the faults of a thread: %s",
                 strerror(-error));
    }
}

_Thread_local uint64_t fl_dsm_thread_spent_ns;

uint64_t fl_dsm_spent_ns(void) {
    return fl_dsm_thread_spent_ns;
}
