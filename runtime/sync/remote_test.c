/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks and semaphores over several hosts: threads of all hosts use those in the memory of one. */
#include "comm/world_for_test.h"

#define REMOTE_ROUNDS (TEST_TSAN ? 50 : 400)
#include "sync/remote_for_test.h"

/* One lock, which its own host's threads hold most of the time: all get it. */
static bool greedy(unsigned me, void *context) {
    struct world *w = context;
    init(me);
    uint64_t mine = 0;
    while (!atomic_load(&w->flag)) {
        fl_lock_acquire(&at(0)->lock, me, policy);
        add(&at(0)->count);
        for (int i = 0; i < 200; i++) {
            fl_os_relax();
        }
        fl_lock_release(&at(0)->lock, me);
        if (++mine == 10 && atomic_fetch_add(&w->counted, 1) + 1 == threads_of(w)) {
            atomic_store(&w->flag, 1);
        }
    }
    return true;
}

static void all_ways(const char *what, test_body body) {
    static const unsigned shapes[][3] = {{2, 1, 1}, {2, 1, 3}, {3, 2, 1}, {5, 1, 2}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        run(what, new_world(shapes[i][0], shapes[i][1], shapes[i][2], body));
    }
}

/* ---- misuse, by a thread of another host ---- */

static bool twice(unsigned me, void *context) {
    (void)context;
    init(me);
    if (me == 1) {
        fl_lock_acquire(&at(0)->lock, me, policy);
        fl_lock_acquire(&at(0)->lock, me, policy);
    }
    return true;
}

static bool not_held(unsigned me, void *context) {
    (void)context;
    init(me);
    if (me == 0) {
        fl_lock_acquire(&at(0)->lock, me, policy);
    }
    meet();
    if (me == 1) {
        fl_lock_release(&at(0)->lock, me);
        (void)fl_lock_try(&at(0)->lock, me); /* whose answer comes behind the refusal */
    }
    return true;
}

static bool freed_while_waited(unsigned me, void *context) {
    (void)context;
    init(me);
    if (me == 0) {
        fl_lock_acquire(&at(0)->lock, me, policy);
    }
    meet();
    if (me == 0) {
        /* Relaxed: a hint. */
        while (!(atomic_load_explicit(&at(0)->lock.state, memory_order_relaxed) & FL_LOCK_QUEUED)) {
            fl_comm_poll();
        }
        fl_lock_destroy(&at(0)->lock);
        return true;
    }
    fl_lock_acquire(&at(0)->lock, me, policy);
    return true;
}

static bool too_many(unsigned me, void *context) {
    (void)context;
    init(me);
    if (me == 1) {
        fl_semaphore_post(&at(0)->semaphore, FL_SEMAPHORE_INTEGER + 1ull);
        (void)fl_semaphore_try(&at(0)->semaphore, 1);
    }
    return true;
}

static bool two_posters(unsigned me, void *context) {
    (void)context;
    init(me);
    if (me == 0) {
        fl_semaphore_init(&at(0)->semaphore, FL_SEMAPHORE_INTEGER, true, false);
        fl_semaphore_check_poster(&at(0)->semaphore, me, "a test");
    }
    meet();
    if (me == 1) {
        fl_semaphore_check_poster(&at(0)->semaphore, me, "a test");
    }
    return true;
}

/* Each is a host; when one fails the other loses it. */
static bool two_hosts(unsigned me, void *body) {
    struct world *w = new_world(2, 1, 1, *(test_body *)body);
    for (me = 0; me < 2; me++) {
        if (test_fork() == 0) {
            alarm(test_seconds(10));
            _exit(process_body(me, w) ? 0 : 1);
        }
    }
    end_world(w);
    int status, worst = 0;
    while (wait(&status) > 0) {
        worst = status ? 1 : worst;
    }
    _exit(worst);
}

static void misuse(test_body body, const char *text) {
    CHECK(test_dies(two_hosts, &body, text), "%s", text);
}

int main(void) {
    all_ways("threads exclude each other", exclude);
    all_ways("a process keeps a lock", keep);
    all_ways("all get a lock", greedy);
    all_ways("as much is taken as is posted", exchange);
    all_ways("what was put before is seen after a post", behind);
    if (!TEST_TSAN) {
        misuse(twice, "thread 1 locks the lock at 0x200000000000, which it holds already");
        misuse(not_held, "thread 1 unlocks the lock at 0x200000000000, which thread 0 holds");
        misuse(freed_while_waited, "thread 1 waits for the lock at 0x200000000000, which was freed");
        misuse(too_many, "cannot count 2147483648");
        misuse(two_posters, "SPRODUCER, and thread 0 came first");
    }
    return test_done();
}
