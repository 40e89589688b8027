// SPDX-License-Identifier: BSD-3-Clause
/*
 * Pairwise synchronisation between two processes of a host, each on a core of its own: signals that
 * go to and fro, signals that cross, the same with messages of 8 and 56 bytes, and a stream of them.
 * Beside each a mailbox of one line for each way: what two processes can reach that do nothing else.
 */
#include "bench.h"
#include "children.h"
#include "sync/pairs.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>

enum { ROUNDS = 150, N = 1000 };

static struct fl_pairs pairs;
static unsigned me, other;
static unsigned char data[FL_PAIRS_BYTES];

/* Shared by the processes. */
static struct mailbox {
    _Alignas(64) _Atomic uint32_t number;
    unsigned char bytes[FL_PAIRS_BYTES];
} *mailboxes;

/* Release pairs with the acquire below: the bytes are seen with the number. */
static void deliver(uint32_t number, size_t bytes) {
    memcpy(mailboxes[other].bytes, data, bytes);
    atomic_store_explicit(&mailboxes[other].number, number, memory_order_release);
}

static void await(uint32_t number, size_t bytes) {
    /* When they cross the other may be ahead. */
    for (long looks = 1;
         atomic_load_explicit(&mailboxes[me].number, memory_order_acquire) < number; looks++) {
        if (looks % 20000 == 0) {
            sched_yield();
        }
    }
    memcpy(data, mailboxes[me].bytes, bytes);
}

static void send(size_t bytes) {
    if (bytes == 0) {
        fl_pairs_signal(&pairs, me, other);
    } else {
        memcpy(fl_pairs_room(&pairs, me, other), data, bytes);
        fl_pairs_send(&pairs, me, other);
    }
}

static void receive(size_t bytes) {
    if (bytes == 0) {
        fl_pairs_wait(&pairs, me, other);
    } else {
        memcpy(data, fl_pairs_await(&pairs, me, other), bytes);
        fl_pairs_done(&pairs, me, other);
    }
}

static uint32_t number;

static void to_and_fro(size_t bytes) {
    for (int i = 0; i < N; i++) {
        if (me == 0) {
            send(bytes);
            receive(bytes);
        } else {
            receive(bytes);
            send(bytes);
        }
    }
}

static void mailbox_to_and_fro(size_t bytes) {
    for (int i = 0; i < N; i++) {
        number++;
        if (me == 0) {
            deliver(number, bytes);
            await(number, bytes);
        } else {
            await(number, bytes);
            deliver(number, bytes);
        }
    }
}

static void crossing(size_t bytes) {
    for (int i = 0; i < N; i++) {
        send(bytes);
        receive(bytes);
    }
}

static void mailbox_crossing(size_t bytes) {
    for (int i = 0; i < N; i++) {
        number++;
        deliver(number, bytes);
        await(number, bytes);
    }
}

/* One way, and at the end one back. */
static void stream(size_t bytes) {
    for (int i = 0; i < N; i++) {
        if (me == 0) {
            send(bytes);
        } else {
            receive(bytes);
        }
    }
    if (me == 0) {
        receive(bytes);
    } else {
        send(bytes);
    }
}

/* Bytes that go, and come back changed: with a signal, beside it in the mailbox. */
static void check(const char *name, size_t bytes) {
    unsigned char *mine = bytes ? data : mailboxes[me].bytes;
    unsigned char *theirs = bytes ? data : mailboxes[other].bytes;
    size_t n = bytes ? bytes : 1;
    for (unsigned char turn = 1; turn < 100; turn++) {
        if (me == 0) {
            memset(theirs, turn, n);
            send(bytes);
        }
        receive(bytes);
        for (size_t i = 0; i < n; i++) {
            bench_check(mine[i] == turn + (me == 0), "%s: byte %zu is %d", name, i, mine[i]);
        }
        if (me == 1) {
            memset(theirs, turn + 1, n);
            send(bytes);
        }
    }
}

static void measure(const char *name, size_t bytes, void (*body)(size_t), void (*floor)(size_t)) {
    struct bench_times times = {{0}, 0}, floor_times = {{0}, 0};
    check(name, bytes);
    for (int round = 0; round < ROUNDS; round++) {
        double begin = bench_now();
        floor(bytes);
        double middle = bench_now();
        body(bytes);
        bench_add(&floor_times, (middle - begin) / N);
        bench_add(&times, (bench_now() - middle) / N);
    }
    if (me == 0) {
        bench_time_against(name, "ns", 1e9, &times, &floor_times);
    }
}

static void *map(size_t bytes) {
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

int main(void) {
    static struct fl_pairs_inbox *inboxes[2];
    pairs = (struct fl_pairs){
        .members = 2, .policy = fl_wait_choose(2, 2, 0, 0), .what = "bench", .inboxes = inboxes};
    mailboxes = map(2 * sizeof *mailboxes);
    inboxes[0] = map(fl_pairs_bytes(2));
    inboxes[1] = map(fl_pairs_bytes(2));
    me = (unsigned)children_fork();
    other = !me;
    fl_os_cpu_bind_set(&(const uint64_t){(uint64_t)1 << me}, 1);
    measure("pairs-signal-round-trip", 0, to_and_fro, mailbox_to_and_fro);
    measure("pairs-signal-crossing", 0, crossing, mailbox_crossing);
    measure("pairs-8-round-trip", 8, to_and_fro, mailbox_to_and_fro);
    measure("pairs-8-crossing", 8, crossing, mailbox_crossing);
    measure("pairs-56-round-trip", 56, to_and_fro, mailbox_to_and_fro);
    measure("pairs-56-crossing", 56, crossing, mailbox_crossing);
    measure("pairs-8-stream", 8, stream, mailbox_crossing);
    if (me == 0) {
        children_wait();
    }
}
