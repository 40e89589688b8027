// SPDX-License-Identifier: BSD-3-Clause
// Programs with one race each; tests/cli/check.toml runs them.
#include "cases.h"

shared int x, y;
shared int cyclic[2 * THREADS];
shared [3] int a[3 * THREADS];
shared [5] double rows[THREADS][5];
shared [] char *text;
strict shared int flag;
shared struct pair { int first, second; } pairs[THREADS];
shared int *shared where;
shared [] int *shared mine[THREADS];
shared char bytes[8 * THREADS];
shared [100] int src[100 * THREADS], dst[100 * THREADS];
shared [400000] int large[400000 * THREADS];
shared [] double table[100];
shared [] struct point { int x, y; } points[20];
shared struct bits { int before; unsigned low : 3, high : 12; int : 0; unsigned apart : 4; } bits[THREADS];
upc_lock_t *lock, *other;
bupc_sem_t *shared sem;
upc_atomicdomain_t *domain;

static void bits_of_one_word(void) {
    if (ME == 0) bits[0].low = 1;
    if (ME == LAST) bits[0].high += 2;
}
static void bits_read(void) { bits[NEXT].high = 1; sink += bits[ME].high; }
static void all_write(void) { x = ME; }
static void one_writes(void) { if (ME == 0) x = 1; else sink += x; }
static void neighbour(void) { a[3 * NEXT] = ME; sink += a[3 * ME]; }
static void no_barrier_after_loop(void) {
    upc_forall (int i = 0; i < 3 * THREADS; i++; &a[i]) a[i] = i;
    for (int i = 0; i < 3; i++) sink += a[3 * NEXT + i];
}
static void wrong_affinity(void) {
    upc_forall (int i = 0; i < 3 * THREADS; i++; &a[i]) { a[(i + 1) % (3 * THREADS)] = i; a[i] = 1; }
}
static void read_before_wait(void) {
    if (ME == 0) x = 1;
    upc_notify;
    if (ME == LAST) sink += x;
    upc_wait;
}
static void write_between(void) {
    upc_notify;
    if (ME == 0) x = 1;
    upc_wait;
    if (ME == LAST) sink += x;
}
static void lock_on_one_side(void) {
    if (ME == 0) { upc_lock(lock); x++; upc_unlock(lock); }
    if (ME == 1) x++;
}
static void two_locks(void) {
    upc_lock_t *l = ME % 2 ? lock : other;
    upc_lock(l); x++; upc_unlock(l);
}
static void increment(void) { x += 2; }
static void after_unlock(void) {
    upc_lock(lock);
    int old = x;
    upc_unlock(lock);
    x = old + 1;
}
static void relaxed_flag(void) {
    if (ME == 0) { y = 5; x = 1; }
    else sink += x;
}
static void mixed(void) {
    if (ME == 0) *(strict shared int *)&x = 1;
    if (ME == LAST) sink += x;
}
static void plain_and_atomic(void) {
    int one = 1;
    if (ME == 0) x = 3;
    else upc_atomic_strict(domain, NULL, UPC_ADD, &x, &one, NULL);
}
static void plain_and_relaxed_atomic(void) {
    int one = 1;
    if (ME == 0) sink += x;
    else upc_atomic_relaxed(domain, NULL, UPC_ADD, &x, &one, NULL);
}
static void plain_and_builtin(void) {
    if (ME == 0) sink += x;
    else __sync_fetch_and_add(&x, 1);
}
static void memput(void) {
    int buffer[3] = {1, 2, 3};
    upc_memput(&a[3 * NEXT], buffer, sizeof buffer);
    sink += a[3 * ME + 2];
}
static void memget(void) {
    int buffer[3];
    a[3 * ME + 1] = 7;
    upc_memget(buffer, &a[3 * NEXT], sizeof buffer);
}
static void memcpy_twice(void) { upc_memcpy(&dst[0], &src[100 * ME], 400); }
static void memset_and_read(void) {
    if (ME == 0) upc_memset(&a[3 * LAST], 0, 12);
    if (ME == LAST) sink += a[3 * LAST + 1];
}
static void large_ranges(void) { /* many granules of shadow */
    if (ME == 0) upc_memset(&large[400000 * LAST], 1, 1600000);
    if (ME == LAST) large[400000 * LAST + 399999] = 2;
}
static void handle_open(void) {
    static int buffer[100];
    upc_handle_t h = UPC_COMPLETE_HANDLE;
    if (ME == 0) h = upc_memput_nb(&dst[100 * LAST], buffer, sizeof buffer);
    upc_barrier;
    if (ME == LAST) sink += dst[100 * LAST + 50];
    upc_barrier;
    if (ME == 0) upc_sync(h);
}
static void implicit_open(void) {
    static int buffer[100];
    if (ME == 0) upc_memget_nbi(buffer, &src[100 * LAST], sizeof buffer);
    upc_barrier;
    if (ME == LAST) src[100 * LAST + 99] = 1;
    upc_barrier;
    if (ME == 0) upc_synci();
}
static void broadcast_mysync(void) {
    if (ME == LAST) src[0] = 1;
    upc_all_broadcast(dst, src, 40, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
}
static void broadcast_nosync_out(void) {
    upc_all_broadcast(dst, src, 40, UPC_IN_ALLSYNC | UPC_OUT_NOSYNC);
    sink += dst[100 * NEXT];
}
static void reduce_nosync_in(void) {
    src[100 * NEXT] = 1;
    upc_all_reduceI(&x, src, UPC_ADD, 100 * THREADS, 100, NULL, UPC_IN_NOSYNC | UPC_OUT_ALLSYNC);
}
static void exchange_written(void) {
    upc_all_exchange(dst, src, 4, UPC_IN_ALLSYNC | UPC_OUT_MYSYNC);
    dst[100 * NEXT] = 1;
}
static void pointer_published(void) {
    if (ME == 0) where = (shared int *)upc_global_alloc(THREADS, sizeof(int));
    else sink += upc_threadof(where);
}
static void members(void) {
    pairs[0].second = ME;
    sink += pairs[ME].first;
}
static void one_byte(void) { bytes[7] = ME; }
static void halo(void) { /* one element too many on each side */
    for (int i = -1; i < 3; i++) a[(3 * ME + i + 3 * THREADS) % (3 * THREADS)] = i;
}
static void freed_too_early(void) {
    mine[ME] = upc_alloc(64);
    for (int i = 0; i < 16; i++) mine[ME][i] = i;
    upc_barrier;
    if (ME == 0) sink += mine[LAST][3];
    if (ME == LAST) upc_free(mine[ME]);
}
static void post_before_write(void) {
    if (ME == 0) { bupc_sem_post(sem); x = 1; }
    if (ME == 1) { bupc_sem_wait(sem); sink += x; }
}
static void signal_before_write(void) {
    if (ME == 0) { upcx_signal(1); x = 1; }
    if (ME == 1) { upcx_wait(0); sink += x; }
}
static void signal_without_answer(void) { /* the writer may be a round ahead */
    for (int round = 0; round < 4; round++) {
        if (ME == 0) { x = round; upcx_signal(1); }
        if (ME == 1) { upcx_wait(0); sink += x; }
    }
}
static void other_pair(void) {
    if (ME == 0) { x = 1; upcx_signal(1); }
    if (ME == 1) upcx_wait(0);
    if (ME == 2) sink += x;
}
static void second_barrier(void) {
    for (int i = 0; i < 3; i++) {
        rows[ME][i] = i;
        upc_barrier;
        sink += rows[NEXT][(i + 1) % 3] > 0;
    }
}
static void strict_too_late(void) {
    if (ME == 0) { flag = 1; x = 1; }
    if (ME == 1) { while (!flag) ; sink += x; }
}
static void row_overlap(void) { for (int j = 0; j < 5; j++) rows[ME / 2][j] = ME; }
static void cyclic_overlap(void) { cyclic[ME] = 1; cyclic[(ME + 2) % (2 * THREADS)] = 2; }
static void third_reader(void) { /* readers fill the cell, the writer comes last */
    if (ME > 0) sink += x;
    if (ME == 0) { x = 9; }
}

/* Loops that the checker hears of at once. */
static void write_sweep(void) { for (int i = 0; i < 100; i++) table[i] = ME; }
static void sweep_and_one(void) {
    if (ME == 1) { for (int i = 0; i < 100; i++) sink += (int)table[i]; }
    if (ME == 0) table[99] = 1;
}
static void sweep_of_a_block(void) { for (int i = 0; i < 100; i++) src[100 * (ME / 2) + i] = i; }
static void sweep_of_all(void) { for (int i = 0; i < 2 * THREADS; i++) sink += cyclic[i]++; }
static void every_third(void) {
    if (ME == 0) { for (int i = 0; i < 30; i++) table[3 * i + 1] = i; }
    if (ME == LAST) { for (int i = 29, j = 0; j < 30; j++) sink += (int)table[3 * (i - j) + 1]; }
}
static void sweep_of_members(void) {
    if (ME == 0) { for (int i = 0; i < 20; i++) points[i].y = i; }
    if (ME == 1) { for (int i = 0; i < 20; i++) points[i].y += points[i].x; }
}
static void second_sweep(void) {
    for (int r = 0; r < 3; r++) {
        for (int i = 0; i < 100; i++) src[100 * ME + i] = r;
        upc_barrier;
        for (int i = 0; i < 100; i++) sink += src[100 * NEXT + i];
    }
}
static void some_of_a_sweep(void) {
    for (int i = 0; i < 100; i++) if (i % 7 == 0) table[i] = ME;
}

/* The thread's own accesses to what its transfer reads or writes. */
static int buffer[100];
static void write_under_get(void) {
    upc_handle_t h = upc_memget_nb(buffer, &src[100 * ME], 400);
    src[100 * ME + 99] = 1;
    upc_sync(h);
}
static void read_under_put(void) {
    for (int i = 0; i < 100; i++) sink += dst[100 * ME + i];
    upc_memput_nbi(&dst[100 * ME], buffer, 400);
    for (int i = 0; i < 100; i++) sink += dst[100 * ME + i];
    upc_synci();
}
static void two_puts(void) {
    upc_handle_t h = upc_memput_nb(&dst[100 * NEXT], buffer, 200);
    upc_memput(&dst[100 * NEXT + 49], buffer, 200);
    upc_sync(h);
}
static void after_one_of_two(void) {
    upc_handle_t h[2];
    for (int i = 0; i < 2; i++) h[i] = upc_memput_nb(&dst[100 * ME + 50 * i], buffer, 200);
    upc_sync(h[0]);
    sink += dst[100 * ME] + dst[100 * ME + 50];
    upc_sync(h[1]);
}

/* Data of the calling thread itself, which any thread of the operation may access. */
static void scatter_nosync_in(void) {
    if (ME == 0) for (int i = 0; i < THREADS; i++) src[i] = i;
    upc_all_scatter(dst, src, 4, UPC_IN_NOSYNC | UPC_OUT_ALLSYNC);
}
static void gather_all_nosync_out(void) {
    upc_all_gather_all(dst, src, 4, UPC_IN_ALLSYNC | UPC_OUT_NOSYNC);
    sink += dst[100 * ME];
}
static void prefix_nosync(void) {
    src[100 * ME] = 1;
    upc_all_prefix_reduceI(dst, src, UPC_ADD, 100 * THREADS, 100, NULL, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
}

static const struct test tests[] = {
    {all_write, "data race on `x`"}, {one_writes, "data race on `x`"},
    {neighbour, "data race on `a["}, {no_barrier_after_loop, "data race on `a["},
    {wrong_affinity, "data race on `a["}, {read_before_wait, "data race on `x`"},
    {write_between, "data race on `x`"}, {lock_on_one_side, "data race on `x`"},
    {two_locks, "data race on `x`"}, {increment, "data race on `x`"},
    {after_unlock, "data race on `x`"}, {relaxed_flag, "data race on `x`"},
    {mixed, "make both strict"}, {plain_and_atomic, "make both atomic"},
    {plain_and_relaxed_atomic, "make both atomic"}, {plain_and_builtin, "make both atomic"},
    {memput, "(upc_memput)"}, {memget, "(upc_memget)"},
    {memcpy_twice, "data race on `dst[0]`"}, {memset_and_read, "(upc_memset)"},
    {large_ranges, "data race on `large["}, {handle_open, "(upc_memput_nb)"},
    {implicit_open, "(upc_memget_nbi)"}, {broadcast_mysync, "(upc_all_broadcast)"},
    {broadcast_nosync_out, "(upc_all_broadcast)"}, {reduce_nosync_in, "(upc_all_reduceI)"},
    {exchange_written, "(upc_all_exchange)"}, {pointer_published, "data race on `where`"},
    {members, "data race on `pairs[0]` + 4 bytes"}, {one_byte, "data race on `bytes[7]`"},
    {halo, "data race on `a["}, {freed_too_early, "(upc_free)"},
    {post_before_write, "data race on `x`"}, {signal_before_write, "data race on `x`"},
    {other_pair, "data race on `x`"}, {second_barrier, "data race on `rows["},
    {strict_too_late, "data race on `x`"}, {row_overlap, "data race on `rows["},
    {cyclic_overlap, "data race on `cyclic["}, {third_reader, "data race on `x`"},
    {write_sweep, "data race on `table[0]`"}, {sweep_and_one, "data race on `table[99]`"},
    {sweep_of_a_block, "data race on `src["}, {sweep_of_all, "data race on `cyclic["},
    {every_third, "data race on `table["}, {sweep_of_members, "data race on `points[0]` + 4 bytes"},
    {second_sweep, "data race on `src["}, {some_of_a_sweep, "data race on `table["},
    {write_under_get, "wait for the transfer"}, {read_under_put, "wait for the transfer"},
    {two_puts, "wait for the transfer"}, {after_one_of_two, "wait for the transfer"},
    {scatter_nosync_in, "UPC_IN_NOSYNC lets"}, {gather_all_nosync_out, "UPC_OUT_NOSYNC lets"},
    {prefix_nosync, "UPC_IN_NOSYNC lets"},
    {bits_of_one_word, "data race on `bits[0]` + 4 bytes"}, {bits_read, "data race on `bits["},
    {signal_without_answer, "data race on `x`"},
};

int main(int argc, char **argv) {
    lock = upc_all_lock_alloc();
    other = upc_all_lock_alloc();
    domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0);
    if (ME == 0) sem = bupc_sem_alloc(0);
    upc_barrier;
    return run_case(tests, sizeof tests / sizeof *tests, argc, argv);
}
