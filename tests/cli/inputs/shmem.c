/* SPDX-License-Identifier: BSD-3-Clause */
/* Every group of OpenSHMEM's functions, for all types that it has them for, on any number of PEs. */
#include <shmem.h>

#include <stdio.h>
#include <stdlib.h>

#if SHMEM_CMP_EQ == SHMEM_CMP_NE || SHMEM_THREAD_SINGLE >= SHMEM_THREAD_MULTIPLE ||                \
    SHMEM_SIGNAL_SET == SHMEM_SIGNAL_ADD || !SHMEM_CTX_PRIVATE || !SHMEM_TEAM_NUM_CONTEXTS ||       \
    !SHMEM_MALLOC_ATOMICS_REMOTE
#error "the preprocessor knows the constants"
#endif

static int me, n, next, prev;
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("PE %d of %d, line %d: not so: %s\n", me, n, __LINE__, #condition);             \
            fflush(stdout);                                                                        \
            shmem_global_exit(1);                                                                  \
        }                                                                                          \
    } while (0)

/* ---- put, get and collective operations of each type ---- */

#define TYPED(NAME, T)                                                                             \
    static void test_##NAME(void) {                                                                \
        static T ours[8], theirs[8];                                                               \
        T *heap = shmem_malloc((size_t)(8 * n) * sizeof(T));                                       \
        for (int i = 0; i < 8; i++) {                                                              \
            ours[i] = (T)(me + i);                                                                 \
        }                                                                                          \
        shmem_barrier_all();                                                                       \
        shmem_##NAME##_p(&theirs[0], (T)(me + 1), next);                                           \
        shmem_##NAME##_put(&theirs[1], &ours[1], 3, next);                                         \
        shmem_##NAME##_put_nbi(&theirs[4], &ours[4], 2, next);                                     \
        shmem_##NAME##_iput(&theirs[6], &ours[5], 1, 2, 2, next);                                  \
        shmem_barrier_all();                                                                       \
        CHECK(theirs[0] == (T)(prev + 1) && theirs[3] == (T)(prev + 3));                           \
        CHECK(theirs[5] == (T)(prev + 5) && theirs[7] == (T)(prev + 7));                           \
        T got[6];                                                                                  \
        CHECK(shmem_##NAME##_g(&ours[2], prev) == (T)(prev + 2));                                  \
        shmem_##NAME##_get(got, &ours[1], 2, next);                                                \
        shmem_##NAME##_get_nbi(got + 2, &ours[3], 2, next);                                        \
        shmem_##NAME##_iget(got + 4, &ours[4], 1, 3, 2, next);                                     \
        shmem_quiet();                                                                             \
        CHECK(got[0] == (T)(next + 1) && got[3] == (T)(next + 4) && got[5] == (T)(next + 7));      \
        static uint64_t signal;                                                                    \
        signal = 0;                                                                                \
        shmem_barrier_all();                                                                       \
        shmem_##NAME##_put_signal(heap, ours, 4, &signal, 5, SHMEM_SIGNAL_ADD, next);              \
        CHECK(shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 5) == 5);                             \
        CHECK(heap[3] == (T)(prev + 3));                                                           \
        shmem_barrier_all();                                                                       \
        CHECK(shmem_##NAME##_fcollect(SHMEM_TEAM_WORLD, heap, ours, 2) == 0);                      \
        CHECK(heap[2 * prev] == (T)prev && heap[2 * next + 1] == (T)(next + 1));                   \
        shmem_##NAME##_broadcast(SHMEM_TEAM_WORLD, theirs, ours, 8, n - 1);                        \
        CHECK(theirs[0] == (T)(n - 1) && theirs[7] == (T)(n + 6));                                 \
        shmem_##NAME##_alltoall(SHMEM_TEAM_WORLD, heap + 4 * n, heap, 2);                          \
        CHECK(heap[4 * n + 2 * prev] == (T)me && heap[4 * n + 2 * prev + 1] == (T)(me + 1));       \
        shmem_sync_all();                                                                          \
        shmem_##NAME##_alltoalls(SHMEM_TEAM_WORLD, heap + 4 * n, heap, 2, 1, 2);                   \
        CHECK(heap[4 * n + 4 * prev] == (T)me && heap[4 * n + 4 * prev + 2] == (T)(me + 1));       \
        shmem_sync_all();                                                                          \
        shmem_##NAME##_collect(SHMEM_TEAM_WORLD, heap, ours, 1 + (size_t)me % 2);                  \
        for (int i = 0, at = 0; i < n; i++) {                                                      \
            CHECK(heap[at] == (T)i);                                                               \
            at += 1 + i % 2;                                                                       \
        }                                                                                          \
        shmem_##NAME##_max_reduce(SHMEM_TEAM_WORLD, theirs, ours, 2);                              \
        CHECK(theirs[1] == (T)n);                                                                  \
        shmem_##NAME##_min_reduce(SHMEM_TEAM_WORLD, theirs, ours, 2);                              \
        CHECK(theirs[0] == 0 && theirs[1] == 1);                                                   \
        shmem_##NAME##_sum_reduce(SHMEM_TEAM_WORLD, ours, ours, 1);                                \
        CHECK(ours[0] == (T)(n * (n - 1) / 2));                                                    \
        theirs[0] = (T)(me == 0 ? 3 : 1);                                                          \
        shmem_##NAME##_prod_reduce(SHMEM_TEAM_WORLD, ours, theirs, 1);                             \
        CHECK(ours[0] == 3);                                                                       \
        shmem_free(heap);                                                                          \
    }
FURLONG_SHMEM_RMA(TYPED)

#define ATOMIC(NAME, T)                                                                            \
    static void atomic_##NAME(void) {                                                              \
        static T word;                                                                             \
        word = 0;                                                                                  \
        shmem_barrier_all();                                                                       \
        shmem_##NAME##_atomic_add(&word, 2, next);                                                 \
        shmem_##NAME##_atomic_inc(&word, next);                                                    \
        (void)shmem_##NAME##_atomic_fetch_add(&word, (T)-1, 0);                                    \
        (void)shmem_##NAME##_atomic_fetch_inc(&word, 0);                                           \
        shmem_barrier_all();                                                                       \
        CHECK(shmem_##NAME##_atomic_fetch(&word, prev) == 3);                                      \
        shmem_barrier_all();                                                                       \
        CHECK(shmem_##NAME##_atomic_compare_swap(&word, 4, 9, me) == 3);                           \
        CHECK(shmem_##NAME##_atomic_compare_swap(&word, 3, (T)-2, me) == 3);                       \
        shmem_barrier_all();                                                                       \
        CHECK(shmem_##NAME##_atomic_swap(&word, 7, next) == (T)-2);                                \
        T fetched;                                                                                 \
        shmem_barrier_all();                                                                       \
        shmem_##NAME##_atomic_fetch_nbi(&fetched, &word, next);                                    \
        shmem_quiet();                                                                             \
        CHECK(fetched == 7);                                                                       \
        shmem_barrier_all();                                                                       \
        shmem_##NAME##_atomic_set(&word, 5, prev);                                                 \
        shmem_##NAME##_wait_until(&word, SHMEM_CMP_EQ, 5);                                         \
        CHECK(shmem_##NAME##_test(&word, SHMEM_CMP_LE, 5));                                        \
        CHECK(!shmem_##NAME##_test(&word, SHMEM_CMP_LT, 5));                                       \
        word = (T)-1;                                                                              \
        CHECK(shmem_##NAME##_test(&word, SHMEM_CMP_GT, 0) == ((T)-1 > (T)0));                      \
        shmem_barrier_all();                                                                       \
    }
FURLONG_SHMEM_ATOMIC(ATOMIC)

#define BITS(NAME, T)                                                                              \
    static void bits_##NAME(void) {                                                                \
        static T word;                                                                             \
        word = 0;                                                                                  \
        shmem_barrier_all();                                                                       \
        shmem_##NAME##_atomic_or(&word, (T)1 << me % 16, 0);                                       \
        shmem_barrier_all();                                                                       \
        T all = n < 16 ? ((T)1 << n) - 1 : 0xffff;                                                 \
        CHECK(shmem_##NAME##_atomic_fetch(&word, 0) == all);                                       \
        shmem_barrier_all();                                                                       \
        (void)shmem_##NAME##_atomic_fetch_and(&word, ~((T)1 << me % 16), 0);                       \
        shmem_barrier_all();                                                                       \
        CHECK(shmem_##NAME##_atomic_fetch_xor(&word, 0, 0) == 0);                                  \
        static T ones, result;                                                                     \
        ones = (T)1 << me % 16;                                                                    \
        shmem_##NAME##_or_reduce(SHMEM_TEAM_WORLD, &result, &ones, 1);                             \
        CHECK(result == all);                                                                      \
        shmem_##NAME##_and_reduce(SHMEM_TEAM_WORLD, &result, &ones, 1);                            \
        CHECK(result == (n > 1 ? 0 : 1));                                                          \
    }
#define UNSIGNED_BITS(X)                                                                           \
    X(uint, unsigned int) X(ulong, unsigned long) X(ulonglong, unsigned long long)                 \
    X(uint32, uint32_t) X(uint64, uint64_t)
UNSIGNED_BITS(BITS)

static void test_floating(void) {
    static float f;
    static double d;
    f = 1;
    d = 1;
    shmem_barrier_all();
    CHECK(shmem_float_atomic_swap(&f, 2.5f, next) == 1);
    shmem_double_atomic_set(&d, -0.5, next);
    shmem_barrier_all();
    CHECK(f == 2.5f && shmem_double_atomic_fetch(&d, prev) == -0.5);
    static double _Complex z;
    z = 2;
    shmem_complexd_prod_reduce(SHMEM_TEAM_WORLD, &z, &z, 1);
    CHECK((double)z == (double)(1 << n));
}

/* ---- waiting for several ---- */

static void test_waits(void) {
    static long words[16], values[16];
    static int status[16];
    size_t indices[16];
    for (int i = 0; i < 16; i++) {
        words[i] = 0;
        values[i] = i + 1;
        status[i] = i == 3;
    }
    shmem_barrier_all();
    CHECK(shmem_long_test_any(words, 16, status, SHMEM_CMP_NE, 0) == SIZE_MAX);
    CHECK(shmem_long_test_some(words, 16, indices, NULL, SHMEM_CMP_NE, 0) == 0);
    CHECK(!shmem_long_test_all(words, 16, status, SHMEM_CMP_NE, 0));
    shmem_barrier_all();
    for (long i = 0; i < 16; i++) {
        shmem_long_p(&words[i], i + 1, next);
    }
    size_t one = shmem_long_wait_until_any(words, 16, status, SHMEM_CMP_GT, 0);
    CHECK(one < 16 && one != 3 && words[one] == (long)one + 1);
    CHECK(shmem_long_wait_until_some(words, 16, indices, status, SHMEM_CMP_GE, 1) >= 1);
    shmem_long_wait_until_all(words, 16, NULL, SHMEM_CMP_NE, 0);
    shmem_long_wait_until_all_vector(words, 16, NULL, SHMEM_CMP_EQ, values);
    CHECK(shmem_long_test_some_vector(words, 16, indices, status, SHMEM_CMP_EQ, values) == 15);
    CHECK(indices[3] == 4);
    CHECK(shmem_long_test_all(words, 16, NULL, SHMEM_CMP_GE, 1));
    CHECK(shmem_long_test_all_vector(words, 16, status, SHMEM_CMP_EQ, values));
    CHECK(shmem_long_test_any_vector(words, 16, NULL, SHMEM_CMP_NE, values) == SIZE_MAX);
    values[5] = 0;
    CHECK(!shmem_long_test_all_vector(words, 16, NULL, SHMEM_CMP_EQ, values));
    CHECK(shmem_long_test_any_vector(words, 16, status, SHMEM_CMP_NE, values) == 5);
    CHECK(shmem_long_wait_until_any_vector(words, 16, status, SHMEM_CMP_NE, values) == 5);
    CHECK(shmem_long_wait_until_some_vector(words, 16, indices, NULL, SHMEM_CMP_NE, values) == 1);
    CHECK(indices[0] == 5 && status[5] == 0 && status[3] == 1);
    shmem_barrier_all();
}

/* Nothing to wait for: no variables, or all excluded. */
static void test_empty_waits(void) {
    static long words[4];
    static int all[4] = {1, -1, 2, 1};
    long values[4] = {1, 1, 1, 1};
    size_t indices[4] = {9, 9, 9, 9};
    for (size_t n_words = 0; n_words <= 4; n_words += 4) {
        shmem_long_wait_until_all(words, n_words, all, SHMEM_CMP_EQ, 1);
        shmem_long_wait_until_all_vector(words, n_words, all, SHMEM_CMP_EQ, values);
        CHECK(shmem_long_wait_until_any(words, n_words, all, SHMEM_CMP_EQ, 1) == SIZE_MAX);
        CHECK(shmem_long_wait_until_any_vector(words, n_words, all, SHMEM_CMP_EQ, values) ==
              SIZE_MAX);
        CHECK(shmem_long_wait_until_some(words, n_words, indices, all, SHMEM_CMP_EQ, 1) == 0);
        CHECK(shmem_long_wait_until_some_vector(words, n_words, indices, all, SHMEM_CMP_EQ,
                                                values) == 0);
        CHECK(shmem_long_test_all(words, n_words, all, SHMEM_CMP_EQ, 1) == 1);
        CHECK(shmem_long_test_all_vector(words, n_words, all, SHMEM_CMP_EQ, values) == 1);
        CHECK(shmem_long_test_any(words, n_words, all, SHMEM_CMP_EQ, 0) == SIZE_MAX);
        CHECK(shmem_long_test_some(words, n_words, indices, all, SHMEM_CMP_EQ, 0) == 0);
    }
    CHECK(indices[0] == 9 && all[1] == -1);
    CHECK(shmem_long_wait_until_any(NULL, 0, NULL, SHMEM_CMP_EQ, 0) == SIZE_MAX);
    shmem_barrier_all();
}

/* All have held once, though never at one time, nor soon after each other. */
static void test_values_that_pass(void) {
    static long words[2], turn;
    words[0] = 1;
    words[1] = 0;
    turn = 0;
    shmem_barrier_all();
    if (n > 1 && me == 1) {
        static const struct {
            int word;
            long value;
        } steps[] = {{0, 0}, {1, 1}, {1, 0}, {0, 1}};
        for (int i = 0; !shmem_long_atomic_fetch(&turn, 0); i++) {
            shmem_long_atomic_set(&words[steps[i % 4].word], steps[i % 4].value, 0);
            for (int looks = 0; looks < 500 && !shmem_long_atomic_fetch(&turn, 0); looks++) {
            }
        }
    } else if (n > 1 && me == 0) {
        shmem_long_wait_until_all(words, 2, NULL, SHMEM_CMP_EQ, 1);
        shmem_long_atomic_set(&turn, 1, 0);
    }
    shmem_barrier_all();
}

/* ---- teams, contexts, active sets, locks ---- */

static void test_teams(void) {
    static int word;
    shmem_team_t odd, row, column;
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n + 1, NULL, 0, &odd) != 0);
    CHECK(odd == SHMEM_TEAM_INVALID);
    if (n > 1) {
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 2, n / 2, NULL, 0, &odd);
        CHECK((odd != SHMEM_TEAM_INVALID) == (me % 2 == 1));
        if (me % 2 == 1) {
            int size = shmem_team_n_pes(odd), place = shmem_team_my_pe(odd);
            CHECK(size == n / 2 && place == me / 2);
            CHECK(shmem_team_translate_pe(odd, size - 1, SHMEM_TEAM_WORLD) == 2 * size - 1);
            CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, 0, odd) == -1);
            shmem_ctx_t ctx;
            CHECK(shmem_team_create_ctx(odd, SHMEM_CTX_SERIALIZED, &ctx) == 0);
            shmem_ctx_int_p(ctx, &word, me, (place + 1) % size);
            shmem_ctx_quiet(ctx);
            shmem_team_sync(odd);
            CHECK(word == shmem_team_translate_pe(odd, (place + size - 1) % size, SHMEM_TEAM_WORLD));
            shmem_ctx_destroy(ctx);
            shmem_team_destroy(odd);
        }
    }
    shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &row, NULL, 0, &column);
    CHECK(shmem_team_my_pe(row) == me % 2 && shmem_team_my_pe(column) == me / 2);
    int sum;
    shmem_int_sum_reduce(row, &sum, &me, 1);
    CHECK(sum == (me / 2 * 2 + 1 < n ? me / 2 * 4 + 1 : me));
    shmem_team_destroy(row);
    shmem_team_destroy(column);
    CHECK(shmem_team_n_pes(SHMEM_TEAM_SHARED) >= 1);
    CHECK(shmem_ptr(&word, me) != NULL);
    CHECK(shmem_ptr(&word, n) == NULL && shmem_ptr(&word, -1) == NULL);
    CHECK(shmem_ptr(&sum, me) == NULL); /* of this PE alone */
    shmem_barrier_all();
}

static void test_active_sets(void) {
    static long work[SHMEM_SYNC_SIZE], source[4], dest[64];
    int size = (n + 1) / 2; /* the even ones */
    if (me % 2 == 0) {
        for (int round = 0; round < 20; round++) {
            source[0] = me + round;
            shmem_long_sum_to_all(dest, source, 1, 0, 1, size, NULL, work);
            CHECK(dest[0] == (long)size * (size - 1) + (long)size * round);
            shmem_broadcast64(&dest[1], source, 1, size - 1, 0, 1, size, work);
            CHECK(me / 2 == size - 1 || dest[1] == 2 * (size - 1) + round);
            shmem_collect64(&dest[2], source, 1 + (size_t)(me / 2 % 2), 0, 1, size, work);
            CHECK(dest[2] == round && (size < 3 || dest[5] == 4 + round));
            shmem_fcollect64(&dest[30], source, 1, 0, 1, size, work);
            CHECK(dest[30 + me / 2] == me + round);
            shmem_alltoall64(&dest[40], &dest[30], 1, 0, 1, size, work);
            CHECK(dest[40 + size - 1] == me + round);
            shmem_barrier(0, 1, size, work);
        }
    }
    for (int i = 0; i < SHMEM_SYNC_SIZE; i++) {
        CHECK(work[i] == SHMEM_SYNC_VALUE);
    }
    shmem_barrier_all();
}

static void test_locks(void) {
    static long lock, lock_too;
    static int count;
    for (int i = 0; i < 50; i++) {
        shmem_set_lock(&lock);
        int now = shmem_int_g(&count, 0);
        shmem_int_p(&count, now + 1, 0);
        shmem_clear_lock(&lock);
        while (shmem_test_lock(&lock_too)) {
        }
        now = shmem_int_g(&count, 0);
        shmem_clear_lock(&lock_too);
    }
    shmem_barrier_all();
    CHECK(shmem_int_g(&count, 0) == 50 * n);
    /* As 2^32 - 2 turns leave it. */
    lock = (long)0xfffffffefffffffeul;
    shmem_barrier_all();
    for (int i = 0; i < 20; i++) {
        if (i < 10) {
            shmem_set_lock(&lock);
        } else {
            while (shmem_test_lock(&lock)) {
            }
        }
        int now = shmem_int_g(&count, 0);
        shmem_int_p(&count, now + 1, 0);
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    CHECK(shmem_int_g(&count, 0) == 70 * n);
}

/* ---- signals that change while they are waited for ---- */

static void test_changing_signal(void) {
    static uint64_t signal;
    static long done;
    if (me == 0) {
        for (int i = 0; n > 1 && i < 1000; i++) {
            CHECK(shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 1) == 1);
        }
        for (int i = 0; i < n; i++) {
            shmem_long_p(&done, 1, i);
        }
    }
    while (me == 1 && !shmem_long_atomic_fetch(&done, 1)) {
        shmem_uint64_atomic_set(&signal, 1, 0);
        shmem_uint64_atomic_set(&signal, 2, 0);
    }
    shmem_barrier_all();
}

/* ---- memory ---- */

static int initialised[3] = {1, 2, 3};
static char large[1 << 30];

static void test_memory(void) {
    CHECK(initialised[2] == 3);
    large[sizeof large - 1] = (char)me;
    shmem_barrier_all();
    CHECK(shmem_char_g(&large[sizeof large - 1], prev) == (char)prev);
    CHECK(shmem_malloc(0) == NULL);
    char *a = shmem_align(4096, 100), *b = shmem_calloc(10, 10);
    CHECK((uintptr_t)a % 4096 == 0 && b[99] == 0);
    a[99] = (char)me;
    a = shmem_realloc(a, 100000);
    CHECK(a[99] == (char)me && shmem_char_g(&a[99], next) == (char)next);
    shmem_free(b);
    shmem_free(a);
    /* Smaller, behind a block that is free. */
    a = shmem_malloc(4096);
    b = shmem_malloc(4096);
    char *last = shmem_malloc(64);
    b[0] = 'b';
    shmem_free(a);
    b = shmem_realloc(b, 1024);
    a = shmem_malloc(5000);
    a[0] = a[4999] = 'a';
    CHECK(b[0] == 'b' && (a + 5000 <= b || b + 1024 <= a));
    shmem_free(b);
    shmem_free(a);
    shmem_free(last);
    char *again = shmem_malloc(1 << 20);
    CHECK(again != NULL && shmem_addr_accessible(again, next) && !shmem_addr_accessible(&a, next));
    shmem_free(again);
}

/* Nothing may go to, and come from, anywhere. */
static void test_nothing(void) {
    static uint64_t signal;
    for (int pe = 0; pe < n; pe++) {
        shmem_putmem(NULL, NULL, 0, pe);
        shmem_getmem(NULL, NULL, 0, pe);
        shmem_putmem_nbi(NULL, NULL, 0, pe);
        shmem_getmem_nbi(NULL, NULL, 0, pe);
        shmem_int_iput(NULL, NULL, 1, 1, 0, pe);
        shmem_int_iget(NULL, NULL, 1, 1, 0, pe);
        shmem_putmem_signal(NULL, NULL, 0, &signal, 1, SHMEM_SIGNAL_ADD, pe);
    }
    CHECK(shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, (uint64_t)n) == (uint64_t)n);
    CHECK(shmem_int_broadcast(SHMEM_TEAM_WORLD, NULL, NULL, 0, 0) == 0);
    CHECK(shmem_int_collect(SHMEM_TEAM_WORLD, NULL, NULL, 0) == 0);
    CHECK(shmem_int_fcollect(SHMEM_TEAM_WORLD, NULL, NULL, 0) == 0);
    CHECK(shmem_int_alltoall(SHMEM_TEAM_WORLD, NULL, NULL, 0) == 0);
    CHECK(shmem_int_alltoalls(SHMEM_TEAM_WORLD, NULL, NULL, 1, 1, 0) == 0);
    CHECK(shmem_int_sum_reduce(SHMEM_TEAM_WORLD, NULL, NULL, 0) == 0);
    shmem_barrier_all();
}

int main(int argc, char **argv) {
    (void)argv;
    int level, major, minor;
    if (argc > 1) {
        CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level) == 0);
        CHECK(level == SHMEM_THREAD_MULTIPLE);
    } else {
        shmem_init();
    }
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    prev = (me + n - 1) % n;
    shmem_info_get_version(&major, &minor);
    CHECK(major == 1 && minor == 5);
#define CALL(NAME, T) test_##NAME();
    FURLONG_SHMEM_RMA(CALL)
#define CALL_ATOMIC(NAME, T) atomic_##NAME();
    FURLONG_SHMEM_ATOMIC(CALL_ATOMIC)
#define CALL_BITS(NAME, T) bits_##NAME();
    UNSIGNED_BITS(CALL_BITS)
    test_floating();
    test_waits();
    test_empty_waits();
    test_values_that_pass();
    test_teams();
    test_active_sets();
    test_locks();
    test_changing_signal();
    test_memory();
    test_nothing();
    shmem_barrier_all();
    if (me == 0) {
        printf("ok %d\n", n);
    }
    shmem_finalize();
    return 0;
}
