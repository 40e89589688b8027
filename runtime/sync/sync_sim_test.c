/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks and semaphores over hosts in a simulation (core/scheduler_for_test.h), as remote_test.c
 * uses them. Arguments: see comm/seeds_for_test.h.
 */
#include "comm/seeds_for_test.h"

#define REMOTE_ROUNDS 40
#include "sync/remote_for_test.h"

static const char *name_of(const struct fl_comm_message *m) {
    static const char *const kinds[FL_COMM_KINDS] = {
        [FL_COMM_KIND_PUT] = "a put",       [FL_COMM_KIND_RECORDS] = "a batch",
        [FL_COMM_KIND_ENDED] = "ends",      [FL_COMM_KIND_GET] = "a get",
        [FL_COMM_KIND_DATA] = "data",       [FL_COMM_KIND_ATOMIC] = "an atomic operation",
        [FL_COMM_KIND_VALUE] = "a value",   [FL_COMM_KIND_TELL] = "a call",
        [FL_COMM_KIND_ASK] = "a question",  [FL_COMM_KIND_ANSWER] = "an answer",
        [FL_COMM_KIND_CREDIT] = "a credit",
    };
    bool calls = m->kind == FL_COMM_KIND_TELL || m->kind == FL_COMM_KIND_ASK;
    return calls && m->what == FL_COMM_LOCK        ? "LOCK"
           : calls && m->what == FL_COMM_SEMAPHORE ? "SEMAPHORE"
           : kinds[m->kind]                        ? kinds[m->kind]
                                                   : "another message";
}

/* Each thread puts items at the next thread, few or many, with a signal behind each, and posts to the one
 * after that, which then reads the last of them there. */
static bool fence(unsigned me, void *context) {
    unsigned threads = threads_of(context), next = (me + 1) % threads, reader = (me + 2) % threads;
    unsigned before = (me + threads - 1) % threads, writer = (me + threads - 2) % threads;
    uint64_t last = 0;
    bool good = true;
    init(me);
    fl_comm_count_alone();
    for (unsigned i = 0; i < ROUNDS; i++) {
        unsigned n = (unsigned)(test_mix(i, 7) % 10) + 1;
        last += n;
        for (uint64_t value = last - n + 1; value <= last; value++) {
            uint64_t *item = &at(next)->item[me];
            fl_comm_put_soon_nb((uint64_t)item, &value, sizeof value, fl_comm_signalled());
            if (fl_comm_is_here((uint64_t)item)) {
                fl_semaphore_post(&at(next)->semaphore, 1);
            } else {
                fl_semaphore_post_behind(&at(next)->semaphore, 1);
            }
        }
        fl_semaphore_post(&at(reader)->seen, 1);
        fl_semaphore_wait(&at(me)->semaphore, n, policy);
        fl_semaphore_wait(&at(me)->seen, 1, policy);
        good = good && read_count(&at(before)->item[writer]) >= last;
    }
    fl_comm_quiet();
    meet();
    return good;
}

static void choose(uint64_t seed, struct seed_world *chosen) {
    static const struct {
        test_body body;
        const char *what;
    } all[] = {{exclude, "threads exclude each other"},
               {keep, "a process keeps a lock"},
               {exchange, "as much is taken as is posted"},
               {behind, "what was put before is seen after a post"},
               {fence, "signalling puts are seen after a fence"}};
    size_t i = test_mix(seed, 1) % (sizeof all / sizeof *all);
    if (chosen->hosts > 16) {
        chosen->hosts = 16; /* each thread takes the others' locks */
    }
    chosen->body = all[i].body;
    snprintf(chosen->what, sizeof chosen->what, "%s", all[i].what);
}

int main(int argc, char **argv) {
    sim_name_of = name_of;
    return seeds_main(argc, argv, test_steps(100), choose);
}
