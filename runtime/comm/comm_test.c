/* SPDX-License-Identifier: BSD-3-Clause */
/* Communication between processes of several hosts, each with its own memory file. */
#include "comm/inside.h"

#include "comm/world_for_test.h"
#include "platform/os.h"

#include <signal.h>
#include <sys/prctl.h>

enum { REGION = 1 << 19, BUFFER = 1 << 20 };

/* ---- transfers, compared with what they should have done ---- */

static uint64_t random_next(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* A thread's own region in each segment: no other thread accesses it. */
struct model {
    unsigned me, threads;
    uint64_t random;
    unsigned char *mirror[MOST_THREADS];
    struct fl_comm_op op;
    size_t in_use; /* of the buffers that transfers on `op` still use */
    unsigned char *from, *to, *expected;
    bool large_get;
    bool good;
};

static uint64_t place(const struct model *m, unsigned thread, size_t offset) {
    return fl_space_address(&space, thread, (uint64_t)m->me * REGION + offset);
}

static size_t some(struct model *m, size_t n) {
    return random_next(&m->random) % n;
}

static size_t some_size(struct model *m) {
    static const size_t sizes[] = {1, 4, 8, 8, 8, 100, FL_COMM_COPIED, FL_COMM_COPIED + 1, 5000};
    if (some(m, 40) == 0) {
        return some(m, 3 * PIPES_PAYLOAD);
    }
    return sizes[some(m, sizeof sizes / sizeof *sizes)];
}

/* Ends all transfers; each read must have the value from when it was started. */
static void settle(struct model *m) {
    fl_comm_wait(&m->op);
    fl_comm_quiet();
    if (memcmp(m->to, m->expected, m->in_use) != 0) {
        m->good = false;
    }
    m->in_use = 0;
    m->large_get = false;
}

/* A part of the buffers, for a transfer that may still run on return. */
static size_t take(struct model *m, size_t bytes) {
    if (m->in_use + bytes > BUFFER) {
        settle(m);
    }
    size_t at = m->in_use;
    m->in_use += bytes;
    return at;
}

static void do_put(struct model *m, unsigned t, size_t at, size_t bytes) {
    if (m->large_get) {
        settle(m);
    }
    size_t buffer = take(m, bytes);
    for (size_t i = 0; i < bytes; i++) {
        m->from[buffer + i] = (unsigned char)(random_next(&m->random) >> 24);
    }
    memset(m->to + buffer, 0, bytes);
    memset(m->expected + buffer, 0, bytes);
    memcpy(m->mirror[t] + at, m->from + buffer, bytes);
    size_t copied = SIZE_MAX;
    switch (some(m, 4)) {
    case 0:
        fl_comm_put(place(m, t, at), m->from + buffer, bytes);
        break;
    case 1:
        fl_comm_put_nb(place(m, t, at), m->from + buffer, bytes, &m->op);
        copied = FL_COMM_COPIED;
        break;
    case 2:
        fl_comm_put_soon_nb(place(m, t, at), m->from + buffer, bytes, &m->op);
        copied = fl_comm_aggregated_most();
        break;
    default:
        fl_comm_put_relaxed(place(m, t, at), m->from + buffer, bytes);
    }
    if (bytes <= copied) {
        memset(m->from + buffer, 0x55, bytes);
    }
}

static void do_get(struct model *m, unsigned t, size_t at, size_t bytes) {
    size_t buffer = take(m, bytes);
    memcpy(m->expected + buffer, m->mirror[t] + at, bytes);
    if (some(m, 2)) {
        fl_comm_get(m->to + buffer, place(m, t, at), bytes);
    } else {
        fl_comm_get_nb(m->to + buffer, place(m, t, at), bytes, &m->op);
        m->large_get = m->large_get || bytes > FL_COMM_COPIED;
    }
}

/* Scattered, as a list; sometimes a large one among them. */
static void do_pieces(struct model *m, bool put) {
    struct fl_comm_piece pieces[40];
    size_t n = 1 + some(m, 40);
    unsigned t = (unsigned)some(m, m->threads);
    settle(m);
    for (size_t i = 0; i < n; i++) {
        size_t bytes = i % 16 == 5 ? some_size(m) : some(m, 30);
        size_t at = i * (REGION / 40) + some(m, 100);
        bytes = bytes < REGION / 40 - 100 ? bytes : REGION / 40 - 100;
        t = some(m, 4) ? t : (unsigned)some(m, m->threads);
        size_t buffer = take(m, bytes);
        memset(m->to + buffer, 0, bytes);
        memset(m->expected + buffer, 0, bytes);
        pieces[i] = (struct fl_comm_piece){place(m, t, at), m->to + buffer, bytes};
        if (put) {
            for (size_t b = 0; b < bytes; b++) {
                m->from[buffer + b] = (unsigned char)(random_next(&m->random) >> 24);
            }
            pieces[i].memory = m->from + buffer;
            memcpy(m->mirror[t] + at, m->from + buffer, bytes);
        } else {
            memcpy(m->expected + buffer, m->mirror[t] + at, bytes);
            m->large_get = true;
        }
    }
    (put ? fl_comm_put_pieces_nb : fl_comm_get_pieces_nb)(pieces, n, &m->op);
}

/* Relaxed reads, some of places that were read before. */
static void do_cached(struct model *m) {
    struct fl_comm_piece pieces[8];
    unsigned n = 1 + (unsigned)some(m, 8);
    unsigned t = (unsigned)some(m, m->threads);
    size_t stride = some(m, 2) ? some(m, 600) : 8, start = some(m, some(m, 2) ? 64 : REGION / 2);
    for (unsigned i = 0; i < n; i++) {
        size_t bytes = some(m, 4) ? 8 : some(m, FL_READ_CACHED + 20);
        size_t at = start + i * stride, buffer = take(m, bytes);
        t = some(m, 8) ? t : (unsigned)some(m, m->threads);
        memset(m->to + buffer, 0, bytes);
        memcpy(m->expected + buffer, m->mirror[t] + at, bytes);
        pieces[i] = (struct fl_comm_piece){place(m, t, at), m->to + buffer, bytes};
        if (some(m, 2)) {
            fl_comm_get_relaxed(pieces[i].memory, pieces[i].address, bytes);
            i--, n--;
        }
    }
    fl_comm_get_pieces_relaxed(pieces, n);
}

/* Relaxed reads of many places, near each other or not. */
static void do_gather(struct model *m) {
    uint64_t at[300];
    unsigned n = 1 + (unsigned)some(m, 300);
    size_t bytes = some(m, 2) ? 8 : 1 + some(m, 12), buffer = take(m, n * bytes);
    size_t reach = some(m, 2) ? REGION - bytes : 2000;
    for (unsigned i = 0; i < n; i++) {
        unsigned t = (unsigned)some(m, m->threads);
        size_t from = some(m, reach);
        at[i] = place(m, t, from);
        memcpy(m->expected + buffer + i * bytes, m->mirror[t] + from, bytes);
    }
    memset(m->to + buffer, 0, n * bytes);
    if (!fl_read_cache_gather(m->to + buffer, at, n, bytes)) {
        for (unsigned i = 0; i < n; i++) {
            fl_comm_get_relaxed(m->to + buffer + i * bytes, at[i], bytes);
        }
    }
}

static void do_copy(struct model *m, unsigned t, size_t at, size_t bytes) {
    unsigned from_thread = (unsigned)some(m, m->threads);
    size_t from = some(m, REGION - bytes);
    settle(m);
    memmove(m->mirror[t] + at, m->mirror[from_thread] + from, bytes);
    fl_comm_copy(place(m, t, at), place(m, from_thread, from), bytes);
}

static void do_set(struct model *m, unsigned t, size_t at, size_t bytes) {
    if (m->large_get) {
        settle(m);
    }
    int byte = (int)some(m, 256);
    memset(m->mirror[t] + at, byte, bytes);
    fl_comm_set_nb(place(m, t, at), byte, bytes, &m->op);
}

static void do_atomic(struct model *m, unsigned t, size_t at) {
    if (m->large_get) {
        settle(m);
    }
    at &= ~(size_t)7;
    int64_t value, a = (int64_t)random_next(&m->random);
    memcpy(&value, m->mirror[t] + at, 8);
    int64_t result = some(m, 2) ? (int64_t)((uint64_t)value + (uint64_t)a)
                                : (value < a ? value : a);
    bool add = result == (int64_t)((uint64_t)value + (uint64_t)a);
    memcpy(m->mirror[t] + at, &result, 8);
    uint64_t old = fl_comm_atomic(add ? FL_COMM_ADD : FL_COMM_MIN, FL_COMM_I64, place(m, t, at),
                                  (uint64_t)a, 0);
    m->good = m->good && old == (uint64_t)value;
}

static uint64_t changed(enum fl_comm_atomic what, uint64_t old, uint64_t a) {
    switch (what) {
    case FL_COMM_ADD:
        return old + a;
    case FL_COMM_SUB:
        return old - a;
    case FL_COMM_AND:
        return old & a;
    case FL_COMM_OR:
        return old | a;
    case FL_COMM_XOR:
        return old ^ a;
    case FL_COMM_INC:
        return old + 1;
    case FL_COMM_DEC:
        return old - 1;
    case FL_COMM_NAND:
        return ~(old & a);
    default:
        return a; /* FL_COMM_SET */
    }
}

/* An update without its old value: plain ones at any address, atomic ones of aligned words. */
static void do_update(struct model *m, unsigned t, size_t at) {
    static const enum fl_comm_atomic ops[] = {FL_COMM_ADD, FL_COMM_SUB,  FL_COMM_AND,
                                              FL_COMM_OR,  FL_COMM_XOR,  FL_COMM_INC,
                                              FL_COMM_DEC, FL_COMM_NAND, FL_COMM_SET};
    static const enum fl_comm_type types[] = {FL_COMM_U8, FL_COMM_U16, FL_COMM_I32, FL_COMM_U64};
    size_t kind = some(m, 4), bytes = (size_t)1 << kind;
    enum fl_comm_update how = some(m, 2) ? FL_COMM_PLAIN : FL_COMM_ATOMIC;
    enum fl_comm_atomic what = ops[some(m, how == FL_COMM_PLAIN ? 5 : sizeof ops / sizeof *ops)];
    uint64_t a = random_next(&m->random), old = 0;
    if (m->large_get) {
        settle(m);
    }
    at = at < REGION - 8 ? at : REGION - 8;
    at &= how == FL_COMM_ATOMIC ? ~(bytes - 1) : ~(size_t)0;
    memcpy(&old, m->mirror[t] + at, bytes);
    uint64_t new = changed(what, old, a), address = place(m, t, at);
    memcpy(m->mirror[t] + at, &new, bytes);
    if (!fl_comm_is_here(address)) {
        fl_comm_update_aggregated(how, what, types[kind], address, a,
                                  some(m, 3) ? fl_comm_relaxed() : &m->op);
    } else if (how == FL_COMM_PLAIN) {
        fl_comm_update_here(what, types[kind], (void *)(uintptr_t)address, a);
    } else {
        fl_comm_atomic(what, types[kind], address, a, 0);
    }
}

/* Relaxed puts, or updates of one kind, of neighbours: upwards, now and then with a step back. */
static void do_run(struct model *m, unsigned t, size_t at) {
    enum fl_comm_type type = some(m, 2) ? FL_COMM_U64 : FL_COMM_U16;
    bool is_put = some(m, 2);
    if (m->large_get) {
        settle(m);
    }
    for (size_t n = 1 + some(m, 300); n > 0; n--) {
        size_t bytes = is_put ? 1 + some(m, 9) : fl_comm_type_bytes(type);
        uint64_t values[2] = {random_next(&m->random), random_next(&m->random)};
        at = some(m, 50) ? at : at / 2;
        if (at + bytes > REGION) {
            return;
        }
        if (is_put) {
            memcpy(m->mirror[t] + at, values, bytes);
            fl_comm_put_relaxed(place(m, t, at), values, bytes);
        } else if (!fl_comm_is_here(place(m, t, at))) {
            uint64_t old = 0;
            memcpy(&old, m->mirror[t] + at, bytes);
            old += values[0];
            memcpy(m->mirror[t] + at, &old, bytes);
            fl_comm_update_aggregated(FL_COMM_PLAIN, FL_COMM_ADD, type, place(m, t, at), values[0],
                                      fl_comm_relaxed());
        }
        at += bytes;
    }
}

static void do_gather_nb(struct model *m) {
    uint64_t from[300];
    size_t n = 1 + some(m, 300), bytes = some(m, 2) ? 8 : 1 + some(m, 12);
    size_t buffer = take(m, n * bytes);
    for (size_t i = 0; i < n; i++) {
        unsigned t = (unsigned)some(m, m->threads);
        size_t at = some(m, some(m, 2) ? 64 : REGION - bytes);
        from[i] = place(m, t, at);
        memcpy(m->expected + buffer + i * bytes, m->mirror[t] + at, bytes);
    }
    fl_comm_gather_nb(m->to + buffer, from, n, bytes, &m->op);
    memset(from, 0, sizeof from); /* has been copied */
}

static void step(struct model *m) {
    unsigned t = (unsigned)some(m, m->threads);
    size_t bytes = some_size(m);
    size_t at = some(m, some(m, 2) ? 64 : REGION - bytes); /* often the same places */
    switch (some(m, 22)) {
    case 20:
    case 21:
        do_run(m, t, at);
        break;
    case 16:
        do_gather_nb(m);
        break;
    case 17:
    case 18:
    case 19:
        do_update(m, t, at);
        break;
    case 8:
    case 9:
        do_pieces(m, some(m, 2));
        break;
    case 0:
    case 1:
    case 2:
        do_put(m, t, at, bytes);
        break;
    case 3:
    case 4:
        do_get(m, t, at, bytes);
        break;
    case 5:
        do_atomic(m, t, at);
        break;
    case 6:
        do_set(m, t, at, bytes);
        break;
    case 10:
    case 11:
    case 12:
    case 13:
        do_cached(m);
        break;
    case 14:
    case 15:
        do_gather(m);
        break;
    default:
        do_copy(m, t, at, bytes);
    }
}

static bool transfers(unsigned me, void *context) {
    (void)context;
    struct model m = {.me = me,
                      .threads = layout.threads,
                      .random = 88172645463325252u + me * 7919,
                      .from = calloc(1, BUFFER),
                      .to = calloc(1, BUFFER),
                      .expected = calloc(1, BUFFER),
                      .good = true};
    for (unsigned t = 0; t < m.threads; t++) {
        m.mirror[t] = calloc(1, REGION);
    }
    if (me % 2 == 0) {
        fl_comm_count_alone();
    }
    if (me % 3 != 2) {
        fl_read_cache_start(me % 3 ? UINT64_MAX : 100000);
    }
    for (int i = 0; i < (TEST_TSAN ? 200 : 1500) && m.good; i++) {
        step(&m);
    }
    settle(&m);
    for (unsigned t = 0; t < m.threads; t++) {
        fl_comm_get(m.to, place(&m, t, 0), REGION);
        m.good = m.good && memcmp(m.to, m.mirror[t], REGION) == 0;
        free(m.mirror[t]);
    }
    free(m.from);
    free(m.to);
    free(m.expected);
    return m.good;
}

/* ---- atomic operations of all on the same words ---- */

static bool adds(unsigned me, void *context) {
    (void)context;
    enum { TIMES = 100 };
    struct fl_comm_op op = {0};
    uint64_t old[MOST_THREADS];
    for (uint64_t i = 0; i < TIMES; i++) {
        for (unsigned t = 0; t < layout.threads; t++) {
            uint64_t at = fl_space_address(&space, t, 0);
            fl_comm_atomic_nb(FL_COMM_ADD, FL_COMM_U64, at, 1, 0, &old[t], &op);
            fl_comm_atomic(FL_COMM_MAX, FL_COMM_I32, at + 8, me * TIMES + (unsigned)i, 0);
            fl_comm_atomic_nb(FL_COMM_XOR, FL_COMM_U32, at + 12, 1u << me % 32, 0, NULL, &op);
        }
        fl_comm_wait(&op);
    }
    meet();
    bool good = true;
    for (unsigned t = 0; t < layout.threads; t++) {
        uint64_t at = fl_space_address(&space, t, 0);
        uint64_t n = fl_comm_atomic(FL_COMM_GET, FL_COMM_U64, at, 0, 0);
        uint32_t two[2];
        fl_comm_get(two, at + 8, sizeof two);
        good = good && n == TIMES * layout.threads && two[0] == layout.threads * TIMES - 1 &&
               two[1] == 0;
    }
    return good;
}

/* ---- calls ---- */

static fl_comm_handler publish;

enum { HOPS = 3, CALL_BYTES = 3000, CALL_ROUNDS = TEST_TSAN ? 30 : 150 };

static _Atomic uint64_t hops_ended;
static _Atomic bool bad_call;
static uint64_t next_from[PIPES_MOST];
static bool may_go; /* deferred answers wait for this */

static bool is_filled(const unsigned char *bytes, size_t n, uint64_t seed) {
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] != (unsigned char)(seed + i)) {
            return false;
        }
    }
    return true;
}

/* words: seed, hops left, the first teller's number for this process. Goes on to the next. */
static void hop(void *context, const struct fl_comm_call *call) {
    (void)context;
    uint64_t seed = call->words[0];
    if (call->asker.cookie != 0 || call->n_words != 3 ||
        ((uintptr_t)call->payload & 7) != 0 || !is_filled(call->payload, call->bytes, seed)) {
        atomic_store(&bad_call, true);
    }
    if (call->words[1] == 0) {
        atomic_fetch_add(&hops_ended, 1);
        return;
    }
    if (call->words[1] == HOPS && layout.pthreads == 1 &&
        call->words[2] != next_from[call->asker.proc]++) {
        atomic_store(&bad_call, true);
    }
    uint64_t words[3] = {seed, call->words[1] - 1, 0};
    fl_comm_tell((layout.me + 1) % layout.procs, FL_COMM_LIBRARY, words, 3, call->payload,
                 call->bytes);
}

struct later {
    struct fl_comm_deferred deferred;
    struct fl_comm_asker asker;
    uint64_t word;
};

static bool answer_later(struct fl_comm_deferred *self) {
    struct later *later = (struct later *)self;
    if (!may_go) {
        may_go = true; /* at the next poll, then */
        return false;
    }
    fl_comm_answer(later->asker, &later->word, 1, NULL, 0);
    free(later);
    return true;
}

/* Answers with the same, twice the words; odd ones later. */
static void echo(void *context, const struct fl_comm_call *call) {
    (void)context;
    if (call->words[0] % 2) {
        struct later *later = malloc(sizeof *later);
        *later = (struct later){{NULL, answer_later}, call->asker, 2 * call->words[0]};
        may_go = false;
        fl_comm_defer(&later->deferred);
        return;
    }
    uint64_t words[FL_COMM_WORDS];
    for (unsigned i = 0; i < call->n_words; i++) {
        words[i] = 2 * call->words[i];
    }
    fl_comm_answer(call->asker, words, call->n_words, call->payload, call->bytes);
}

static void register_handlers(void) {
    fl_comm_register(FL_COMM_LIBRARY, hop, NULL);
    fl_comm_register(FL_COMM_GAS, echo, NULL);
    fl_comm_register(FL_COMM_BARRIER, publish, NULL);
}

static bool ask_one(unsigned proc, uint64_t seed, const unsigned char *bytes, size_t n) {
    unsigned char back[CALL_BYTES];
    struct fl_comm_answer answer = {.payload = back, .room = sizeof back};
    uint64_t words[FL_COMM_WORDS];
    unsigned n_words = 1 + (unsigned)(seed % FL_COMM_WORDS);
    for (unsigned i = 0; i < n_words; i++) {
        words[i] = seed + i;
    }
    fl_comm_ask(proc, FL_COMM_GAS, words, n_words, bytes, n, &answer);
    bool all = seed % 2 || answer.words[n_words - 1] == 2 * words[n_words - 1];
    return answer.words[0] == 2 * seed && all &&
           (seed % 2 || (answer.bytes == n && is_filled(back, n, seed)));
}

static bool calls(unsigned me, void *context) {
    (void)context;
    unsigned char bytes[CALL_BYTES];
    bool good = true;
    for (uint64_t r = 0; r < CALL_ROUNDS; r++) {
        size_t n = r % 3 == 0 ? 0 : r % 3 == 1 ? 100 : CALL_BYTES;
        uint64_t seed = r + me;
        for (size_t i = 0; i < n; i++) {
            bytes[i] = (unsigned char)(seed + i);
        }
        for (unsigned p = 0; p < layout.procs; p++) {
            uint64_t words[3] = {seed, HOPS, r};
            fl_comm_tell(p, FL_COMM_LIBRARY, words, 3, bytes, n);
        }
        good = ask_one((unsigned)((me + r) % layout.procs), seed, bytes, n) && good;
    }
    /* Each chain of hops ends in some process, which counts it. */
    uint64_t all = (uint64_t)CALL_ROUNDS * layout.procs * layout.threads;
    while (atomic_load(&world->counted) < all) {
        atomic_fetch_add(&world->counted, atomic_exchange(&hops_ended, 0));
        if (!fl_comm_poll()) {
            fl_os_yield();
        }
    }
    return good && !atomic_load(&bad_call);
}

/* ---- a target that computes ---- */

static bool reads_from_busy(unsigned me, void *context) {
    (void)context;
    if (me > 0) { /* no call of comm until thread 0 has read its value */
        while (!atomic_load(&world->flag)) {
        }
        return true;
    }
    bool good = true;
    for (uint64_t i = 0; i < 20; i++) {
        uint64_t back = 0;
        uint64_t at = fl_space_address(&space, 1, 64);
        fl_comm_put(at, &i, sizeof i);
        fl_comm_get(&back, at, sizeof back);
        good = good && back == i;
    }
    atomic_store(&world->flag, 1);
    return good;
}

/* A thread asleep on a futex is served, and woken by a handler that a peer calls. */
static _Atomic uint32_t told;

static void publish(void *context, const struct fl_comm_call *call) {
    (void)context;
    fl_wait_publish(&told, (uint32_t)call->words[0] << 1);
}

static bool sleeps(unsigned me, void *context) {
    (void)context;
    for (uint32_t i = 1; i <= 50; i++) {
        uint64_t word = i;
        if (me == i % 2) {
            fl_comm_tell(1 - me, FL_COMM_BARRIER, &word, 1, NULL, 0);
        } else {
            fl_wait_until(&told, i << 1, (struct fl_wait_policy){0, 0});
        }
    }
    return true;
}

/* ---- messages from outside of the job ---- */

static bool forges(unsigned me, void *context) {
    (void)context;
    uint64_t at = fl_space_address(&space, 1, 128);
    if (me == 0) {
        uint64_t evil = 666;
        struct fl_comm_message m = {.job_id = ~fl_comm_state.setup.job_id,
                                    .kind = FL_COMM_KIND_PUT,
                                    .n_words = 1,
                                    .from = 0,
                                    .words = {at}};
        fl_comm_enter();
        pipes_send(fl_comm_state.net, 1, &m, FL_COMM_HEAD + 8, &evil, sizeof evil, NULL);
        pipes_send(fl_comm_state.net, 1, "short", 5, NULL, 0, NULL);
        fl_comm_leave();
        uint64_t back = 1;
        fl_comm_get(&back, at, sizeof back); /* comes after what was forged */
        atomic_store(&world->flag, 1);
        return back == 0;
    }
    while (!atomic_load(&world->flag)) {
        fl_comm_poll();
    }
    fl_comm_enter();
    uint64_t dropped = fl_comm_state.dropped;
    fl_comm_leave();
    return dropped == 2;
}

/* ---- failures ---- */

/* Process 1 does this, which ends process 0. */
static void misbehave(test_body how, void *context) {
    how(1, context);
    for (;;) {
        pause();
    }
}

/* Two processes; both end when process 0 does. */
static bool with_partner(test_body waits, test_body how) {
    world = new_world(2, 1, 1, NULL);
    world->patience_ms = 400;
    pid_t parent = getpid();
    unsigned me = test_fork() == 0;
    if (me == 1 && (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)) {
        _exit(1);
    }
    pipes_close_others(2, me);
    start(me);
    register_handlers();
    fl_comm_connect(pipes_card_of, NULL, fl_wait_choose(2, fl_os_cpu_count(), 0, 0));
    meet();
    if (me == 1) {
        misbehave(how, world);
    }
    return waits(0, world);
}

static bool computes(unsigned me, void *context) {
    (void)context;
    for (;;) {
        me++;
    }
    return false;
}

static bool reads(unsigned me, void *context) {
    uint64_t word;
    (void)me;
    for (;;) {
        fl_comm_get(&word, fl_space_address(&space, 1, 0), sizeof word);
    }
    return context == NULL;
}

static bool stops(unsigned me, void *context) {
    (void)context;
    return me == 1 && raise(SIGSTOP) == 0;
}

static bool vanishes(unsigned me, void *context) {
    (void)me;
    (void)context;
    _exit(0);
}

static bool leaves(unsigned me, void *context) {
    (void)context;
    fl_comm_tell(0, FL_COMM_BARRIER, (const uint64_t[]){me}, 1, NULL, 0);
    fl_comm_stop();
    return true;
}

/* Sends a message that no process would send, with the job's number. */
static void send_odd(struct fl_comm_message m) {
    m.from = 1;
    m.job_id = fl_comm_state.setup.job_id;
    fl_comm_enter();
    pipes_send(fl_comm_state.net, 0, &m, FL_COMM_HEAD + m.n_words * sizeof *m.words, "12345678", 8,
               NULL);
    fl_comm_leave();
}

static bool reaches_too_far(unsigned me, void *context) {
    (void)context;
    send_odd((struct fl_comm_message){
        .kind = FL_COMM_KIND_PUT, .n_words = 1, .words = {fl_space_address(&space, me, 0) - 4}});
    return true;
}

static bool answers_unasked(unsigned me, void *context) {
    (void)me;
    (void)context;
    send_odd((struct fl_comm_message){.kind = FL_COMM_KIND_VALUE, .n_words = 1, .cookie = 7ull << 32});
    return true;
}

static bool talks_nonsense(unsigned me, void *context) {
    (void)me;
    (void)context;
    send_odd((struct fl_comm_message){.kind = 200});
    return true;
}

struct failure {
    const char *what, *text;
    test_body waits, how;
};

static bool fails(unsigned me, void *context) {
    const struct failure *failure = context;
    (void)me;
    return with_partner(failure->waits, failure->how);
}

static bool goes_far(unsigned me, void *context) {
    (void)context;
    fl_comm_put(fl_space_address(&space, 2 + me, 0), &me, sizeof me);
    return true;
}

/* After the goodbye of process 1, process 0 stays for a while. */
static bool outlives(unsigned me, void *context) {
    (void)context;
    fl_os_futex_wait_timeout(&world->flag, 0, 1000000000);
    _exit((int)me);
}

static void failures(void) {
    static const struct failure list[] = {
        {"a host that is silent", "process 1 on host bert does not answer any more", computes,
         stops},
        {"silent while it is waited for", "process 1 on host bert does not answer any more", reads,
         stops},
        /* Its connection breaks, and it is silent: a busy machine may detect the latter first. */
        {"a process that has gone", "process 1 on host bert ", computes, vanishes},
        {"an address outside", "process 1 on host bert accesses 8 bytes at", reads,
         reaches_too_far},
        {"an answer to nothing", "makes no sense: it answers what nobody asked", reads,
         answers_unasked},
        {"an unknown kind", "makes no sense: its header is not one", computes, talks_nonsense},
        {"an address of no thread", "is in no thread's shared memory", goes_far, computes},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        CHECK(test_dies(fails, (void *)&list[i], list[i].text), "%s", list[i].what);
    }
    struct failure none = {.waits = outlives, .how = leaves};
    pid_t pid = test_fork();
    if (pid == 0) {
        fails(0, &none);
        _exit(1);
    }
    int status;
    CHECK(waitpid(pid, &status, 0) == pid && status == 0, "who ends first is not missed");
}

static void in_all_mixes(const char *what, test_body body, enum fl_one_sided_use one_sided) {
    static const unsigned mixes[][3] = {{2, 1, 1}, {3, 1, 1}, {5, 1, 1}, {7, 1, 1},
                                        {2, 2, 1}, {3, 2, 1}, {2, 1, 3}, {2, 2, 2}};
    for (size_t i = 0; i < sizeof mixes / sizeof *mixes; i++) {
        for (uint32_t window = 0; window <= 1024; window += 1024) {
            struct world *w = new_world(mixes[i][0], mixes[i][1], mixes[i][2], body);
            w->window = window;
            w->one_sided = one_sided;
            run(what, w);
        }
    }
}

int main(void) {
    in_all_mixes("transfers", transfers, FL_ONE_SIDED_NEVER);
    in_all_mixes("one-sided transfers", transfers, FL_ONE_SIDED_DIRECT);
    in_all_mixes("atomic operations", adds, FL_ONE_SIDED_NEVER);
    in_all_mixes("atomic operations among one-sided transfers", adds, FL_ONE_SIDED_DIRECT);
    in_all_mixes("calls", calls, FL_ONE_SIDED_NEVER);
    run("a computing target", new_world(2, 1, 1, reads_from_busy));
    run("asleep", new_world(2, 1, 1, sleeps));
    run("forged messages", new_world(2, 1, 1, forges));
    failures();
    CHECK(fl_comm_bytes(1024) < 16 << 20, "little memory for 1024 processes");
    return test_done();
}
