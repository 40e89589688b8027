/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Races between three hosts: each phase has a page of its own, whose home is one of them, and a rule
 * of writers, bytes and orders. What is found is compared with what there is.
 */
#include "comm/world_for_test.h"
#include "dsm/memory_for_test.h"

enum { LOCK = 3, PHASES = 9, MOST = 16 };

/* A finding; `bytes` 0: the last one. */
struct expected {
    unsigned phase, offset, bytes, host, other;
};
static const struct expected expected[] = {
    {0, 5, 1, 0, 1},   {3, 4, 4, 0, 1}, {5, 100, 8, 0, 2}, {6, 100, 8, 1, 2},
    {7, 40, 1, 0, 2}, {0, 0, 0, 0, 0},
};

static struct expected found[MOST];
static unsigned n_found;

static void note_race(const struct fl_dsm_race *race) {
    uintptr_t offset = race->address - BASE;
    if (n_found < MOST) {
        found[n_found++] = (struct expected){
            (unsigned)(offset / FL_MAP_PAGE), (unsigned)(offset % FL_MAP_PAGE),
            (unsigned)race->bytes, race->sides[0].host, race->sides[1].host};
    }
}

static volatile unsigned char *at(unsigned phase, unsigned offset) {
    return (volatile unsigned char *)BASE + phase * FL_MAP_PAGE + offset;
}

static void fill(unsigned phase, unsigned offset, unsigned bytes, unsigned char value) {
    for (unsigned i = 0; i < bytes; i++) {
        *at(phase, offset + i) = value;
    }
}

/* Once host `before` has been here, if it is to come first; hosts pass each other a count. */
static void pass_in_order(unsigned phase, unsigned turn) {
    bool mine = false;
    while (!mine) {
        fl_dsm_acquire(LOCK);
        mine = *at(phase, 0) == turn;
        if (mine) {
            *at(phase, 0) = (unsigned char)(turn + 1);
        }
        fl_dsm_release(LOCK);
    }
}

static void run_phase(unsigned phase, unsigned me) {
    unsigned char value = (unsigned char)(me + 1);
    switch (phase) {
    case 0: /* the same byte */
        if (me < 2) {
            fill(phase, 5, 1, value);
        }
        break;
    case 1: /* under a lock */
        fl_dsm_acquire(LOCK);
        fill(phase, 8, 8, (unsigned char)(*at(phase, 8) + 1));
        fl_dsm_release(LOCK);
        break;
    case 2: /* bytes beside each other */
        fill(phase, 64 + me, 1, value);
        break;
    case 3: /* partly the same */
        fill(phase, me == 2 ? 16 : 4 * me, 8, value);
        break;
    case 4: /* without a lock, but handed on by one */
        if (me == 2) {
            pass_in_order(phase, 1);
        }
        if (me != 1) {
            fill(phase, 200, 8, value);
        }
        if (me == 0) {
            pass_in_order(phase, 0);
        }
        break;
    case 5: /* handed on too early */
        if (me == 0) {
            pass_in_order(phase, 0);
        }
        if (me == 2) {
            pass_in_order(phase, 1);
        }
        if (me != 1) {
            fill(phase, 100, 8, value);
        }
        break;
    case 6: /* whose home is the first to write, before others have copies */
        if (me > 0) {
            fill(phase, 100, 8, value);
        }
        break;
    case 7: /* of a page that all but one have written before, in order */
        if (me == 1) {
            fill(phase, 40, 8, value);
        }
        fl_dsm_barrier();
        if (me != 1) {
            fill(phase, 40, me ? 1 : 8, (unsigned char)(10 + me));
        }
        break;
    default: /* a value that is there already; and what one host has written */
        fill(phase, 0, 8, 0);
        if (me == 1) {
            fill(phase, 1000, 3000, 9);
        }
    }
}

static bool is_expected(const struct expected *one) {
    bool is = false;
    for (const struct expected *e = expected; e->bytes > 0; e++) {
        is = is || memcmp(e, one, sizeof *e) == 0;
    }
    return is;
}

static bool all_expected_twice(void) {
    unsigned n = 0;
    while (expected[n].bytes > 0) {
        n++;
    }
    bool good = n_found == 2 * n;
    for (unsigned i = 0; i < n_found; i++) {
        good = is_expected(&found[i]) && good;
    }
    for (unsigned i = 0; i < n_found && !good; i++) {
        printf("# phase %u: hosts %u and %u, %u bytes at %u\n", found[i].phase, found[i].host,
               found[i].other, found[i].bytes, found[i].offset);
    }
    fflush(stdout);
    return good;
}

/* All twice: pages are their only writers' then, and in all possible states. */
static bool body(unsigned me, void *context) {
    (void)context;
    fl_dsm_thread_start();
    for (unsigned time = 0; time < 2; time++) {
        for (unsigned phase = 0; phase < PHASES; phase++) {
            run_phase(phase, me);
            fl_dsm_barrier();
        }
        if (me == 1) {
            memset((void *)BASE, 0, PHASES * FL_MAP_PAGE);
        }
        fl_dsm_barrier();
    }
    return me > 0 || (all_expected_twice() && fl_dsm_check_is_whole());
}

static void register_handlers(void) {
    static const uint16_t homes[PHASES] = {0, 1, 2, 0, 1, 2, 1, 1, 0};
    const struct fl_map_range range = {.address = BASE,
                                       .bytes = PHASES * FL_MAP_PAGE,
                                       .homes = homes,
                                       .block_bytes = FL_MAP_PAGE};
    check_race = note_race;
    start_memory(&range, 1);
}

static void run_all(void) {
    run(faults_name(), new_world(3, 1, 1, body));
}

int main(void) {
    by_all_faults(run_all);
    return test_done();
}
