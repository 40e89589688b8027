// SPDX-License-Identifier: BSD-3-Clause
/*
 * Transfers, atomic operations and calls between two processes on different networks, each on a
 * core of its own, through a transport; beside them plain TCP. Then reads from a process that
 * computes, and what that costs the computation. Argument: the transport.
 */
#include "cable_comm.h"

enum { ROUNDS = 60, SMALL_ROUNDS = 200, TRIPS = 40, LARGE = 2 << 20, TURNS = 8 };

static struct shared {
    _Atomic int stopped;
    _Atomic int computes; /* process 1 does */
    _Atomic uint64_t computed;
} *shared;

static unsigned char *memory;

static void echo(void *context, const struct fl_comm_call *call) {
    (void)context;
    fl_comm_answer(call->asker, call->words, call->n_words, NULL, 0);
}

static const char *transport = "ucx";

static void register_handlers(unsigned me) {
    (void)me;
    fl_comm_register(FL_COMM_LIBRARY, echo, NULL);
}

static void start(unsigned me) {
    cable_comm_start(me, transport, register_handlers);
    memory = calloc(1, LARGE);
    memset(memory, 1, LARGE);
    fl_comm_set(fl_space_address(&space, 1, 0), 0, LARGE);
    cable_meet();
}

/* ---- what is measured; `away` is in process 1's segment ---- */

static uint64_t away;

static void ask(void) {
    struct fl_comm_answer answer;
    uint64_t word = 1;
    fl_comm_ask(1, FL_COMM_LIBRARY, &word, 1, NULL, 0, &answer);
}

static void put8(void) {
    fl_comm_put(away, memory, 8);
}

static void get8(void) {
    fl_comm_get(memory, away, 8);
}

static void add8(void) {
    fl_comm_atomic(FL_COMM_ADD, FL_COMM_U64, away, 1, 0);
}

static void put64k(void) {
    fl_comm_put(away, memory, CABLE_CHUNK);
}

static void get64k(void) {
    fl_comm_get(memory, away, CABLE_CHUNK);
}

static void put64k_nb(void) {
    struct fl_comm_op op = {0};
    for (size_t at = 0; at < LARGE; at += CABLE_CHUNK) {
        fl_comm_put_nb(away + at, memory + at, CABLE_CHUNK, &op);
    }
    fl_comm_wait(&op);
}

static void put2m(void) {
    fl_comm_put(away, memory, LARGE);
}

static void get2m(void) {
    fl_comm_get(memory, away, LARGE);
}

static void relaxed(void) {
    for (uint64_t i = 0; i < 100; i++) {
        fl_comm_put_relaxed(away + 16 * i, memory, 8);
    }
    fl_comm_quiet();
}

/* Bytes go there and come back; sums and answers are as they must be. */
static void check(void) {
    static unsigned char back[LARGE];
    struct fl_comm_answer answer;
    uint64_t before, after, word = 12345;
    for (size_t i = 0; i < LARGE; i++) {
        memory[i] = (unsigned char)(i * 7 + i / 251);
    }
    put64k_nb();
    fl_comm_get(back, away, LARGE);
    bench_check(memcmp(memory, back, LARGE) == 0, "comm-put-64K: bytes differ");
    memset(back, 0, LARGE);
    fl_comm_put(away, back, LARGE);
    put2m();
    fl_comm_get(back, away, LARGE);
    bench_check(memcmp(memory, back, LARGE) == 0, "comm-put-2M: bytes differ");
    memset(back, 0, LARGE);
    fl_comm_put(away, back, LARGE);
    relaxed();
    for (uint64_t i = 0; i < 100; i++) {
        fl_comm_get(back, away + 16 * i, 8);
        bench_check(memcmp(memory, back, 8) == 0, "comm-relaxed-put-8: bytes differ");
    }
    fl_comm_get(&before, away, 8);
    add8();
    fl_comm_get(&after, away, 8);
    bench_check(after == before + 1, "comm-add-8: %lu", (unsigned long)after);
    fl_comm_ask(1, FL_COMM_LIBRARY, &word, 1, NULL, 0, &answer);
    bench_check(answer.words[0] == word, "comm-ask: another answer");
}

static double time_of(void (*run)(void), long n) {
    double begin = bench_now();
    for (long i = 0; i < n; i++) {
        run();
    }
    return (bench_now() - begin) / (double)n;
}

static void small(int fd) {
    static void (*const runs[])(void) = {ask, put8, get8, add8};
    static const char *const names[] = {"comm-ask", "comm-put-8", "comm-get-8", "comm-add-8"};
    struct bench_times tcp = {{0}, 0}, times[4] = {{{0}, 0}}, puts = {{0}, 0};
    for (int round = 0; round < SMALL_ROUNDS; round++) {
        bench_add(&tcp, cable_round_trips(fd, TRIPS));
        for (int i = 0; i < 4; i++) {
            bench_add(&times[i], time_of(runs[i], TRIPS));
        }
        bench_add(&puts, time_of(relaxed, TURNS) / 100);
    }
    bench_time("comm-floor-tcp", "us", 1e6, &tcp);
    for (int i = 0; i < 4; i++) {
        bench_time_against(names[i], "us", 1e6, &times[i], &tcp);
    }
    bench_time("comm-relaxed-put-8", "us", 1e6, &puts);
}

/* Of chunks that are answered one by one. */
static double answered(int fd, long n) {
    double seconds = 0;
    for (long i = 0; i < n; i++) {
        seconds += cable_stream(fd, memory, 1);
    }
    return seconds / (double)n;
}

static void large(int fd) {
    static const struct {
        const char *name;
        void (*run)(void);
        int chunks;
    } runs[] = {{"comm-put-64K", put64k_nb, LARGE / CABLE_CHUNK},
                {"comm-put-64K-blocking", put64k, 1},
                {"comm-get-64K-blocking", get64k, 1},
                {"comm-put-2M", put2m, LARGE / CABLE_CHUNK},
                {"comm-get-2M", get2m, LARGE / CABLE_CHUNK}};
    enum { N = sizeof runs / sizeof *runs };
    struct bench_times stream = {{0}, 0}, single = {{0}, 0}, times[N] = {{{0}, 0}};
    for (int round = 0; round < ROUNDS; round++) {
        bench_add(&stream, cable_stream(fd, memory, TURNS * LARGE / CABLE_CHUNK));
        bench_add(&single, answered(fd, 20));
        for (int i = 0; i < N; i++) {
            int turns = runs[i].chunks == 1 ? 20 : TURNS;
            bench_add(&times[i], time_of(runs[i].run, turns) / runs[i].chunks);
        }
    }
    for (int i = 0; i < N; i++) {
        bench_rate(runs[i].name, "GB/s", CABLE_CHUNK / 1e9, &times[i],
                   runs[i].chunks == 1 ? &single : &stream);
    }
}

/* ---- a target that computes ---- */

static void compute(void) {
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < 100000; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    shared->computed += x != 0;
}

/* How much process 1 computes in a quarter of a second. */
static double quarter(void) {
    uint64_t before = shared->computed;
    double begin = bench_now();
    usleep(250000);
    return (double)(shared->computed - before) / (bench_now() - begin);
}

static void busy(void) {
    struct bench_times gets = {{0}, 0}, alone = {{0}, 0}, served = {{0}, 0};
    shared->computes = 1;
    usleep(10000);
    for (int round = 0; round < 40; round++) {
        usleep(20000);
        bench_add(&gets, time_of(get8, 1));
    }
    /* Computation with the thread asleep beside it, and with one read in each millisecond. */
    for (int round = 0; round < 8; round++) {
        bench_add(&alone, 1 / quarter());
        double begin = bench_now();
        uint64_t before = shared->computed;
        while (bench_now() < begin + 0.25) {
            get8();
            usleep(1000);
        }
        bench_add(&served, (bench_now() - begin) / (double)(shared->computed - before));
    }
    shared->computes = 0;
    bench_time("comm-get-8-busy", "us", 1e6, &gets);
    bench_rate("comm-busy-computation", "K/s", 1e-3, &served, &alone);
}

static void work(unsigned me) {
    cable_lay(me);
    int fd = cable_connect(me);
    start(me);
    away = fl_space_address(&space, 1, 0);
    if (me == 0) {
        check();
        small(fd);
        large(fd);
        busy();
        shared->stopped = 1;
    }
    while (me == 1 && !shared->stopped) {
        cable_serve(fd);
        if (shared->computes) {
            compute();
        } else {
            fl_comm_poll();
        }
    }
    cable_meet();
    fl_comm_stop();
}

int main(int argc, char **argv) {
    shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cable_comm_prepare();
    if (argc > 1) {
        transport = argv[1];
    }
    cable_processes(work);
}
