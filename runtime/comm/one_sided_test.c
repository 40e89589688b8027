/* SPDX-License-Identifier: BSD-3-Clause */
/* One-sided transfers: that they are, and that their target does nothing for them. What they do to
 * memory, and in which order: comm_test.c. */
#include "comm/inside.h"

#include "comm/world_for_test.h"
#include "platform/os.h"

#include <errno.h>

static void register_handlers(void) {
}

static uint64_t messages_received(void) {
    struct fl_comm_traffic traffic;
    (void)fl_comm_settled(&traffic);
    return traffic.received;
}

static uint64_t messages_sent(void) {
    struct fl_comm_traffic traffic;
    (void)fl_comm_settled(&traffic);
    return traffic.sent;
}

static void await_flag(uint32_t value) {
    while (atomic_load(&world->flag) != value) {
        fl_os_yield();
    }
}

/* Puts and gets that are compared with each other; false if any sent a message or changed errno. */
static bool transfer_unseen(uint64_t at) {
    static const size_t sizes[] = {8, 1, 4, 100, 1000, 64 << 10, 3 << 20};
    static unsigned char from[3 << 20], to[3 << 20];
    uint64_t sent = messages_sent();
    bool good = true;
    errno = ERANGE;
    for (unsigned round = 0; round < 20; round++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            memset(from, (int)(round + i + 1), sizes[i]);
            if (round % 2) {
                fl_comm_put(at, from, sizes[i]);
            } else {
                fl_comm_put_relaxed(at, from, sizes[i]);
            }
            fl_comm_get(to, at, sizes[i]);
            good = good && memcmp(from, to, sizes[i]) == 0;
        }
    }
    fl_comm_quiet();
    return good && errno == ERANGE && messages_sent() == sent;
}

/* Process 0 writes and reads memory of process 1, which receives no message meanwhile. */
static bool is_unseen(unsigned me, void *context) {
    (void)context;
    uint64_t at = fl_space_address(&space, 1, (1 << 20) + 4096);
    if (me == 0) {
        errno = 0;
        /* Until the keys of all chunks are there, transfers are messages. */
        uint64_t sent;
        do {
            static unsigned char all[3 << 20];
            sent = messages_sent();
            fl_comm_get(all, at, sizeof all);
        } while (sent != messages_sent());
        atomic_store(&world->flag, 1);
        await_flag(2);
        bool good = errno == 0 && transfer_unseen(at);
        atomic_store(&world->flag, 3);
        return good;
    }
    while (atomic_load(&world->flag) != 1) {
        fl_comm_poll();
    }
    uint64_t received = messages_received();
    atomic_store(&world->flag, 2);
    await_flag(3);
    return messages_received() == received;
}

/* Only what the transport performs without the target's CPU is left to it. */
static bool is_seen(unsigned me, void *context) {
    (void)context;
    uint64_t word = me, sent = messages_sent();
    for (int i = 0; me == 0 && i < 100; i++) {
        fl_comm_get(&word, fl_space_address(&space, 1, 0), sizeof word);
    }
    return me != 0 || messages_sent() == sent + 100;
}

static void run_one_sided(const char *what, test_body body, enum fl_one_sided_use use) {
    struct world *w = new_world(2, 1, 1, body);
    w->one_sided = use;
    run(what, w);
}

int main(void) {
    run_one_sided("no message if they are direct", is_unseen, FL_ONE_SIDED_DIRECT);
    run_one_sided("no message if they are wanted", is_unseen, FL_ONE_SIDED_ALWAYS);
    run_one_sided("messages if not", is_seen, FL_ONE_SIDED_NEVER);
    pipes_imitate = true;
    run_one_sided("messages if they are not direct", is_seen, FL_ONE_SIDED_DIRECT);
    run_one_sided("no message if imitations are wanted", is_unseen, FL_ONE_SIDED_ALWAYS);
    return test_done();
}
