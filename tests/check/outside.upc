// SPDX-License-Identifier: BSD-3-Clause
// Programs that access what is no object, or use locks and transfers carelessly; tests/cli/check.toml
// runs them.
#include "cases.h"
#include <string.h>

shared int x;
shared [3] int a[3 * THREADS];
shared [] int local[7];
shared [4] int matrix[THREADS][4];
shared [16] int full[16 * THREADS], following[16 * THREADS]; /* whole lines */
shared [] int table[20];
shared [] int *mine;
shared [2] int *all;
upc_lock_t *lock, *other;

static void far_away(void) { if (ME == 0) a[1000000L * THREADS] = 1; }
static void just_past(void) { if (ME == 0) a[3 * THREADS] = 1; }
static void before_begin(void) { mine = upc_alloc(40); if (ME == 1) sink += mine[-1]; upc_barrier; upc_free(mine); }
static void past_allocation(void) { mine = upc_alloc(40); if (ME == 0) mine[10] = 1; upc_barrier; upc_free(mine); }
static void past_all(void) { all = upc_all_alloc(THREADS, 8); if (ME == 1) all[2 * THREADS + 1] = 1; }
static void after_free(void) { mine = upc_alloc(40); upc_free(mine); sink += mine[3]; }
static void after_all_free(void) {
    all = upc_all_alloc(THREADS, 8);
    upc_all_free(all);
    upc_barrier;
    if (ME == 0) all[1] = 2;
}
static void memput_past(void) { int buffer[4] = {0}; if (ME == 0) upc_memput(&a[3 * LAST], buffer, 16); }
static void memput_far_past(void) {
    if (ME == 0) { char *buffer = calloc(4, 1 << 20); upc_memput(&x, buffer, 4 << 20); }
}
static void memget_past(void) { int buffer[9]; if (ME == 1) upc_memget(buffer, local, 32); }
static void memget_nb_past(void) { int buffer[9]; if (ME == 1) upc_sync(upc_memget_nb(buffer, local, 36)); }
static void last_row(void) { /* threads have different shares of ten elements */
    shared int *ten = upc_all_alloc(10, sizeof(int));
    if (ME == 0) { ten[9] = 1; ten[THREADS * (10 / THREADS + 1) - 1] = 1; }
}
static void other_threads_local(void) {
    shared [] int *p = local;
    if (ME == 0) { shared int *q = (shared int *)p; q[1] = 3; }
}
static void collective_past(void) { upc_all_broadcast(a, local, 16, 0); }
static void huge_block(void) {
    mine = upc_alloc(1000000);
    if (ME == LAST) ((shared [] char *)mine)[1000000] = 1;
    upc_barrier;
    upc_free(mine);
}
static void next_object(void) { if (ME == 0) full[16 * THREADS] = following[0]; }
static void next_allocation(void) {
    shared [] int *p = upc_alloc(64), *q = upc_alloc(64);
    q[0] = p[16];
}
static void next_global(void) {
    if (ME > 0) return;
    shared [16] int *p = upc_global_alloc(THREADS, 64), *q = upc_global_alloc(THREADS, 64);
    p[16 * THREADS] = q[1];
}
static void neighbour_without_guard(void) { full[16 * ME] = ME; upc_barrier; sink += full[16 * (ME + 1)]; }
static void cast_of_anothers(void) { int *p = (int *)&a[3 * NEXT]; sink += p != NULL; }
static void cast_for_memcpy(void) { memcpy(&sink, (void *)&a[3 * BEFORE], sizeof sink); }
static void held_at_exit(void) { if (ME == 0) { upc_lock(lock); upc_barrier; exit(0); } upc_barrier; exit(0); }
static void freed_while_held(void) { if (ME == 0) { upc_lock(lock); upc_lock_free(lock); } }
static void crosswise(void) {
    for (int t = 0; t < 2; t++) {
        if (ME == t) {
            upc_lock(t ? other : lock); upc_lock(t ? lock : other);
            upc_unlock(lock); upc_unlock(other);
        }
        upc_barrier;
    }
}
static void never_synchronised(void) { static int buffer[3]; if (ME == 0) upc_memget_nb(buffer, a, 12); }
static void never_synci(void) { static int buffer[3]; if (ME == 0) upc_memput_nbi(&a[3], buffer, 12); }

/* Allocated memory that nobody has written. */
static void unwritten_element(void) { mine = upc_alloc(40); mine[3] = 1; sink += mine[5]; }
static void unwritten_of_anothers(void) {
    all = upc_all_alloc(THREADS, 8);
    if (ME > 0) all[2 * ME] = ME;
    upc_barrier;
    sink += all[2 * NEXT];
}
static void unwritten_char(void) { shared [] char *p = upc_alloc(8); p[0] = 1; sink += p[7]; }
static void unwritten_pointer(void) {
    shared [] struct node { shared struct node *next; int n; } *p = upc_alloc(sizeof *p);
    p->n = 1;
    sink += p->next != NULL;
}
static void unwritten_last_of_loop(void) {
    mine = upc_alloc(4000);
    for (int i = 0; i < 999; i++) mine[i] = i;
    for (int i = 0; i < 1000; i++) sink += mine[i];
}
static void unwritten_behind_the_first(void) {
    mine = upc_alloc(40);
    mine[0] = 1;
    for (int i = 0; i < 4; i++) { sink += mine[i]; if (sink == 12345) break; }
}
static void unwritten_memget(void) { int buffer[4]; mine = upc_alloc(16); upc_memget(buffer, mine, 16); sink += buffer[2]; }
static void unwritten_again(void) {
    for (int i = 0; i < 2; i++) {
        mine = upc_alloc(64);
        if (i == 0) mine[4] = 7;
        sink += mine[4];
        upc_free(mine);
    }
}
static void overlapping_copy(void) { if (ME == 0) upc_memcpy(&local[1], &local[0], 20); }
static void lock_as_memory(void) { if (ME == 0) upc_free(lock); }

/* Loops that the checker hears of at once. */
static void sweep_past(void) { if (ME == 0) for (int i = 0; i <= 20; i++) table[i] = i; }
static void sweep_before(void) { if (ME == 1) for (int i = 0; i < 15; i++) table[10 - i] = i; }
static void sweep_of_freed(void) {
    shared [] int *p = upc_alloc(400);
    for (int i = 0; i < 100; i++) p[i] = i;
    upc_free(p);
    for (int i = 0; i < 100; i++) sink += p[i];
}
/* Within the object, but not within its dimension. */
struct record { int key, of[5], last; };
shared struct record records[2 * THREADS];
shared [] int rows[4][5];
shared [20] int planes[THREADS][4][5];
static int five = 5, minus = -1;

static void inner_past(void) { if (ME == 0) matrix[0][five - 1] = 1; }
static void inner_negative(void) { if (ME == 0) sink += matrix[1][minus]; }
static void inner_of_one_thread(void) { if (ME == 1) rows[1][five] = 1; }
static void middle(void) { if (ME == 0) planes[0][five - 1][2]++; }
static void of_a_record(void) { if (ME == 0) records[1].of[five] = 2; }
static void by_a_pointer(void) { shared struct record *p = &records[ME]; if (ME == 0) sink += p->of[five]; }
static void inner_of_a_loop(void) { if (ME == 0) for (int i = 0; i <= 5; i++) rows[0][i] = i; }
static void inner_of_an_own_loop(void) {
    upc_forall (int i = 0; i < THREADS; i++; &planes[i][0][0])
        for (int j = 0; j < 4; j++)
            for (int k = 0; k <= 5 - (j == 3); k++) planes[i][j][k] = j;
}

static void sweep_of_rows(void) { if (ME == LAST) for (int i = 0; i < 17; i++) full[16 * LAST + i] = i; }

/* Private buffers of transfers. */
static int buffer[20];
static void source_changed(void) {
    upc_handle_t h = upc_memput_nb(&full[16 * ME], buffer, 64);
    buffer[15]++;
    upc_sync(h);
}
static void destination_changed(void) {
    upc_memget_nbi(buffer, &full[16 * ME], 64);
    buffer[3] = 1;
    upc_synci();
}
static void source_freed(void) {
    char *large = malloc(16 << 20);
    upc_handle_t h[2] = {upc_memput_nb(&full[16 * ME], large, 64), bupc_memget_async(large + 64, &full[16 * ME], 64)};
    free(large);
    bupc_waitsync_all(h, 2);
}
static void shared_buffer(void) {
    upc_handle_t h = upc_memget_nb(buffer, &full[16 * ME], 64);
    upc_memput(&following[16 * ME], &buffer[10], 40);
    upc_sync(h);
}
static void buffer_too_small(void) {
    int small[4] = {0};
    upc_memput(&full[16 * ME], small, 64);
}
static void rest_too_small(void) { upc_sync(upc_memput_nb(&full[16 * ME], &buffer[5], 64)); }

static const struct test tests[] = {
    {far_away, "bytes past the end of `"}, {just_past, "0 bytes past the end of `a`"},
    {before_begin, "4 bytes before the begin of the 40 bytes allocated at"},
    {past_allocation, "0 bytes past the end of the 40 bytes allocated at"},
    {past_all, "past the end of the"}, {after_free, "which was freed at"},
    {after_all_free, "which was freed at"}, {memput_past, "of which the last 4 are past the end"},
    {memput_far_past, "of which the last 4194300 are past the end"},
    {memget_past, "of which the last 4 are past the end"},
    {memget_nb_past, "of which the last 8 are past the end"}, {last_row, "past the end of the 40 bytes allocated at"},
    {other_threads_local, "`local`, of which thread 1 has no part"},
    {collective_past, "outside any object"}, {huge_block, "0 bytes past the end of the 1000000 bytes"},
    {next_object, "0 bytes past the end of `full` at thread 0"},
    {next_allocation, "0 bytes past the end of the 64 bytes allocated at"},
    {next_global, "past the end of the"},
    {neighbour_without_guard, "0 bytes past the end of `full` at thread 0"},
    {cast_of_anothers, "casts a pointer to `a["}, {cast_for_memcpy, "casts a pointer to `a["},
    {held_at_exit, "ends with a lock held"}, {freed_while_held, "frees a lock that it holds"},
    {crosswise, "two locks are taken in different orders"},
    {never_synchronised, "ends without waiting for the transfer"},
    {never_synci, "call upc_synci"},
    {unwritten_element, "of the 40 bytes allocated at"}, {unwritten_of_anothers, "to which nobody has written"},
    {unwritten_char, "byte 7 at thread"}, {unwritten_pointer, "to which nobody has written"},
    {unwritten_last_of_loop, "byte 3996 at thread"}, {unwritten_behind_the_first, "to which nobody has written"},
    {unwritten_memget, "(upc_memget): thread "}, {unwritten_again, "to which nobody has written"},
    {overlapping_copy, "copies 20 bytes between ranges that overlap in 16 bytes, from `local[1]` on"},
    {lock_as_memory, "thread 0 frees a lock; call upc_lock_free for it"},
    {sweep_past, "0 bytes past the end of `table`"}, {sweep_before, "thread 1 writes 4 bytes outside any object"},
    {sweep_of_freed, "which was freed at"}, {sweep_of_rows, "0 bytes past the end of `full`"},
    {inner_past, "subscript 4 of an array of 4 elements"}, {inner_negative, "subscript -1 of an array of 4"},
    {inner_of_one_thread, "subscript 5 of an array of 5"}, {middle, "subscript 4 of an array of 4"},
    {of_a_record, "subscript 5 of an array of 5"}, {by_a_pointer, "subscript 5 of an array of 5"},
    {inner_of_a_loop, "subscript 5 of an array of 5"}, {inner_of_an_own_loop, "subscript 5 of an array of 5"},
    {source_changed, "has changed the private buffer of the transfer begun at"},
    {destination_changed, "which writes it until it is synchronised"},
    {source_freed, "(bupc_waitsync_all): thread "},
    {shared_buffer, "reads a private buffer that the transfer begun at"},
    {buffer_too_small, "reads 64 bytes of a private buffer that has room for 16"},
    {rest_too_small, "reads 64 bytes of a private buffer that has room for 60"},
};

int main(int argc, char **argv) {
    lock = upc_all_lock_alloc();
    other = upc_all_lock_alloc();
    upc_barrier;
    return run_case(tests, sizeof tests / sizeof *tests, argc, argv);
}
