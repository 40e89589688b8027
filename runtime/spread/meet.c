/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions over several hosts (omp/far.h): meetings, and synchronisation variables, called words, by
 * which the threads of a region agree on shares of work and on turns. A word belongs to a construct
 * of a region; it is at one host, its keeper, which serves the others.
 */
#include "spread/inside.h"

#include <stdlib.h>
#include <string.h>

extern char **environ;

enum { BUCKETS_LEAST = 1024, GROWTH = 4, KEPT_MEETINGS = 4 };

#define NO_REGION UINT64_MAX /* of words that are never removed */

struct waiting {
    struct waiting *next;
    struct fl_comm_asker asker;
    uint64_t least;
};

struct word {
    struct word *next;
    uint64_t region, number, index;
    uint64_t value;
    uint64_t since; /* meetings of this host when it was made */
    struct waiting *waiting;
};

static struct {
    struct fl_mutex mutex;
    struct word **buckets; /* about as many as words: without barriers a region keeps them all */
    size_t n_buckets, n;
} words;

static uint64_t now(_Atomic uint64_t *count) {
    /* Relaxed: one thread changes it, and the host's other threads wait for that one. */
    return atomic_load_explicit(count, memory_order_relaxed);
}

static void advance(_Atomic uint64_t *count) {
    atomic_store_explicit(count, now(count) + 1, memory_order_relaxed);
}

/* ---- words: the keeper ---- */

/* Numbers or indices of one keeper's words differ by multiples of the number of hosts. D. Knuth,
 * TAOCP 3, 6.4: multiplicative hashing. */
static struct word **bucket_of(uint64_t region, uint64_t number, uint64_t index) {
    uint64_t hash = ((region * 31 + number) * 31 + index) * 0x9e3779b97f4a7c15;
    return &words.buckets[(hash >> 32) % words.n_buckets];
}

/* The caller holds the mutex, as of the next. */
static void set_buckets(size_t n) {
    struct word **before = words.buckets;
    size_t n_before = words.n_buckets;
    words.buckets = FL_ALLOCATED(calloc(n, sizeof *words.buckets), "the words of regions");
    words.n_buckets = n;
    for (size_t b = 0; b < n_before; b++) {
        for (struct word *word = before[b], *next; word; word = next) {
            struct word **at = bucket_of(word->region, word->number, word->index);
            next = word->next;
            word->next = *at;
            *at = word;
        }
    }
    free(before);
}

static struct word *word_of(uint64_t region, uint64_t number, uint64_t index) {
    if (words.n >= words.n_buckets) {
        set_buckets(words.n_buckets ? GROWTH * words.n_buckets : BUCKETS_LEAST);
    }
    struct word **at = bucket_of(region, number, index);
    for (; *at; at = &(*at)->next) {
        if ((*at)->region == region && (*at)->number == number && (*at)->index == index) {
            return *at;
        }
    }
    struct word *word = FL_ALLOCATED(calloc(1, sizeof *word), "the words of regions");
    word->region = region;
    word->number = number;
    word->index = index;
    word->since = now(&fl_spread.meeting);
    words.n++;
    return *at = word;
}

/* Removes words of former regions, for which no thread asks any more. */
static void forget_old(void) {
    fl_mutex_lock(&words.mutex);
    for (size_t b = 0; words.n > 0 && b < words.n_buckets; b++) {
        struct word **at = &words.buckets[b];
        while (*at) {
            struct word *word = *at;
            bool stays = word->region == NO_REGION || word->waiting;
            if (stays || word->since + KEPT_MEETINGS > now(&fl_spread.meeting)) {
                at = &word->next;
                continue;
            }
            *at = word->next;
            free(word);
            words.n--;
        }
    }
    if (words.n_buckets > BUCKETS_LEAST && words.n < words.n_buckets / (GROWTH * GROWTH)) {
        set_buckets(words.n_buckets / GROWTH);
    }
    fl_mutex_unlock(&words.mutex);
}

void fl_spread_serve_take(const struct fl_comm_call *call,
                          const struct fl_spread_take_message *asked) {
    uint64_t chunk = asked->chunk ? asked->chunk : 1;
    fl_mutex_lock(&words.mutex);
    struct word *word = word_of(asked->region, asked->number, UINT64_MAX);
    uint64_t left = asked->total - word->value;
    uint64_t n = asked->parts ? left / asked->parts / chunk * chunk : 0;
    n = n < chunk ? chunk : n;
    uint64_t answer[2] = {word->value, n < left ? n : left};
    word->value += answer[1];
    fl_mutex_unlock(&words.mutex);
    fl_comm_answer(call->asker, answer, 2, NULL, 0);
}

/* Takes out the waiters for which the word is now large enough. The caller holds the mutex. */
static struct waiting *take_served(struct word *word) {
    struct waiting *served = NULL;
    for (struct waiting **at = &word->waiting; *at;) {
        struct waiting *one = *at;
        if (one->least <= word->value) {
            *at = one->next;
            one->next = served;
            served = one;
        } else {
            at = &one->next;
        }
    }
    return served;
}

/* A word becomes `value`, or grows by it; returns the old value. */
static uint64_t change(uint64_t region, uint64_t number, uint64_t index, uint64_t value,
                       bool grows) {
    fl_mutex_lock(&words.mutex);
    struct word *word = word_of(region, number, index);
    uint64_t before = word->value;
    word->value = grows ? before + value : value;
    value = word->value;
    struct waiting *served = take_served(word);
    fl_mutex_unlock(&words.mutex);
    for (struct waiting *next; served; served = next) {
        next = served->next;
        fl_comm_answer(served->asker, &value, 1, NULL, 0);
        free(served);
    }
    return before;
}

void fl_spread_serve_post(const struct fl_comm_call *call,
                          const struct fl_spread_post_message *posted) {
    (void)call;
    (void)change(posted->region, posted->number, posted->index, posted->value, false);
}

void fl_spread_serve_count(const struct fl_comm_call *call,
                           const struct fl_spread_count_message *counted) {
    uint64_t before =
        change(counted->region, counted->number, counted->index, counted->add, true);
    fl_comm_answer(call->asker, &before, 1, NULL, 0);
}

void fl_spread_serve_await(const struct fl_comm_call *call,
                           const struct fl_spread_await_message *awaited) {
    fl_mutex_lock(&words.mutex);
    struct word *word = word_of(awaited->region, awaited->number, awaited->index);
    uint64_t value = word->value;
    bool there = value >= awaited->least;
    struct waiting *one = there ? NULL : malloc(sizeof *one);
    if (one) {
        *one = (struct waiting){word->waiting, call->asker, awaited->least};
        word->waiting = one;
    }
    fl_mutex_unlock(&words.mutex);
    if (there) {
        fl_comm_answer(call->asker, &value, 1, NULL, 0);
    } else if (!one) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for a thread that waits");
    }
}

/* ---- words: the asker ---- */

static unsigned keeper_of(uint64_t number, uint64_t index) {
    return (unsigned)((number + index) % fl_spread_hosts());
}

bool fl_omp_far_take(const struct fl_omp_far_take *want, uint64_t *first_p, uint64_t *n_p) {
    struct fl_comm_answer answer = {0};
    fl_meet_settle();
    fl_wait_begin("a share of a loop", NULL, 0);
    fl_comm_ask(keeper_of(want->number, 0), FL_COMM_SPREAD,
                FL_MESSAGE_WORDS(fl_spread, take, .region = now(&fl_spread.region),
                                 .number = want->number, .total = want->total,
                                 .chunk = want->chunk, .parts = want->parts),
                NULL, 0, &answer);
    fl_wait_end();
    *first_p = answer.words[0];
    *n_p = answer.words[1];
    return *n_p > 0;
}

/* A thread that sets a word passes a lock before, and one that awaits the word passes it
 * afterwards, so that the latter sees the former's writes. */
static void pass_lock(uint64_t number, uint64_t index) {
    unsigned lock = FL_SPREAD_LOCK_WORDS + (unsigned)((number + index) % 64);
    fl_dsm_acquire(lock);
    fl_dsm_release(lock);
}

static void set_word(uint64_t region, uint64_t number, uint64_t index, uint64_t value) {
    pass_lock(number, index);
    fl_comm_tell(keeper_of(number, index), FL_COMM_SPREAD,
                 FL_MESSAGE_WORDS(fl_spread, post, .region = region, .number = number,
                                  .index = index, .value = value),
                 NULL, 0);
}

/* Setting a word ends the host's interval, which takes longer than a small iteration. So posts of
 * such iterations are put off, until the thread posts elsewhere, could wait for a thread that
 * awaits the word, or has not posted for POSTS_NS. */
enum { POSTS_NS = 100000 };
static _Thread_local struct {
    uint64_t region, number, index, value;
    uint64_t posted_ns;
    bool is;
} put_off;

static void settle_files(void) {
    fl_streams_settle();
    fl_output_settle();
}

void fl_meet_settle(void) {
    settle_files();
    if (FL_UNLIKELY(put_off.is)) {
        put_off.is = false;
        set_word(put_off.region, put_off.number, put_off.index, put_off.value);
        put_off.posted_ns = fl_os_now_ns();
    }
}

void fl_omp_far_release(unsigned host) {
    fl_meet_settle();
    fl_dsm_tell(host);
}

void fl_omp_far_post(uint64_t number, uint64_t index, uint64_t value) {
    fl_meet_settle();
    set_word(now(&fl_spread.region), number, index, value);
}

void fl_omp_far_post_soon(uint64_t number, uint64_t index, uint64_t value) {
    if (put_off.number != number || put_off.index != index) {
        fl_meet_settle();
    }
    put_off.region = now(&fl_spread.region); /* a cancelled region may end before the post goes */
    put_off.number = number;
    put_off.index = index;
    put_off.value = value;
    put_off.is = true;
    if (fl_os_now_ns() - put_off.posted_ns > POSTS_NS) {
        fl_meet_settle();
    }
}

static uint64_t await_word(unsigned keeper, uint64_t region, uint64_t number, uint64_t index,
                           uint64_t least) {
    struct fl_comm_answer answer = {0};
    fl_comm_ask(keeper, FL_COMM_SPREAD,
                FL_MESSAGE_WORDS(fl_spread, await, .region = region, .number = number,
                                 .index = index, .least = least),
                NULL, 0, &answer);
    return answer.words[0];
}

uint64_t fl_omp_far_await(uint64_t number, uint64_t index, uint64_t least) {
    fl_meet_settle();
    fl_wait_begin("its turn in a parallel region", NULL, 0);
    uint64_t value = await_word(keeper_of(number, index), now(&fl_spread.region), number, index,
                                least);
    fl_wait_end();
    pass_lock(number, index);
    return value;
}

static unsigned keeper_of_count(const void *name) {
    return keeper_of((uintptr_t)name >> 4, 0);
}

uint64_t fl_meet_count(const void *name, uint64_t add) {
    struct fl_comm_answer answer = {0};
    fl_comm_ask(keeper_of_count(name), FL_COMM_SPREAD,
                FL_MESSAGE_WORDS(fl_spread, count, .region = NO_REGION,
                                 .number = (uintptr_t)name, .add = add),
                NULL, 0, &answer);
    return answer.words[0];
}

bool fl_meet_await_count(const void *name, uint64_t least, const char *what,
                         const struct fl_until *until) {
    bool is = true;
    fl_wait_begin(what, NULL, 0);
    if (!until) {
        (void)await_word(keeper_of_count(name), NO_REGION, (uintptr_t)name, 0, least);
    }
    while (until && (is = fl_meet_count(name, 0) >= least) == false && !fl_mutexes_is_over(until)) {
        fl_os_nap();
    }
    fl_wait_end();
    return is;
}

/* ---- locks ---- */

void fl_omp_far_lock(const void *name) {
    fl_meet_settle();
    fl_dsm_acquire(fl_spread_lock_of(name));
}

void fl_omp_far_unlock(const void *name) {
    fl_meet_settle();
    fl_dsm_release(fl_spread_lock_of(name));
}

/* ---- messages of the OpenMP runtime ---- */

void fl_omp_far_tell(unsigned host, const void *message, size_t bytes) {
    fl_comm_tell(host, FL_COMM_SPREAD, FL_MESSAGE_WORDS(fl_spread, told), message, bytes);
}

void fl_spread_serve_told(const struct fl_comm_call *call,
                          const struct fl_spread_told_message *told) {
    (void)told;
    if (fl_omp_told) {
        fl_omp_told(call->asker.proc, call->payload, call->bytes);
    }
}

void fl_omp_far_poll(void) {
    (void)fl_comm_poll();
}

/* ---- regions ---- */

/* What host 0 sends with a fork. */
struct order {
    uint64_t end; /* of the program: there is no region */
    char **environment;
    unsigned char message[FL_OMP_FAR_MESSAGE];
};

static void set_in_region(bool in) {
    /* Relaxed: the end of the program reads it in the thread that forks, or not exactly. */
    atomic_store_explicit(&fl_spread.in_region, in, memory_order_relaxed);
}

static void send_order(struct order *order, const void *message, size_t bytes) {
    settle_files();
    if (bytes > sizeof order->message) {
        fl_fatal(FL_CODE_BAD_MESSAGE, "a parallel region begins with %zu bytes", bytes);
    }
    memcpy(order->message, message, bytes);
    fl_heap_tell_freed();
    fl_dsm_fork(order, offsetof(struct order, message) + bytes);
    advance(&fl_spread.meeting);
    advance(&fl_spread.region);
    fl_heap_take_freed();
}

void fl_omp_far_fork(const void *message, size_t bytes) {
    struct order order = {.environment = environ};
    set_in_region(true);
    send_order(&order, message, bytes);
}

void fl_omp_far_join(void) {
    fl_stacks_await_threads(); /* no thread of a region may run after the join */
    settle_files();
    fl_state_tell();
    fl_heap_tell_freed();
    fl_dsm_join();
    advance(&fl_spread.meeting);
    if (fl_spread_me() == 0) {
        fl_heap_take_freed();
        forget_old();
    }
    set_in_region(false);
}

void fl_omp_far_barrier(void) {
    settle_files();
    fl_heap_tell_freed();
    fl_dsm_barrier_hosts();
    advance(&fl_spread.meeting);
    fl_heap_take_freed();
    forget_old();
}

void fl_meet_work(void) {
    fl_omp_far_join();
    for (;;) {
        struct order order;
        size_t bytes = fl_dsm_fork_wait(&order, sizeof order);
        advance(&fl_spread.meeting);
        advance(&fl_spread.region);
        fl_heap_take_freed();
        forget_old();
        if (bytes < offsetof(struct order, message) || order.end) {
            return;
        }
        if (!fl_omp_part) {
            fl_fatal(FL_CODE_OTHER_PROGRAM, "host 0 is in a parallel region, and this program has "
                     "no OpenMP runtime of Furlong: link it by ompcc");
        }
        set_in_region(true);
        fl_environment_use(order.environment);
        fl_process_state_take();
        fl_omp_part(order.message, bytes - offsetof(struct order, message));
    }
}

void fl_meet_end(void) {
    struct order order = {.end = 1};
    send_order(&order, NULL, 0);
    fl_dsm_join();
}

/* ---- the rest of omp/far.h ---- */

void fl_omp_far_settle(void) {
    fl_meet_settle();
}

void *fl_omp_far_alloc(size_t bytes, size_t align) {
    return fl_heap_program(bytes, align);
}

void fl_omp_far_acquire(unsigned from) {
    fl_dsm_hear(from);
}

void fl_omp_far_rest(void) {
    fl_wait_rest();
}

struct fl_wait_reason *fl_omp_far_reason(void) {
    return &fl_wait_reason;
}

bool fl_omp_far_calls(const char *begin) {
    return fl_objects_call(begin);
}

struct fl_omp_far fl_omp_far;

void fl_meet_start(void) {
    const struct fl_params *params = &fl_spread.params;
    fl_omp_far = (struct fl_omp_far){.hosts = fl_spread_hosts(),
                                     .me = fl_spread_me(),
                                     .threads = fl_spread.job.count,
                                     .beside = fl_comm_attach_beside(&fl_spread.attach),
                                     .ends_most = (unsigned)params->omp_ends,
                                     .may_keep = params->omp_keep && !params->omp_check};
    fl_state_start();
    if (fl_omp_start) {
        fl_omp_start(&fl_omp_far);
    }
    if (fl_spread_me() == 0) {
        fl_omp_far_join();
    }
}

/* ---- messages of this room ---- */

void fl_meet_serve(void *context, const struct fl_comm_call *call) {
    (void)context;
    const struct fl_message_come come = {"of a program over several hosts",
                                         call->asker.proc,
                                         fl_spread_me(),
                                         call->asker.cookie != 0,
                                         call->n_words,
                                         call->bytes};
    switch (call->words[0]) {
#define FL_MESSAGE(name, how, where, least, most, ...)                                             \
    FL_MESSAGE_CASE(&come, call, fl_spread, name, how, where, least, most)
#include "spread/messages.def"
#undef FL_MESSAGE
    }
    fl_message_refuse_kind(&come);
}
