/* SPDX-License-Identifier: BSD-3-Clause */
/* Active messages among threads and processes: contents, order, floods, sleeping. */
#include "am/am.h"

#include "core/test.h"
#include "platform/os.h"

enum { PING, PONG, TAG };
enum { MESSAGES = TEST_TSAN ? 900 : 6000, MOST = 32, LONG_BYTES = 5000 };

/* Shared by all processes; counters are used by their own process only, except `finished`. */
struct world {
    unsigned procs;
    uint32_t rounds; /* in each of which a process sends to every one */
    void *memory;
    _Atomic unsigned finished;
    unsigned char *longs; /* LONG_BYTES for each pair: [to][from] */
};

struct process {
    struct fl_am am; /* first: deliver() finds the rest by it */
    struct world *world;
    unsigned pongs;
    uint32_t next[MOST]; /* number expected from each */
    bool bad;
};

static unsigned char pattern(uint64_t i, uint32_t seed) {
    return (unsigned char)(i * 31 + seed * 7 + (i >> 8));
}

static bool is_pattern(const unsigned char *bytes, uint64_t n, uint32_t seed) {
    for (uint64_t i = 0; i < n; i++) {
        if (bytes[i] != pattern(i, seed)) {
            return false;
        }
    }
    return true;
}

static bool counted_up(const uint32_t *args, unsigned n_args) {
    for (unsigned i = 1; i < n_args; i++) {
        if (args[i] != args[0] + i) {
            return false;
        }
    }
    return true;
}

/* A ping is answered with the same; from each process in order, arguments and bytes as sent. */
static void deliver(struct fl_am *am, struct fl_am_head head, const uint32_t *args, unsigned n_args,
                    void *payload, uint64_t bytes) {
    struct process *p = (struct process *)am;
    enum fl_am_kind expected = head.handler == PING ? FL_AM_REQUEST : FL_AM_REPLY;
    p->bad = p->bad || !counted_up(args, n_args) || !is_pattern(payload, bytes, args[0]) ||
             head.kind != expected || head.tag != TAG;
    if (head.handler == PONG) {
        p->pongs++;
        return;
    }
    p->bad = p->bad || args[0] != p->next[head.from]++;
    struct fl_am_send pong = {.handler = PONG,
                              .n_args = (uint8_t)n_args,
                              .tag = TAG,
                              .args = args,
                              .payload = payload,
                              .bytes = bytes};
    fl_am_send_to(am, head.from, FL_AM_REPLY, pong);
}

static struct process *start(unsigned me, struct world *world) {
    struct process *p = aligned_alloc(FL_CACHE_LINE, fl_round_up(sizeof *p, FL_CACHE_LINE));
    memset(p, 0, sizeof *p);
    p->world = world;
    fl_am_attach(&p->am, world->memory, world->procs, me, deliver);
    p->am.copy.policy = (enum fl_am_copy_policy)(me % 3);
    p->am.one_thread = me % 2; /* process 0 is polled by several in one of the tests */
    return p;
}

/* Serves the others until all have finished; then no process waits for a reply any more. */
static void finish(struct process *p) {
    atomic_fetch_add(&p->world->finished, 1);
    while (atomic_load(&p->world->finished) < p->world->procs) {
        if (!fl_am_poll(&p->am)) {
            fl_os_yield();
        }
    }
}

/* Each process sends to all, and polls its own inbox no more than it must. */
static bool flood(unsigned me, void *context) {
    struct world *world = context;
    struct process *p = start(me, world);
    /* Around the most that fits into a line; eleven, so that each occurs with every number of
     * arguments. */
    static const unsigned sizes[] = {0, 1, 8, 0, 100, 24, 0, 4096, 40, 0, 20000};
    unsigned char *bytes = malloc(FL_AM_MEDIUM);
    for (uint32_t r = 0; r < world->rounds; r++) {
        uint32_t args[FL_AM_ARGS];
        unsigned size = r == world->rounds / 2       ? (unsigned)FL_AM_MEDIUM
                        : r == world->rounds / 2 + 1 ? (unsigned)LONG_BYTES
                                                     : sizes[(r + me) % 11];
        for (unsigned i = 0; i < FL_AM_ARGS; i++) {
            args[i] = r + i;
        }
        for (unsigned i = 0; i < size; i++) {
            bytes[i] = pattern(i, r);
        }
        struct fl_am_send send = {.handler = PING,
                                  .n_args = (uint8_t)(1 + r % FL_AM_ARGS),
                                  .tag = TAG,
                                  .args = args,
                                  .bytes = size};
        for (unsigned t = 0; t < world->procs; t++) {
            if (r % 3 == 0) {
                send.payload = NULL;
                struct fl_am_room room;
                fl_am_prepare(&p->am, t, FL_AM_REQUEST, size, &room);
                memcpy(room.payload, bytes, size);
                fl_am_commit(&p->am, &room, send);
                continue;
            }
            send.payload = bytes;
            /* A long one's memory must not be overwritten while it is read: so only one in all. */
            send.is_long = r == world->rounds / 2 + 1;
            send.address =
                send.is_long ? world->longs + ((size_t)t * world->procs + me) * LONG_BYTES : NULL;
            if (t == me) { /* in place: would overtake those prepared */
                while (p->next[me] < r) {
                    fl_am_poll(&p->am);
                }
            }
            fl_am_send_to(&p->am, t, FL_AM_REQUEST, send);
        }
    }
    while (p->pongs < world->rounds * world->procs) {
        if (!fl_am_poll(&p->am)) {
            fl_os_yield();
        }
    }
    finish(p);
    bool good = !p->bad;
    for (unsigned t = 0; t < world->procs; t++) {
        good = good && p->next[t] == world->rounds;
    }
    free(bytes);
    free(p);
    return good;
}

static struct world *new_world(unsigned procs) {
    struct world *world = test_shared_memory(sizeof *world);
    world->procs = procs;
    world->rounds = MESSAGES / (procs * procs) + 60;
    world->memory = test_shared_memory(fl_am_bytes(procs));
    world->longs = test_shared_memory((size_t)procs * procs * LONG_BYTES);
    return world;
}

static void floods(void) {
    static const unsigned counts[] = {1, 2, 3, 5, 7, 32};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        unsigned n = counts[i];
        if (n == 32 && TEST_TSAN) {
            continue;
        }
        CHECK(test_in_threads(n, flood, new_world(n)), "%u threads, each with inboxes, flood", n);
        if (!TEST_TSAN) {
            CHECK(test_in_processes(n, flood, new_world(n)), "%u processes flood", n);
        }
    }
}

/* One process sleeps for each message of the other. */
static bool sleeper(unsigned me, void *context) {
    struct world *world = context;
    struct process *p = start(me, world);
    for (uint32_t r = 0; r < world->rounds; r++) {
        struct fl_am_send send = {.handler = PING, .n_args = 1, .tag = TAG, .args = &r};
        if (me == 1) {
            fl_am_send_to(&p->am, 0, FL_AM_REQUEST, send);
        }
        while (me == 1 ? p->pongs <= r : p->next[1] <= r) {
            if (!fl_am_poll(&p->am)) {
                fl_am_sleep(&p->am, 3600 * 1000000000ull);
            }
        }
    }
    bool good = !p->bad;
    free(p);
    return good;
}

/* Fills an inbox without a reader, twice around, and reads it: nothing is overwritten. */
static bool fills(uint64_t bytes, uint32_t least) {
    struct fl_inbox *box = test_shared_memory(sizeof *box);
    struct fl_inbox_reader reader = {0};
    struct fl_inbox_room room;
    const struct fl_inbox_line *line;
    uint32_t sent = 0, read = 0;
    bool good = true;
    for (int around = 0; around < 2 * FL_INBOX_LINES / (int)least + 4; around++) {
        while (fl_inbox_reserve(box, bytes, true, &room) == FL_OK) {
            room.line->words[0] = sent;
            if (bytes) {
                memset(room.piece, (int)(sent % 251), bytes);
            }
            sent++;
            fl_inbox_publish(&room);
        }
        good = good && sent - read >= least;
        while ((line = fl_inbox_peek(box, &reader))) {
            const unsigned char *piece = fl_inbox_piece(box, line);
            good = good && line->words[0] == read &&
                   (!bytes || (piece[0] == read % 251 && piece[bytes - 1] == read % 251));
            read++;
            fl_inbox_drop(box, &reader, line);
        }
        good = good && read == sent;
    }
    return good;
}

/* A reader that keeps up is sent pieces at the begin of their ring. */
static bool stays_at_begin(uint64_t bytes) {
    struct fl_inbox *box = test_shared_memory(sizeof *box);
    struct fl_inbox_reader reader = {0};
    struct fl_inbox_room room = {.line = NULL};
    bool good = true;
    for (int i = 0; i < 10000 && good; i++) {
        good = fl_inbox_reserve(box, bytes, false, &room) == FL_OK &&
               room.piece < box->pieces[FL_INBOX_USUAL];
        fl_inbox_publish(&room);
        fl_inbox_drop(box, &reader, fl_inbox_peek(box, &reader));
    }
    return good;
}

/* Whatever the way, all bytes arrive; and each way is tried. */
static bool copies(void) {
    enum { BYTES = 5000 };
    static unsigned char from[BYTES], to[BYTES];
    struct fl_am_copy copy = {.policy = FL_AM_COPY_MEASURED};
    bool good = true;
    for (unsigned i = 0; i < 1000; i++) {
        unsigned bytes = i * 7 % BYTES, at = i % 3;
        bytes -= bytes > at ? at : bytes;
        for (unsigned b = 0; b < bytes; b++) {
            from[at + b] = (unsigned char)(b * 31 + i);
        }
        fl_am_copy(&copy, to, from + at, bytes);
        good = good && memcmp(to, from + at, bytes) == 0;
    }
    for (unsigned way = 0; way < FL_AM_COPY_WAYS; way++) {
        good = good && atomic_load_explicit(&copy.line_cost[way], memory_order_relaxed) > 0;
    }
    return good;
}

/* Several threads poll for one process while another sends to it. */
static struct process *polled;

static bool poll_or_send(unsigned me, void *context) {
    struct world *world = context;
    if (me > 0) {
        while (!atomic_load(&world->finished)) {
            fl_am_poll(&polled->am);
            fl_os_yield();
        }
        return true;
    }
    struct process *p = start(1, world);
    for (uint32_t r = 0; r < world->rounds * 20; r++) {
        struct fl_am_send send = {.handler = PING, .n_args = 1, .tag = TAG, .args = &r};
        fl_am_send_to(&p->am, 0, FL_AM_REQUEST, send);
    }
    while (p->pongs < world->rounds * 20) {
        if (!fl_am_poll(&p->am)) {
            fl_os_yield();
        }
    }
    atomic_store(&world->finished, 1);
    bool good = !p->bad && !polled->bad && polled->next[1] == world->rounds * 20;
    free(p);
    return good;
}

int main(void) {
    CHECK(fills(0, FL_INBOX_LINES * 3 / 4), "a full ring of lines is not overwritten");
    CHECK(fills(5000, 60), "a full ring of pieces is not overwritten");
    CHECK(fills(FL_INBOX_PIECE, 1), "the largest piece fits into an inbox that has been read");
    CHECK(stays_at_begin(4000), "pieces stay in a part of the ring");
    CHECK(copies(), "copies in all ways are whole");
    struct world *world = new_world(2);
    polled = start(0, world);
    CHECK(test_in_threads(4, poll_or_send, world), "three threads poll for one process");
    floods();
    CHECK(test_in_threads(2, sleeper, new_world(2)), "two threads sleep and wake each other");
    if (!TEST_TSAN) {
        CHECK(test_in_processes(2, sleeper, new_world(2)), "two processes wake each other");
    }
    return test_done();
}
