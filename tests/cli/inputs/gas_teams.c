/* SPDX-License-Identifier: BSD-3-Clause */
/* The teams of <furlong/gas.h>: how they are made, every operation with several under way at once and
 * waited for out of order, by the thread that began them or by another. Prints "ok" and the number of
 * ranks. */
#include <furlong/gas.h>

#include "gas_fill.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { LARGE = 60000, ROUNDS = 40, MOST = 64 };

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("rank %u, line %d: %s\n", gas_rank(), __LINE__, #condition);                    \
            gas_exit(1);                                                                           \
        }                                                                                          \
    } while (0)

static void *wait_elsewhere(void *context) {
    gas_event_wait((gas_event_t)context);
    return NULL;
}

static void *test_elsewhere(void *context) {
    while (gas_event_test_nopoll((gas_event_t)context) != GAS_OK) {
        gas_poll();
    }
    return NULL;
}

static int threads;

static void finish(gas_event_t event, unsigned how) {
    pthread_t thread;
    if (!threads || how % 3 == 0) {
        gas_event_wait(event);
        return;
    }
    if (event) {
        CHECK(gas_event_look(event) == GAS_OK || gas_event_look(event) == GAS_ERR_NOT_READY);
    }
    pthread_create(&thread, NULL, how % 3 == 1 ? wait_elsewhere : test_elsewhere, event);
    pthread_join(thread, NULL);
}

/* An operation of the program's own, on elements of three words: the sum, the largest, and a count
 * that the context multiplies. */
struct triple {
    uint64_t sum, most, count;
};
static void join_triples(const void *in, void *inout, size_t n, const void *context) {
    const struct triple *a = in;
    struct triple *b = inout;
    CHECK(n > 0 && *(const int *)context == 7);
    for (size_t i = 0; i < n; i++) {
        b[i].sum += a[i].sum;
        b[i].most = a[i].most > b[i].most ? a[i].most : b[i].most;
        b[i].count += a[i].count;
    }
}

struct huge {
    uint64_t of[40000];
};
static void join_huge(const void *in, void *inout, size_t n, const void *context) {
    const struct huge *a = in;
    struct huge *b = inout;
    (void)context;
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < 40000; i++) {
            b[k].of[i] += a[k].of[i];
        }
    }
}

static void operations(gas_team_t team, unsigned round) {
    gas_rank_t me = gas_team_rank(team), n = gas_team_size(team), root = round % n;
    size_t bytes = round % 5 == 4 ? LARGE : round * 7 + 1;
    gas_event_t events[8];
    unsigned char *from = malloc(n * bytes), *to = malloc(n * bytes), *all = malloc(n * bytes);
    unsigned char *one = malloc(bytes), *mine = malloc(bytes), *table = malloc(n * bytes);
    for (unsigned i = 0; i < n; i++) {
        fill(from + i * bytes, bytes, round + 3 * me + i);
        fill(table + i * bytes, bytes, 100 + i);
    }
    fill(mine, bytes, me);
    unsigned char *got = malloc(bytes), *gathered = malloc(n * bytes);
    if (me == root) {
        fill(got, bytes, round);
    }
    events[0] = gas_team_broadcast_nb(team, root, got, got, bytes);
    events[1] = gas_team_exchange_nb(team, to, from, bytes);
    events[2] = gas_team_gather_nb(team, GAS_EVERYBODY, all, mine, bytes);
    events[3] = gas_team_gather_nb(team, root, gathered, mine, bytes);
    events[4] = gas_team_scatter_nb(team, root, one, table, bytes);
    uint64_t numbers[300], sums[300];
    for (unsigned i = 0; i < 300; i++) {
        numbers[i] = i * (me + 1);
    }
    size_t count = round % 2 ? 300 : 1;
    events[5] = gas_team_reduce_nb(team, GAS_EVERYBODY, sums, numbers, sizeof *sums, count,
                                   gas_reduction(GAS_U64, GAS_OP_ADD), NULL);
    static const int seven = 7;
    struct triple triples[3] = {{me, me, 1}, {1, me * 2, 1}, {me * me, 0, 1}}, result[3];
    events[6] = gas_team_reduce_nb(team, root, result, triples, sizeof *triples, 3, join_triples,
                                   &seven);
    events[7] = gas_team_barrier_nb(team);
    for (unsigned i = 0; i < 8; i++) {
        unsigned at = (i * 5 + round) % 8;
        finish(events[at], round + i);
    }
    CHECK(filled(got, bytes, round));
    CHECK(filled(one, bytes, 100 + me));
    for (unsigned i = 0; i < n; i++) {
        CHECK(filled(to + i * bytes, bytes, round + 3 * i + me));
        CHECK(filled(all + i * bytes, bytes, i));
        CHECK(me != root || filled(gathered + i * bytes, bytes, i));
    }
    for (unsigned i = 0; i < count; i++) {
        CHECK(sums[i] == (uint64_t)i * n * (n + 1) / 2);
    }
    if (me == root) {
        CHECK(result[0].sum == (uint64_t)n * (n - 1) / 2 && result[0].most == n - 1);
        CHECK(result[1].sum == n && result[1].most == 2 * (n - 1) && result[2].count == n);
    }
    free(from), free(to), free(all), free(one), free(mine), free(table), free(got), free(gathered);
}

/* In place, of floating point, and of an element that no window holds. */
static void more_reductions(gas_team_t team) {
    gas_rank_t me = gas_team_rank(team), n = gas_team_size(team);
    double values[3] = {1.5, me, -(double)me};
    gas_team_reduce(team, GAS_EVERYBODY, values, values, sizeof *values, 3,
                    gas_reduction(GAS_DBL, GAS_OP_MAX), NULL);
    CHECK(values[0] == 1.5 && values[1] == n - 1 && values[2] == 0);
    int32_t bits = 1 << me % 31, product = 2;
    gas_team_reduce(team, n - 1, &bits, &bits, sizeof bits, 1, gas_reduction(GAS_I32, GAS_OP_OR),
                    NULL);
    CHECK(me != n - 1 || bits == (n < 31 ? (1 << n) - 1 : 0x7fffffff));
    gas_team_reduce(team, 0, &product, &product, sizeof product, 1,
                    gas_reduction(GAS_I32, GAS_OP_MULT), NULL);
    CHECK(me != 0 || product == (n < 31 ? 1 << n : 0));
    CHECK(!gas_reduction(GAS_FLT, GAS_OP_AND) && !gas_reduction(GAS_U64, GAS_OP_SWAP));
    struct huge *huge = malloc(sizeof *huge);
    for (unsigned i = 0; i < 40000; i++) {
        huge->of[i] = i + me;
    }
    gas_team_reduce(team, GAS_EVERYBODY, huge, huge, sizeof *huge, 1, join_huge, NULL);
    for (unsigned i = 0; i < 40000; i++) {
        CHECK(huge->of[i] == (uint64_t)n * i + (uint64_t)n * (n - 1) / 2);
    }
    free(huge);
}

static void split(void) {
    gas_rank_t me = gas_rank(), n = gas_size();
    gas_team_t odd = gas_team_split(GAS_TEAM_ALL, (int)(me % 2), -(int)me); /* backwards */
    gas_rank_t size = (n + 1 - me % 2) / 2;
    CHECK(odd && gas_team_size(odd) == size && gas_team_rank(odd) == size - 1 - me / 2);
    CHECK(gas_team_to_job(odd, gas_team_rank(odd)) == me && gas_team_from_job(odd, me) < size);
    CHECK(n == 1 || gas_team_from_job(odd, me ^ 1) == GAS_RANK_NONE);
    operations(odd, 3);
    gas_team_t inner = gas_team_split(odd, gas_team_rank(odd) == 0 ? -1 : 5, 0);
    CHECK((inner == GAS_TEAM_NONE) == (gas_team_rank(odd) == 0));
    if (inner) {
        operations(inner, 9);
        operations(inner, 8);
        gas_team_free(inner);
    }
    more_reductions(odd);
    gas_team_free(odd);
}

static void create(void) {
    gas_rank_t me = gas_rank(), n = gas_size(), members[MOST], count = 0;
    for (gas_rank_t rank = n; rank-- > n / 2;) {
        members[count++] = rank; /* the upper half, backwards */
    }
    gas_team_t team = gas_team_create(GAS_TEAM_ALL, members, me >= n / 2 ? count : 0);
    CHECK((team != GAS_TEAM_NONE) == (me >= n / 2));
    if (team) {
        CHECK(gas_team_rank(team) == n - 1 - me);
        operations(team, 5);
        gas_team_free(team);
    }
}

/* A team of my own is made while an operation of all is under way; and many teams, one after the
 * other, take no more memory. */
static void many(void) {
    gas_event_t barrier = gas_team_barrier_nb(GAS_TEAM_ALL);
    for (unsigned i = 0; i < 50; i++) {
        gas_team_t team = gas_team_split(GAS_TEAM_ALL, i % 3 == 0 ? (int)gas_rank() : 0, 0);
        CHECK(gas_team_size(team) == (i % 3 == 0 ? 1 : gas_size()));
        gas_team_barrier(team);
        gas_team_free(team);
    }
    gas_event_wait(barrier);
}

/* Barriers as operations without an event of their own, of two kinds. */
static void kinds(void) {
    gas_nbi_add_to(GAS_NBI_ATOMIC, gas_team_barrier_nb(GAS_TEAM_ALL));
    gas_nbi_add_to(GAS_NBI_PUT, gas_team_barrier_nb(GAS_TEAM_ALL));
    CHECK(gas_nbi_test_of(GAS_NBI_GET) == GAS_OK);
    while (gas_nbi_test_of(GAS_NBI_ATOMIC) != GAS_OK) {
        gas_poll();
    }
    gas_nbi_wait_of(GAS_NBI_PUT);
    CHECK(gas_nbi_test_of(GAS_NBI_ALL) == GAS_OK);
}

int main(int argc, char **argv) {
    threads = argc > 1 && argv[1][0] == 't';
    gas_init(threads ? GAS_THREADS : 0);
    CHECK(gas_team_size(GAS_TEAM_ALL) == gas_size() && gas_team_rank(GAS_TEAM_ALL) == gas_rank());
    for (unsigned round = 0; round < ROUNDS; round++) {
        operations(GAS_TEAM_ALL, round);
    }
    more_reductions(GAS_TEAM_ALL);
    split();
    create();
    many();
    kinds();
    gas_barrier();
    if (gas_rank() == 0) {
        printf("ok %u\n", gas_size());
    }
    gas_finish();
    return 0;
}
