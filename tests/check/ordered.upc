// SPDX-License-Identifier: BSD-3-Clause
// Programs without a race, of which the checker says nothing; tests/cli/check.toml runs them.
#include "cases.h"
#include <string.h>
#include <bupc_collectivev.h>
#include <upc_castable.h>

shared int x, y;
shared int cyclic[2 * THREADS];
shared [3] int a[3 * THREADS];
shared [5] double rows[THREADS][5];
strict shared int flag, turns[THREADS];
shared struct pair { int first, second; } pairs[THREADS];
shared struct bits { unsigned low : 3, high : 5; int whole; } bits[THREADS];
shared struct parts { int before; unsigned low : 3, high : 12; int : 0; unsigned apart : 4; } parts;
strict shared struct record { int first[2]; short last; } record;
strict shared struct flags { unsigned is_ready : 1, n : 7; } flags;
shared int *shared where;
shared [] int *shared mine[THREADS];
shared char bytes[8 * THREADS];
shared [100] int src[100 * THREADS], dst[100 * THREADS];
shared [] int table[160];
shared [] struct point { int x, y; } points[20];
upc_lock_t *lock, *other;
bupc_sem_t *shared sem;
upc_atomicdomain_t *domain;

static void barriers(void) {
    for (int i = 0; i < 5; i++) {
        a[3 * NEXT] = ME;
        upc_barrier;
        sink += a[3 * ME] + a[3 * BEFORE];
        upc_barrier;
    }
}
static void split_barrier(void) {
    a[3 * ME] = 1;
    upc_notify;
    a[3 * ME + 1] = 2;
    upc_wait;
    sink += a[3 * NEXT];
    upc_barrier;
    sink += a[3 * NEXT + 1];
}
static void named_barriers(void) {
    if (ME == 0) x = 1;
    upc_barrier 3;
    if (ME == LAST) x = 2;
    upc_notify 4;
    upc_wait 4;
    if (ME == 1) x++;
}
static void locks(void) {
    for (int i = 0; i < 20; i++) { upc_lock(lock); x++; upc_unlock(lock); }
}
static void lock_attempts(void) {
    while (!upc_lock_attempt(lock)) bupc_poll();
    x++; y = x;
    upc_unlock(lock);
}
static void nested_locks(void) {
    upc_lock(lock); upc_lock(other); x++; upc_unlock(other); y++; upc_unlock(lock);
}
static void strict_flag(void) {
    if (ME == 0) { x = 5; flag = 1; }
    else { while (!flag) bupc_poll(); sink += x; }
}
static void strict_chain(void) {
    if (ME > 0) while (!turns[ME - 1]) bupc_poll();
    x += ME;
    turns[ME] = 1;
}
static void strict_only(void) { flag = ME; sink += flag; flag++; }
static void strict_by_cast(void) {
    *(strict shared int *)&y = ME;
    sink += *(strict shared int *)&y;
}
static void fetch_and_add(void) {
    int one = 1, old;
    upc_atomic_relaxed(domain, &old, UPC_ADD, &x, &one, NULL);
    upc_barrier;
    sink += x;
}
static void atomic_flag(void) {
    int one = 1, now = 0;
    if (ME == 0) { y = 4; upc_atomic_strict(domain, NULL, UPC_SET, &x, &one, NULL); }
    while (!now) { upc_atomic_strict(domain, &now, UPC_GET, &x, NULL, NULL); bupc_poll(); }
    sink += y;
}
static void relaxed_atomic_flag(void) {
    int one = 1, now = 0;
    if (ME == 0) { y = 4; upc_fence; upc_atomic_relaxed(domain, NULL, UPC_SET, &x, &one, NULL); }
    while (!now) { upc_atomic_relaxed(domain, &now, UPC_GET, &x, NULL, NULL); bupc_poll(); }
    upc_fence;
    sink += y;
}
static void builtin_lock(void) {
    while (__sync_lock_test_and_set(&y, 1)) bupc_poll();
    x++;
    __sync_lock_release(&y);
}
static void builtin_on_view(void) { /* of C, on the thread's own part */
    cyclic[NEXT + THREADS] = ME;
    __atomic_store_n((int *)&cyclic[ME], 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&cyclic[BEFORE], __ATOMIC_ACQUIRE)) bupc_poll();
    sink += cyclic[ME + THREADS];
}
static void old_atomics(void) {
    bupc_atomicI_fetchadd_relaxed(&x, 1);
    while (bupc_atomicI_read_strict(&x) < THREADS) bupc_poll();
    upc_barrier;
    sink += x;
}
static void semaphores(void) {
    if (ME == 0) { x = 1; bupc_sem_postN(sem, LAST); }
    else { bupc_sem_wait(sem); sink += x; }
}
static void put_and_signal(void) {
    int buffer[3] = {1, 2, 3};
    if (ME == 0) bupc_memput_signal(&a[3], buffer, sizeof buffer, sem, 1);
    if (ME == 1) { while (!bupc_sem_try(sem)) bupc_poll(); sink += a[3] + a[5]; }
}
static void signals(void) {
    a[3 * ME] = ME;
    upcx_signal(NEXT);
    upcx_wait(BEFORE);
    sink += a[3 * BEFORE];
}
static void signal_sets(void) {
    int sides[2] = {BEFORE, NEXT};
    a[3 * ME] = ME;
    upcx_sync(sides, 2);
    sink += a[3 * BEFORE] + a[3 * NEXT];
}
static void signal_and_answer(void) {
    for (int round = 0; round < 20; round++) {
        if (ME == 0) { x = round; upcx_signal(1); upcx_wait(1); }
        if (ME == 1) { upcx_wait(0); sink += x; upcx_signal(0); }
    }
}
static void signals_in_advance(void) {
    if (ME == 0) for (int i = 0; i < 20; i++) { table[i] = i; upcx_signal(1); }
    if (ME == 1) for (int i = 0; i < 20; i++) { upcx_wait(0); sink += table[i]; }
}
static void any_signal(void) {
    if (ME > 0) { a[3 * ME] = 1; upcx_signal(0); return; }
    int threads[THREADS];
    for (int t = 1; t < THREADS; t++) threads[t - 1] = t;
    for (int n = 1; n < THREADS; n++) sink += a[3 * upcx_wait_any(threads, LAST)];
}
static void transfers(void) {
    int buffer[3] = {ME};
    upc_memput(&a[3 * NEXT], buffer, sizeof buffer);
    upc_barrier;
    upc_memget(buffer, &a[3 * ME], sizeof buffer);
    upc_memcpy(&dst[100 * ME], &src[100 * NEXT], 400);
    upc_barrier;
    upc_memset(&dst[100 * NEXT], 0, 400);
}
static void handles(void) {
    static int buffer[100];
    upc_handle_t h = upc_memput_nb(&dst[100 * NEXT], buffer, sizeof buffer);
    upc_sync(h);
    upc_barrier;
    h = upc_memget_nb(buffer, &dst[100 * ME], sizeof buffer);
    while (!upc_sync_attempt(h)) bupc_poll();
    upc_memget_nbi(buffer, &src[100 * NEXT], 40);
    upc_synci();
    upc_barrier;
    src[100 * ME] = 1;
    bupc_handle_t all[2] = {bupc_memset_async(&src[100 * ME], 1, 8), bupc_memget_async(buffer, &src[100 * ME + 2], 8)};
    bupc_waitsync_all(all, 2);
}
static void collectives(void) {
    upc_flag_t both = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC;
    src[100 * NEXT] = ME;
    upc_all_broadcast(dst, src, 40, both);
    sink += dst[100 * NEXT];
    upc_all_exchange(dst, src, 4, both);
    sink += dst[100 * NEXT];
    upc_all_reduceI(&x, src, UPC_ADD, 100 * THREADS, 100, NULL, both);
    sink += x;
    upc_all_prefix_reduceI(dst, src, UPC_ADD, 100 * THREADS, 100, NULL, 0);
    sink += dst[100 * THREADS - 1];
}
static void mysync(void) {
    src[100 * ME] = ME;
    upc_all_gather_all(dst, src, 4, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    sink += dst[100 * ME + LAST];
    dst[100 * ME] = 0;
}
static void values(void) {
    int sum = bupc_allv_reduce_all(int, ME, UPC_ADD);
    a[3 * ME] = sum;
}
static void published(void) {
    if (ME == 0) where = (shared int *)upc_global_alloc(THREADS, sizeof(int));
    upc_barrier;
    where[ME] = ME;
    upc_barrier;
    sink += where[NEXT];
    upc_barrier;
    if (ME == LAST) upc_free(where);
}
static void reused(void) { /* the allocator hands memory on without ordering its users */
    for (int i = 0; i < 50; i++) {
        mine[ME] = upc_alloc(40);
        for (int k = 0; k < 10; k++) mine[ME][k] = k;
        upc_lock(lock); x++; upc_unlock(lock);
        upc_free(mine[ME]);
    }
    shared [10] int *all = upc_all_alloc(THREADS, 40);
    for (int k = 0; k < 10; k++) all[10 * ME + k] = k;
    upc_all_free(all);
}
static void members(void) {
    pairs[ME].first = 1;
    pairs[NEXT].second = 2;
    upc_barrier;
    struct pair copy = pairs[BEFORE];
    sink += copy.first;
}
static void neighbouring_bytes(void) {
    for (int i = 0; i < 8; i++) bytes[i * THREADS + ME] = i;
    upc_barrier;
    if (ME < 2) ((shared [] char *)&bytes[0])[ME] = ME;
}
static void bit_fields(void) {
    bits[ME].low = 1;
    bits[NEXT].whole = 3;
    upc_barrier;
    sink += bits[NEXT].high + bits[NEXT].low;
}
static void bits_of_several_words(void) {
    if (ME == 0) parts.low = 1;
    if (ME == 1) parts.apart = 2;
    if (ME == LAST) parts.before = 3;
    upc_barrier;
    sink += parts.low + parts.high * parts.apart;
}
static void strict_bit_field(void) {
    if (ME == 0) {
        x = 1;
        flags.is_ready = 1;
    } else {
        while (!flags.is_ready) continue;
        sink += x;
    }
}
static void strict_record(void) {
    if (ME == 0) {
        x = 1;
        record = (struct record){{1, 2}, 3};
    } else {
        while (record.last != 3) continue;
        sink += x;
    }
}
static void strict_bits_counted(void) {
    if (ME == 0) {
        y = 1;
        flags.n++;
    } else {
        while (flags.n == 0) continue;
        sink += y;
    }
}
static void forall(void) {
    upc_forall (int i = 0; i < 3 * THREADS; i++; &a[i]) a[i] = i;
    upc_barrier;
    upc_forall (int i = 0; i < 2 * THREADS; i++; i) cyclic[i] = a[(i + 3) % (3 * THREADS)];
    upc_barrier;
    for (int r = 0; r < 3; r++) {
        upc_forall (int i = 0; i < THREADS; i++; &rows[i][0])
            for (int j = 0; j < 5; j++) rows[i][j] = r + j;
        upc_barrier;
        sink += rows[NEXT][4] > 0;
        upc_barrier;
    }
}
static void only_reads(void) {
    for (int i = 0; i < 3 * THREADS; i++) sink += a[i] + src[i];
}
static void casts(void) { /* of the thread's own part, of null, and what upc_cast allows */
    int *own = (int *)&a[3 * ME], *none = (int *)(shared int *)NULL;
    own[2] = none == NULL;
    upc_barrier;
    int *next = upc_cast(&a[3 * NEXT]);
    sink += next != NULL && next[2];
}
static void pipeline(void) {
    for (int round = 1; round <= 4; round++) {
        if (ME > 0) while (turns[ME - 1] < round) bupc_poll();
        cyclic[ME] = ME > 0 ? cyclic[ME - 1] + 1 : round;
        turns[ME] = round;
        upc_barrier;
    }
}
static void file(void) {
    shared [3] int *all = upc_all_alloc(THREADS, 12);
    for (int i = 0; i < 3; i++) all[3 * ME + i] = i;
    upc_all_free(all);
}

/* Allocated memory that is written in ways which the checker does not see, or only in part. */
static void written_by_c(void) {
    shared [] int *own = upc_alloc(400);
    memset((int *)own, 0, 400);
    for (int i = 0; i < 100; i++) sink += own[i];
    upc_free(own);
}
static void written_and_read_in_a_loop(void) {
    shared [] int *own = upc_alloc(400);
    for (int i = 0; i < 100; i++) { own[i] = i; sink += own[i]; }
    for (int i = 1; i < 100; i++) own[i] += own[i - 1];
    upc_free(own);
}
static void written_by_another(void) {
    shared [2] int *all = upc_all_alloc(THREADS, 8);
    if (ME == 0) for (int i = 0; i < 2 * THREADS; i++) all[i] = i;
    upc_barrier;
    sink += all[2 * ME + 1];
    upc_all_free(all);
}
static void written_by_transfers(void) {
    int buffer[4] = {1, 2, 3, 4};
    shared [] int *own = upc_alloc(48);
    upc_memput(own, buffer, 16);
    upc_memset(own + 4, 0, 16);
    upc_memcpy(own + 8, own, 16);
    for (int i = 0; i < 12; i++) sink += own[i];
    upc_free(own);
}
static void padding(void) {
    struct padded { double d; int n; char c; } copy;
    shared [] struct padded *own = upc_alloc(4 * sizeof *own);
    for (int i = 0; i < 4; i++) { own[i].d = i; own[i].n = i; }
    for (int i = 0; i < 4; i++) { copy = own[i]; sink += copy.n; }
    upc_memget(&copy, &own[2], sizeof copy);
    upc_free(own);
}
static void buffer_filled_in_part(void) {
    char private_copy[4096];
    shared [] char *own = upc_alloc(4096);
    upc_memput(own, "text", 5);
    upc_memget(private_copy, own, 4096);
    sink += private_copy[1];
    upc_free(own);
}

/* Loops that the checker hears of at once. */
static void sweeps(void) {
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 100; i++) src[100 * ME + i] = i + round;
        upc_barrier;
        for (int i = 1; i < 99; i++) dst[100 * ME + i] = src[100 * NEXT + i - 1] + src[100 * NEXT + i + 1];
        upc_barrier;
    }
}
static void members_and_elements(void) {
    if (ME == 0) { for (int i = 0; i < 20; i++) points[i].x = i; }
    if (ME == 1) { for (int i = 0; i < 20; i++) points[i].y = i; }
    for (int i = 0; i < 20; i++) table[THREADS * i + ME] = i;
    for (int i = ME; i < 20 * THREADS; i += THREADS) table[i] += i;
}
static void some_iterations(void) {
    for (int i = 0; i < 20 * THREADS; i++) {
        if (i % THREADS == ME) table[i] = i;
        sink += i / 20 == ME && points[i % 20].x > 0;
        if (i < 1) continue;
    }
    for (int i = 0; i < 1000 * THREADS; i++) if (i < 20 && ME == 0) points[i].y = i;
    for (int i = 100 * THREADS; i < 7; i++) table[i] = ME;
}
static void in_turns(void) {
    for (int turn = 0; turn < 3 * THREADS; turn++) {
        if (turn % THREADS == ME) { for (int i = 0; i < 20 * THREADS; i++) table[i] += 1; }
        upc_barrier;
        for (int i = 0; i < 20 * THREADS; i++) sink += table[i] == turn + 1;
        upc_barrier;
    }
}
static void swept_and_freed(void) {
    for (int round = 0; round < 3; round++) {
        shared [] int *own = upc_alloc(400);
        for (int i = 0; i < 100; i++) own[i] = i;
        upc_free(own);
    }
}

/* Places behind the last element are no accesses, arrays at the end of a record may be longer, and
 * pointers to elements go where they are told. */
static shared [] int square[4][5];
static void behind_the_last(void) {
    shared [] struct text { int n; char bytes[1]; } *own = upc_alloc(sizeof *own + 20);
    int n = 4 + (ME > 0) - (ME > 0);
    for (int i = 0; i < 20; i++) own->bytes[i] = i;
    if (ME == 0) {
        for (shared [] int *p = square[0]; p < &square[n - 1][n + 1]; p++) *p = 1;
        for (int i = 0; i < 20; i++) sink += (&square[0][0])[i];
        sink += square[n - 1][n] + (&square[n][0] - &square[0][0]);
    }
    upc_free(own);
}

/* Transfers under way beside what they allow, and one after the other. */
static void beside_transfers(void) {
    static int out[20], in[20];
    for (int round = 0; round < 5; round++) {
        upc_handle_t h[4];
        for (int i = 0; i < 10; i++) src[100 * ME + i] = out[i] = round;
        upc_barrier;
        h[0] = upc_memput_nb(&dst[100 * NEXT], out, 40);
        h[1] = upc_memput_nb(&dst[100 * NEXT + 10], out, 40);
        h[2] = upc_memget_nb(in, &src[100 * NEXT], 40);
        h[3] = bupc_memget_async(in + 10, &src[100 * NEXT], 40);
        sink += out[3] + src[100 * NEXT + 5];
        dst[100 * NEXT + 20] = round;
        upc_sync(h[0]);
        dst[100 * NEXT] = 7;
        bupc_waitsync_all(h + 1, 3);
        in[3] = 5;
        out[2] = dst[100 * NEXT + 19];
        upc_memput_nbi(&dst[100 * NEXT], out, 80);
        upc_synci();
        upc_barrier;
    }
}
static void nosync_between_barriers(void) {
    for (int round = 0; round < 3; round++) {
        src[100 * ME] = ME;
        upc_barrier;
        upc_all_gather_all(dst, src, 4, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
        upc_all_broadcast(&dst[50], src, 4, UPC_IN_MYSYNC | UPC_OUT_NOSYNC);
        upc_barrier;
        sink += dst[100 * ME];
        upc_all_exchange(dst, src, 4, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
        upc_all_reduceI(&dst[1], src, UPC_ADD, 100 * THREADS, 100, NULL, UPC_IN_NOSYNC | UPC_OUT_ALLSYNC);
        sink += dst[1];
    }
}

static const struct test tests[] = {
    {barriers}, {split_barrier}, {named_barriers}, {locks}, {lock_attempts}, {nested_locks},
    {strict_flag}, {strict_chain}, {strict_only}, {strict_by_cast}, {fetch_and_add}, {atomic_flag},
    {relaxed_atomic_flag}, {builtin_lock}, {builtin_on_view}, {old_atomics}, {semaphores},
    {put_and_signal}, {signals}, {signal_sets}, {signal_and_answer},
    {signals_in_advance}, {any_signal}, {transfers}, {handles}, {collectives},
    {mysync}, {values}, {published}, {reused}, {members}, {neighbouring_bytes}, {bit_fields},
    {bits_of_several_words}, {strict_bit_field}, {strict_record}, {strict_bits_counted},
    {forall}, {only_reads}, {casts}, {pipeline}, {file}, {written_by_c},
    {written_and_read_in_a_loop}, {written_by_another}, {written_by_transfers}, {padding},
    {buffer_filled_in_part},
    {sweeps}, {members_and_elements}, {some_iterations}, {in_turns}, {swept_and_freed},
    {behind_the_last}, {beside_transfers}, {nosync_between_barriers},
};

int main(int argc, char **argv) {
    lock = upc_all_lock_alloc();
    other = upc_all_lock_alloc();
    domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD | UPC_SET | UPC_GET, 0);
    if (ME == 0) sem = bupc_sem_alloc(0);
    upc_barrier;
    return run_case(tests, sizeof tests / sizeof *tests, argc, argv);
}
