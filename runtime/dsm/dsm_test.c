/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random programs on coherent memory, whose hosts are processes that run at the same time. In some, one
 * way between two hosts is slow. Arguments: programs, first seed; each is run by both mechanisms, with
 * writes that the kernel notes, and by what the runtime chooses; and one of three once more while races
 * are looked for, of which there are none. dsm_sim_test.c runs the same programs one step at a time.
 */
#include "dsm/random_program_for_test.h"

/* So that others' messages overtake what goes there. */
static void choose_slow(uint64_t seed) {
    enum { SLOW_NS = 1000000 };
    memset(pipes_slow, 0, sizeof pipes_slow);
    uint64_t random = mix(seed, 30);
    if (random % 8 == 0) {
        pipes_slow[(random >> 8) % 4][(random >> 16) % 4] = SLOW_NS;
    }
}

static void run_program(void) {
    unsigned hosts = 1 + (unsigned)(seed_now % 4), threads = 1 + (unsigned)(seed_now / 4 % 4);
    char what[80];
    snprintf(what, sizeof what, "seed %llu, %s%s", (unsigned long long)seed_now, faults_name(),
             check_race ? ", races looked for" : "");
    run(what, new_world(hosts, 1, threads, body));
}

int main(int argc, char **argv) {
    unsigned long programs = argc > 1 ? strtoul(argv[1], NULL, 10) : TEST_TSAN ? 24 : test_steps(200);
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (seed_now = first; seed_now < first + programs; seed_now++) {
        choose_slow(seed_now);
        by_all_faults(run_program);
        if (seed_now % 3 == 0) {
            check_race = fail_for_race;
            faults = NULL;
            run_program();
            check_race = NULL;
        }
    }
    return test_done();
}
