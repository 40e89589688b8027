/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the worlds that seeds describe in a simulation. For a test whose arguments are the first and
 * the last seed: one seed alone is shown step by step, and none means those of `make check`. A seed
 * is repeated exactly, which a hash over all its events and messages proves.
 */
#ifndef FL_COMM_SEEDS_FOR_TEST_H
#define FL_COMM_SEEDS_FOR_TEST_H

#include "comm/simulated_for_test.h"
#include "comm/world_for_test.h"

#include <sys/personality.h>

enum { SEEDS_REPEATED_EVERY = 16 };

/* What a seed runs; `what` is printed. */
struct seed_world {
    unsigned hosts, threads; /* of each host */
    test_body body;
    char what[80];
};

/* Few hosts most of the time, since then each shares more with each other; all there may be in one
 * seed of 100. */
static void seed_choose_size(uint64_t seed, struct seed_world *chosen) {
    static const uint8_t threads[] = {1, 1, 1, 2, 2, 3, 4};
    uint64_t random = test_mix(seed, 101), kind = random % 50, more = random >> 8;
    chosen->hosts = seed % 100 == 50 ? SIM_HOSTS
                    : kind < 4       ? 8 + (unsigned)(more % 9)
                    : kind < 12      ? 5 + (unsigned)(more % 3)
                                     : 2 + (unsigned)(more % 3);
    chosen->threads = chosen->hosts > 7 ? 1 : threads[(random >> 16) % sizeof threads];
}

/* Whether all threads' bodies have returned true; *hash_p: over all that has happened. */
static bool seed_run(uint64_t seed, void choose(uint64_t seed, struct seed_world *chosen),
                     bool show, uint64_t *hash_p) {
    struct seed_world chosen = {0};
    seed_choose_size(seed, &chosen);
    choose(seed, &chosen);
    simulated_start(test_mix(seed, 103), chosen.hosts, 1 + chosen.threads);
    sim->shows_all = show;
    struct world *w = new_world(chosen.hosts, 1, chosen.threads, chosen.body);
    bool good = sim_in_processes(process_body, w);
    end_world(w);
    *hash_p = sim->hash;
    if (!good) {
        sim_report();
        printf("# again: %s %llu\n", program_invocation_short_name, (unsigned long long)seed);
    }
    CHECK(good, "seed %llu: %u hosts, %u threads each, %s: %llu steps, hash %016llx",
          (unsigned long long)seed, chosen.hosts, chosen.threads, chosen.what,
          (unsigned long long)sim->steps, (unsigned long long)*hash_p);
    simulated_stop();
    return good;
}

/* Messages may have addresses of code, which are to be the same when the program is started again.
 * Where that is not allowed, or an emulator would be started instead, only hashes differ. */
static void seeds_fix_addresses(char **argv) {
    int now = test_is_emulated() ? -1 : personality(0xffffffff);
    if (now != -1 && !(now & ADDR_NO_RANDOMIZE) &&
        personality((unsigned long)now | ADDR_NO_RANDOMIZE) != -1) {
        execv("/proc/self/exe", argv);
    }
}

/* The whole of main. `some`: how many seeds without arguments. */
static int seeds_main(int argc, char **argv, unsigned some,
                      void choose(uint64_t seed, struct seed_world *chosen)) {
    seeds_fix_addresses(argv);
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t last = argc > 2 ? strtoull(argv[2], NULL, 10) : argc > 1 ? first : some;
    for (uint64_t seed = first; seed <= last; seed++) {
        uint64_t hash, again;
        bool good = seed_run(seed, choose, argc == 2, &hash);
        if (good && seed % SEEDS_REPEATED_EVERY == 0 && seed_run(seed, choose, false, &again)) {
            CHECK(again == hash, "seed %llu is repeated exactly", (unsigned long long)seed);
        }
    }
    return test_done();
}

#endif
