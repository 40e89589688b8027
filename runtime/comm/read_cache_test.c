/* SPDX-License-Identifier: BSD-3-Clause */
/* What the read cache fetches for some ways of reading: right values, and in how many fetches. Memory of
 * other hosts is a function of its address here. */
#include "comm/comm.h"
#include "comm/inside.h"
#include "core/test.h"

/* A clock that only fetches move, and the test. */
enum { FETCH_NS = 10000 };
static uint64_t clock_ns = 1;

static unsigned fetches;
static size_t fetched;

static unsigned char byte_at(uint64_t address) {
    return (unsigned char)(address * 0x9e3779b97f4a7c15u >> 56);
}

static void bring(const struct fl_comm_piece *pieces, unsigned n) {
    fetches++;
    clock_ns += FETCH_NS;
    for (unsigned i = 0; i < n; i++) {
        fetched += pieces[i].bytes;
        for (size_t b = 0; b < pieces[i].bytes; b++) {
            ((unsigned char *)pieces[i].memory)[b] = byte_at(pieces[i].address + b);
        }
    }
}

/* Threads' segments, as far as the cache asks about them. */
enum { LOG2_SEGMENT = 36 };

#define fl_os_now_ns() clock_ns
#define fl_comm_get_pieces_nb(pieces, n, op) ((void)(op), bring(pieces, n))
#define fl_comm_wait(op) ((void)(op))
#define fl_comm_get(to, from, bytes) bring(&(struct fl_comm_piece){from, to, bytes}, 1)
#define fl_space_holds(space, address) ((void)(space), (address) != 0)
#define fl_space_thread(space, address) ((void)(space), (unsigned)((address) >> LOG2_SEGMENT))
#include "comm/read_ahead.c"
#include "comm/read_cache.c"

static uint64_t address_of(unsigned thread, uint64_t offset) {
    return ((uint64_t)thread + 1) << LOG2_SEGMENT | (0x123000 + offset);
}

static bool read_right(uint64_t address) {
    unsigned char found[8];
    bool right = true;
    fl_read_cache_get(&(struct fl_comm_piece){address, found, sizeof found}, 1);
    for (unsigned b = 0; b < sizeof found; b++) {
        right = right && found[b] == byte_at(address + b);
    }
    return right;
}

static void begin_epoch(void) {
    fl_read_cache_drop();
    fetches = 0;
    fetched = 0;
}

static uint64_t random_state = 1;
static unsigned random_below(unsigned n) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(random_state >> 33) % n;
}

enum { TABLE = 64 << 10, READS = 20000, ANYWHERE = 1 << 28 };

static bool look_up(unsigned threads, unsigned bytes) {
    bool right = true;
    begin_epoch();
    for (unsigned i = 0; i < READS; i++) {
        right = read_right(address_of(random_below(threads), 8 * (uint64_t)random_below(bytes / 8))) &&
                right;
    }
    return right;
}

static void test_tables(void) {
    for (unsigned threads = 1; threads <= 5; threads += 2) {
        bool right = look_up(threads, TABLE);
        CHECK(right && fetches <= 40 * threads, "tables of %u threads: %u fetches", threads, fetches);
        CHECK(fetched <= 3 * TABLE * threads, "which fetch %zu bytes", fetched);
        right = look_up(threads, TABLE);
        CHECK(right && fetches <= 20 * threads, "again, known to be dense: %u fetches", fetches);
    }
}

/* More than the cache holds: no line is of use, and what is fetched is little beside what is read. */
static void test_scattered(void) {
    bool right = look_up(1, ANYWHERE);
    CHECK(right, "reads at random places of much memory");
    CHECK(fetched <= (size_t)2 * 64 * READS, "fetch %zu bytes each", fetched / READS);
}

static void test_in_order(int step, unsigned most) {
    bool right = true;
    begin_epoch();
    for (int i = 0; i < TABLE / 8; i++) {
        int at = step > 0 ? i : TABLE / 8 - 1 - i;
        right = read_right(address_of(0, 8 * (uint64_t)at)) && right;
    }
    CHECK(right && fetches <= most, "in order, step %d: %u fetches", step, fetches);
    CHECK(fetched <= 2 * TABLE, "which fetch %zu bytes", fetched);
}

/* What one epoch has read densely comes at once in the next, in either direction; what is not read then
 * is not fetched once more. */
static void test_again(void) {
    test_in_order(1, 8);
    test_in_order(1, 2);
    test_in_order(-1, 2);
    for (unsigned i = 0; i < 3; i++) {
        begin_epoch();
        bool right = read_right(address_of(0, TABLE / 2));
        CHECK(right && fetches == 1, "one read: %u fetches", fetches);
        CHECK(fetched <= (i == 0 ? TABLE + 8192 : 256), "which fetch %zu bytes, time %u", fetched, i);
    }
}

/* Columns of a matrix whose rows are 4 KiB apart, of several threads in turns. */
static void test_columns(unsigned threads, unsigned columns) {
    enum { ROWS = 256, MATRIX = 1 << 28 };
    bool right = true;
    begin_epoch();
    for (unsigned column = 0; column < columns; column++) {
        for (unsigned row = 0; row < ROWS; row++) {
            uint64_t at = MATRIX + 4096 * (uint64_t)(row / threads) + 8 * column;
            right = read_right(address_of(row % threads, at)) && right;
        }
    }
    unsigned lines = (8 * columns + FL_READ_LINE - 1) / FL_READ_LINE;
    CHECK(right && fetches <= 8 * threads * lines, "columns of %u threads: %u fetches", threads, fetches);
}

static bool read_block(uint64_t address, size_t bytes, bool *is_run) {
    static unsigned char found[FL_READ_RUN];
    *is_run = fl_read_cache_get_run(found, address, bytes);
    bool right = true;
    for (size_t b = 0; *is_run && b < bytes; b++) {
        right = right && found[b] == byte_at(address + b);
    }
    return right;
}

/* Blocks of several threads in turns, upwards or downwards: the first one of each thread is no run yet.
 * And blocks that do not follow each other. */
static void test_blocks(int step, size_t bytes) {
    enum { N_BLOCKS = 60, THREADS = 3 };
    unsigned n_runs = 0;
    bool right = true, is_run;
    begin_epoch();
    for (unsigned i = 0; i < N_BLOCKS * THREADS; i++) {
        unsigned number = step > 0 ? i : N_BLOCKS * THREADS - 1 - i;
        uint64_t at = (uint64_t)bytes * (number / THREADS + N_BLOCKS);
        right = read_block(address_of(number % THREADS, at), bytes, &is_run) && right;
        n_runs += is_run;
    }
    size_t all = (size_t)N_BLOCKS * THREADS * bytes;
    CHECK(right && n_runs == (N_BLOCKS - 1) * THREADS, "%u runs of blocks of %zu bytes", n_runs, bytes);
    CHECK(fetches <= all / 32768 + 5 * THREADS, "which come in %u fetches", fetches);
    CHECK(fetched <= all + (size_t)THREADS * 80000, "of %zu bytes", fetched);
    for (unsigned i = 0; i < N_BLOCKS; i++) {
        read_block(address_of(3, (uint64_t)i * (bytes + 64)), bytes, &is_run);
        CHECK(is_run == (i > 0), "block %u, behind a border", i);
    }
    for (unsigned i = 0; i < N_BLOCKS; i++) {
        read_block(address_of(4, (uint64_t)i * (bytes + 2048)), bytes, &is_run);
        CHECK(!is_run, "block %u, behind a gap", i);
    }
}

/* Rows of a matrix, gathered one after the other: as few fetches as for reads one by one. */
static void test_gathered_rows(void) {
    enum { ROWS = 64, COLUMNS = 64 };
    bool right = true;
    begin_epoch();
    for (uint64_t row = 0; row < ROWS; row++) {
        uint64_t at[COLUMNS];
        unsigned char found[COLUMNS][8];
        for (uint64_t column = 0; column < COLUMNS; column++) {
            at[column] = address_of(4, (1 << 20) + 8 * (COLUMNS * row + column));
        }
        right = fl_read_cache_gather(found, at, COLUMNS, 8) && right;
        for (unsigned i = 0; i < COLUMNS * 8; i++) {
            right = right && found[i / 8][i % 8] == byte_at(at[i / 8] + i % 8);
        }
    }
    CHECK(right && fetches <= 8, "gathered rows: %u fetches", fetches);
}

/* A loop that waits sees what it waits for, but asks no more often than an answer takes. */
static void test_again_and_again(void) {
    uint64_t began = clock_ns;
    begin_epoch();
    while (clock_ns - began < 100 * FETCH_NS) {
        read_right(address_of(5, 0));
        clock_ns += 5;
    }
    CHECK(fetches >= 25 && fetches <= 51, "reads of one place: %u fetches", fetches);
}

int main(void) {
    fl_comm_here.bytes = 0;
    fl_read_cache_start(UINT64_MAX);
    fl_read_cache_show_all();
    test_tables();
    test_scattered();
    test_in_order(1, 8);
    test_in_order(-1, 8);
    test_again();
    test_columns(1, 4);
    test_columns(3, 4);
    test_columns(1, 512);
    test_columns(3, 512);
    test_blocks(1, 4000);
    test_blocks(-1, 4000);
    test_blocks(1, FL_READ_RUN);
    test_gathered_rows();
    test_again_and_again();
    return test_done();
}
