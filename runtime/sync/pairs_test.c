/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals and cells with every patience, number of members and mapping through the same bodies. */
#include "sync/pairs_for_test.h"

enum { MOST = 16, ROUNDS = PAIRS_ROUNDS };

struct shared {
    struct fl_pairs pairs;
    struct fl_pairs_inbox *inboxes[MOST];
    _Alignas(64) struct {
        _Alignas(64) long value; /* plain, so that TSan sees a missing order */
    } data[MOST];
};

/* Inboxes whose counts all begin at `first`. */
static struct shared *new_shared(unsigned n, struct fl_wait_policy policy, uint32_t first) {
    struct shared *shared = test_shared_memory(sizeof *shared);
    shared->pairs = (struct fl_pairs){
        .members = n, .policy = policy, .what = "a test", .inboxes = shared->inboxes};
    for (unsigned i = 0; i < n; i++) {
        shared->inboxes[i] = test_shared_memory(fl_pairs_bytes(n));
        for (unsigned j = 0; first && j < n; j++) {
            *fl_pairs_peer(&shared->pairs, i, j) =
                (struct fl_pairs_peer){first, first, first, first};
            atomic_store(&fl_pairs_from(&shared->pairs, i, j)->signals[0], first);
            atomic_store(&fl_pairs_from(&shared->pairs, i, j)->signals[1], first);
            atomic_store(&fl_pairs_from(&shared->pairs, i, j)->taken, first);
        }
    }
    return shared;
}

static void drop_shared(struct shared *shared) {
    for (unsigned i = 0; i < shared->pairs.members; i++) {
        munmap(shared->inboxes[i], fl_pairs_bytes(shared->pairs.members));
    }
    munmap(shared, sizeof *shared);
}

/* A token goes round: whoever has it may write what all write. */
static bool go_round(unsigned me, void *context) {
    struct shared *shared = context;
    const struct fl_pairs *pairs = &shared->pairs;
    unsigned n = pairs->members;
    for (long i = 0; i < ROUNDS; i++) {
        if (me > 0 || i > 0) {
            fl_pairs_wait(pairs, me, (me + n - 1) % n);
        }
        if (shared->data[0].value != i * n + me) {
            return false;
        }
        shared->data[0].value++;
        fl_pairs_signal(pairs, me, (me + 1) % n);
    }
    return true;
}

/* Each writes what its neighbours read, signals both, and waits for both. */
static bool keep_pace(unsigned me, void *context) {
    struct shared *shared = context;
    const struct fl_pairs *pairs = &shared->pairs;
    unsigned n = pairs->members, left = (me + n - 1) % n, right = (me + 1) % n;
    for (long i = 1; i <= ROUNDS; i++) {
        for (int reading = 0; reading <= 1; reading++) {
            fl_pairs_signal(pairs, me, left);
            fl_pairs_signal(pairs, me, right);
            if (reading && me % 3 == 1) {
                while (!fl_pairs_try(pairs, me, left)) {
                    fl_os_yield();
                }
            } else {
                fl_pairs_wait(pairs, me, left);
            }
            fl_pairs_wait(pairs, me, right);
            if (!reading) {
                shared->data[me].value = i;
            } else if (shared->data[left].value != i || shared->data[right].value != i) {
                return false;
            }
        }
    }
    return true;
}

static bool all_send_to_all(unsigned me, void *context) {
    return all_to_all(&((struct shared *)context)->pairs, me);
}

static bool one_way(unsigned me, void *context) {
    return stream(&((struct shared *)context)->pairs, me);
}

static void all_ways(test_body body, const char *what) {
    static const unsigned counts[] = {1, 2, 3, 5, 7, 16};
    static const struct fl_wait_policy policies[] = {{100, 5}, {1, 20}, {0, 0}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0] * 3; i++) {
        unsigned n = counts[i / 3];
        struct fl_wait_policy policy = policies[i % 3];
        uint32_t first = i % 2 ? 0 : UINT32_MAX - 100; /* the counts wrap */
        for (int processes = 0; processes <= !TEST_TSAN; processes++) {
            struct shared *shared = new_shared(n, policy, first);
            bool good = processes ? test_in_processes(n, body, shared)
                                  : test_in_threads(n, body, shared);
            CHECK(good, "%s: %u %s (%u spins, %u yields)", what, n,
                  processes ? "processes" : "pthreads", policy.spins, policy.yields);
            drop_shared(shared);
        }
    }
}

static bool wait_for_the_other(unsigned me, void *context) {
    struct shared *shared = context;
    if (me == 1) {
        fl_pairs_wait(&shared->pairs, 1, 0);
        return true;
    }
    while (!atomic_load(&shared->inboxes[1]->bell.rings)) {
        fl_os_yield();
    }
    fl_pairs_signal(&shared->pairs, 0, 1);
    return true;
}

static void counts(void) {
    struct shared *shared = new_shared(2, (struct fl_wait_policy){0, 0}, 0);
    const struct fl_pairs *pairs = &shared->pairs;
    CHECK(!fl_pairs_try(pairs, 0, 1), "nobody has signalled");
    for (int i = 0; i < 1000; i++) {
        fl_pairs_signal(pairs, 1, 0);
    }
    int taken = 0;
    while (fl_pairs_try(pairs, 0, 1)) {
        taken++;
    }
    CHECK(taken == 1000 && !fl_pairs_try(pairs, 1, 0), "signals are counted");
    CHECK(!fl_pairs_peek(pairs, 0, 1), "nobody has sent");
    for (uint64_t i = 0; i < FL_PAIRS_CELLS; i++) {
        send_cell(pairs, 1, 0, i);
    }
    CHECK(receive_cell(pairs, 0, 1, 0) && !fl_pairs_peek(pairs, 1, 0), "a ring is filled at once");
    CHECK(test_in_threads(2, wait_for_the_other, shared), "a sleeper is woken");
    drop_shared(shared);
}

int main(void) {
    counts();
    all_ways(go_round, "go round");
    all_ways(keep_pace, "keep pace");
    all_ways(all_send_to_all, "all to all");
    all_ways(one_way, "stream");
    return test_done();
}
