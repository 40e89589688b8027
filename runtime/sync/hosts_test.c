/* SPDX-License-Identifier: BSD-3-Clause */
/* The barrier over several hosts, which are groups of this process's threads with separate memory;
 * their messages are delayed, and arrive in any order. */
#include "core/test.h"
#include "sync/barrier.h"

enum { ROUNDS = TEST_TSAN ? 200 : 400, MOST_HOSTS = 9, MOST_THREADS = 24, MOST_MESSAGES = 64 };

static const char *const names[] = {"a barrier", "a collective call"};

struct message {
    uint64_t words[3];
    char file[FL_BARRIER_FILE_BYTES];
    size_t file_bytes;
};

static struct host {
    struct fl_barrier barrier;
    struct fl_layout layout;
    pthread_mutex_t mutex;
    struct message messages[MOST_MESSAGES];
    unsigned n;
} hosts[MOST_HOSTS];

static _Thread_local struct host *here;
static _Thread_local unsigned dice;

static void tell(const struct fl_barrier *barrier, unsigned to, const uint64_t words[3],
                 const char *file, size_t file_bytes) {
    (void)barrier;
    struct host *host = &hosts[to];
    pthread_mutex_lock(&host->mutex);
    struct message *m = &host->messages[host->n++];
    memcpy(m->words, words, sizeof m->words);
    memcpy(m->file, file, file_bytes);
    m->file_bytes = file_bytes;
    pthread_mutex_unlock(&host->mutex);
}

static unsigned poll(void) {
    dice = dice * 1103515245 + 12345;
    if (!here || dice >> 30) {
        return 0; /* not yet */
    }
    struct message m;
    pthread_mutex_lock(&here->mutex);
    unsigned n = here->n;
    if (n > 0) {
        unsigned i = dice >> 16 & 0xfff;
        m = here->messages[i % n];
        here->messages[i % n] = here->messages[--here->n];
    }
    pthread_mutex_unlock(&here->mutex);
    if (n > 0) {
        fl_barrier_hear(&here->barrier, m.words, m.file, m.file_bytes);
    }
    return n;
}

/* Divides the threads among the hosts; some hosts get one more. */
static struct fl_wait_policy set_up(unsigned n_hosts, unsigned threads, uint32_t yields) {
    const struct fl_wait_policy policy = {1, yields};
    unsigned first[MOST_HOSTS];
    for (unsigned h = 0; h < n_hosts; h++) {
        first[h] = h * threads / n_hosts;
    }
    for (unsigned h = 0; h < n_hosts; h++) {
        struct host *host = &hosts[h];
        fl_layout_release(&host->layout);
        memset(host, 0, sizeof *host);
        pthread_mutex_init(&host->mutex, NULL);
        if (!fl_layout_make(&host->layout, threads, 1, n_hosts, first, first[h])) {
            abort();
        }
        unsigned n = fl_layout_my_threads(&host->layout);
        fl_barrier_attach(&host->barrier, test_shared_memory(fl_barrier_bytes(n)), n,
                          FL_BARRIER_DISSEMINATION, policy, names);
        fl_barrier_connect_by(&host->barrier, &host->layout, tell);
    }
    fl_wait_service.poll = poll;
    return policy;
}

static struct fl_barrier_thread enter(unsigned me) {
    here = &hosts[fl_layout_host_of_thread(&hosts[0].layout, me)];
    dice = me * 7919;
    return (struct fl_barrier_thread){.me = me};
}

static void pass(struct fl_barrier_thread *self, struct fl_barrier_mark mark) {
    fl_barrier_notify(&here->barrier, self, &mark);
    fl_barrier_wait(&here->barrier, self, &mark);
}

static long progress[MOST_THREADS * 8]; /* plain, so that TSan sees a missing order */

static bool rounds(unsigned me, void *context) {
    unsigned threads = *(unsigned *)context;
    struct fl_barrier_thread self = enter(me);
    for (long r = 1; r <= test_steps(ROUNDS); r++) {
        progress[me * 8] = r;
        pass(&self, (struct fl_barrier_mark){.has_value = (r + me) % 5 == 0, .value = (int)r,
                                             .file = "x.upc", .line = (int)r});
        for (unsigned t = 0; t < threads; t++) {
            if (progress[t * 8] != r) {
                return false; /* a thread left before all had arrived, or is ahead */
            }
        }
        pass(&self, (struct fl_barrier_mark){0});
    }
    return true;
}

static void orders(void) {
    for (unsigned n_hosts = 2; n_hosts <= MOST_HOSTS; n_hosts++) {
        for (unsigned threads = n_hosts; threads <= 2 * n_hosts + 1; threads += n_hosts + 1) {
            /* A host whose only thread sleeps would need a thread that polls for it. */
            set_up(n_hosts, threads, UINT32_MAX);
            memset(progress, 0, sizeof progress);
            CHECK(test_in_threads(threads, rounds, &threads), "%u threads on %u hosts", threads,
                  n_hosts);
        }
    }
}

/* The epoch's counter wraps after 2^31 barriers, which the bits must survive. */
static bool wrap(unsigned me, void *context) {
    (void)context;
    struct fl_barrier_thread self = enter(me);
    for (int r = 0; r < 4; r++) { /* epochs 1 to 4 leave the bits as an even number of each does */
        pass(&self, (struct fl_barrier_mark){0});
    }
    self.epoch = INT32_MAX - 3;
    for (int r = 0; r < 8; r++) {
        pass(&self, (struct fl_barrier_mark){0});
    }
    return self.epoch == 4;
}

/* Marks of seven threads on three hosts, 0-1, 2-3 and 4-6, of which some differ. */
struct script {
    struct fl_barrier_mark notify[7], wait[7];
};

static bool act(unsigned me, void *context) {
    const struct script *script = context;
    struct fl_barrier_thread self = enter(me);
    pass(&self, (struct fl_barrier_mark){0});
    fl_barrier_notify(&here->barrier, &self, &script->notify[me]);
    fl_barrier_wait(&here->barrier, &self, &script->wait[me]);
    return true;
}

static bool act_all(unsigned me, void *context) {
    (void)me;
    set_up(3, 7, UINT32_MAX);
    return test_in_threads(7, act, context);
}

static struct fl_barrier_mark value(int v, int line) {
    return (struct fl_barrier_mark){.has_value = true, .value = v, .file = "m.upc", .line = line};
}

static void mistakes(void) {
    struct script script = {.notify = {[1] = value(3, 1), [6] = value(4, 2)}};
    CHECK(test_dies(act_all, &script, "m.upc:1") && test_dies(act_all, &script, "m.upc:2"),
          "notify values of threads on two hosts differ");
    script = (struct script){.notify = {[1] = value(3, 1), [6] = value(3, 2)},
                             .wait = {[2] = value(3, 9)}};
    CHECK(act_all(0, &script), "values at some threads agree");
    script = (struct script){.notify = {[0] = value(4, 2)}, .wait = {[5] = value(5, 3)}};
    CHECK(test_dies(act_all, &script,
                    "upc_wait in thread 5 has 5 (m.upc:3), upc_notify in thread 0 has 4 (m.upc:2)"),
          "a wait value differs from the notify value on another host");
    script = (struct script){.wait = {[0] = value(5, 3), [6] = value(6, 3)}};
    CHECK(act_all(0, &script), "wait values alone are never an error (6.6.1p6)");
    for (unsigned t = 0; t < 7; t++) {
        script = (struct script){0};
        script.notify[t] = (struct fl_barrier_mark){.kind = 1, .file = "k.upc", .line = 8};
        char text[64];
        snprintf(text, sizeof text, "thread %u", t);
        CHECK(test_dies(act_all, &script, text) && test_dies(act_all, &script, "k.upc:8"),
              "thread %u is elsewhere", t);
    }
}

int main(void) {
    orders();
    set_up(3, 7, UINT32_MAX);
    CHECK(test_in_threads(7, wrap, NULL), "the epoch wraps");
    if (!TEST_TSAN) {
        mistakes();
    }
    return test_done();
}
