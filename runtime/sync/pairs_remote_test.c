/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs whose members are threads of several hosts, in an order of their own. */
#include "comm/world_for_test.h"

#define PAIRS_ROUNDS (TEST_TSAN ? 50 : 300)
#include "sync/pairs_for_test.h"
#include "sync/remote.h"

/* The data in each thread's segment. */
struct segment {
    uint64_t from_left, from_right;
    _Alignas(64) struct fl_pairs_inbox inbox;
};

static struct fl_pairs_hub hub;
static struct fl_pairs pairs, others; /* the second in the way of the first */
static unsigned thread_of[MOST_THREADS];
static struct fl_pairs_inbox *inboxes[MOST_THREADS];

static struct segment *at(unsigned thread) {
    return (struct segment *)fl_space_address(&space, thread, 0);
}

/* Members are the threads backwards. */
static unsigned member_of(unsigned thread) {
    return layout.threads - 1 - thread;
}

static void register_handlers(void) {
    for (unsigned i = 0; i < layout.threads; i++) {
        thread_of[i] = layout.threads - 1 - i;
        struct segment *segment = at(thread_of[i]);
        inboxes[i] = fl_space_is_here(&space, (uint64_t)segment) ? &segment->inbox : NULL;
    }
    pairs = others = (struct fl_pairs){.members = layout.threads,
                                       .policy = {.spins = 20, .yields = 5},
                                       .what = "a test",
                                       .threads = thread_of,
                                       .inboxes = inboxes};
    fl_pairs_start(&hub);
    fl_pairs_connect(&hub, &pairs, 7, &layout);
    fl_pairs_connect(&hub, &others, 8, &layout);
    fl_pairs_disconnect(&hub, &others);
    fl_pairs_connect(&hub, &others, 9, &layout);
}

static bool all_send_to_all(unsigned me, void *context) {
    (void)context;
    return all_to_all(&pairs, member_of(me));
}

static bool one_way(unsigned me, void *context) {
    (void)context;
    return stream(&pairs, member_of(me));
}

/* Each puts a value into its neighbours' segments, signals them, and reads what they have put. */
static bool neighbours(unsigned me, void *context) {
    (void)context;
    unsigned n = pairs.members, member = member_of(me);
    unsigned left = (member + n - 1) % n, right = (member + 1) % n;
    bool good = true;
    for (uint64_t i = 1; i <= PAIRS_ROUNDS; i++) {
        fl_comm_put_relaxed((uint64_t)&at(thread_of[left])->from_right, &i, sizeof i);
        fl_comm_put_relaxed((uint64_t)&at(thread_of[right])->from_left, &i, sizeof i);
        for (int reading = 0; reading <= 1; reading++) {
            fl_remote_fence();
            fl_pairs_signal(&pairs, member, left);
            fl_pairs_signal(&pairs, member, right);
            fl_pairs_wait(&pairs, member, left);
            fl_pairs_wait(&pairs, member, right);
            good = good && (reading || (at(me)->from_left == i && at(me)->from_right == i));
        }
    }
    return good;
}

static const struct {
    unsigned hosts, procs, pthreads;
} mappings[] = {{2, 1, 1}, {3, 1, 1}, {2, 2, 1}, {2, 1, 2}, {5, 1, 1}, {3, 2, 2}};

int main(void) {
    static const struct {
        test_body body;
        const char *what;
    } tests[] = {{all_send_to_all, "all to all"}, {one_way, "stream"}, {neighbours, "neighbours"}};
    for (size_t i = 0; i < sizeof mappings / sizeof *mappings; i++) {
        for (size_t t = 0; t < sizeof tests / sizeof *tests; t++) {
            run(tests[t].what, new_world(mappings[i].hosts, mappings[i].procs,
                                         mappings[i].pthreads, tests[t].body));
        }
    }
    return test_done();
}
