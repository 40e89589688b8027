/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The random programs of dsm_test.c in a simulation (core/scheduler_for_test.h): one thread of one host
 * runs at a time, and a seed says which, for how long, and when messages come. Assertions are on.
 * Arguments: first seed, last seed. One seed alone is shown step by step; it is repeated exactly,
 * which a hash over all its events proves.
 */
#include "comm/simulated_for_test.h"
#include "dsm/inside.h"
#include "dsm/random_program_for_test.h"

#include <sys/personality.h>

enum { REPEATED_EVERY = 16, CHECKED_EVERY = 8, ATOMIC_EVERY = 4 };

/* ---- names of events ---- */

static const char *name_of(const struct fl_comm_message *m) {
    static const char *const kinds[FL_DSM_KINDS] = {
        [FL_DSM_FETCH] = "FETCH",   [FL_DSM_PAGES] = "PAGES",       [FL_DSM_DIFFS] = "DIFFS",
        [FL_DSM_ARRIVE] = "ARRIVE", [FL_DSM_DEPART] = "DEPART",     [FL_DSM_UNUSED] = "UNUSED",
        [FL_DSM_WHO] = "WHO",       [FL_DSM_FREE] = "FREE",         [FL_DSM_FLUSH] = "FLUSH",
        [FL_DSM_WANT] = "WANT",     [FL_DSM_NEXT] = "NEXT",         [FL_DSM_GRANT] = "GRANT",
        [FL_DSM_TELL] = "TELL",     [FL_DSM_LOOK] = "LOOK",         [FL_DSM_RETRY] = "RETRY",
        [FL_DSM_COUNTS] = "COUNTS", [FL_DSM_ATOMIC] = "ATOMIC",     [FL_DSM_CHECK] = "CHECK",
        [FL_DSM_PERFORMED] = "PERFORMED",
    };
    bool asks = m->kind == FL_COMM_KIND_ASK;
    if ((m->kind == FL_COMM_KIND_TELL || asks) && m->what == FL_COMM_DSM) {
        uint8_t kind = (uint8_t)(asks ? m->words[0] : m->told[0]);
        return kind < FL_DSM_KINDS && kinds[kind] ? kinds[kind] : "?";
    }
    return m->kind == FL_COMM_KIND_CREDIT ? "credit" : asks ? "a question" : "an answer or a call";
}

SIM_WRAP(void, fl_page_become, uint32_t page, enum fl_page_state state) {
    static const char *const names[] = {"ABSENT", "FETCHING", "READABLE", "WRITABLE", "OWN"};
    sim_note("makes %s page %llu, which was %llu, of home %llu", names[state], page,
             fl_dsm.pages[page].state, fl_dsm.pages[page].home);
    __real_fl_page_become(page, state);
}

SIM_WRAP(bool, fl_page_resolve_sigsafe, uintptr_t address, bool write, uintptr_t pc) {
    sim_note("faults by %s at page %llu, byte %llu of it", write ? "a write" : "a read",
             fl_map_page(&fl_dsm.map, address), address % FL_MAP_PAGE, 0);
    sim_act();
    sim_step();
    return __real_fl_page_resolve_sigsafe(address, write, pc);
}

/* ---- a seed ---- */

/* Few hosts most of the time, since then each shares more with each other; all there may be in one
 * seed of 50. Smaller programs than dsm_test.c's. */
static void choose_size(uint64_t seed, unsigned *hosts_p, unsigned *threads_p) {
    static const uint8_t threads[] = {1, 1, 1, 2, 2, 3, 4};
    uint64_t random = mix(seed, 101), kind = random % 50;
    unsigned hosts = 2 + (unsigned)((random >> 8) % 3);
    hosts = kind == 0 ? SIM_HOSTS : kind < 4 ? 8 + (unsigned)((random >> 8) % 9) : hosts;
    hosts = kind >= 4 && kind < 12 ? 5 + (unsigned)((random >> 8) % 3) : hosts;
    *hosts_p = hosts;
    *threads_p = hosts > 7 ? 1 : threads[(random >> 16) % sizeof threads];
    most_pages = hosts > 7 ? 6 : 3 + (uint32_t)((random >> 24) % 12);
}

static void choose_faults(uint64_t seed) {
    static const char *const all[] = {"userfaultfd", FL_FAULT_TRACKING, "mprotect", NULL};
    check_race = mix(seed, 104) % CHECKED_EVERY ? NULL : fail_for_race;
    for (uint64_t i = check_race ? 3 : mix(seed, 102);; i++) {
        faults = all[i % 4];
        int handle;
        const struct fl_fault_ops *ops = fl_fault_open(faults, &handle);
        if (ops) {
            ops->close(handle);
            return;
        }
    }
}

/* Whether the program has read what it should; *hash_p: over all that has happened. */
static bool simulate(uint64_t seed, bool show, uint64_t *hash_p) {
    unsigned hosts, threads;
    seed_now = seed;
    choose_size(seed, &hosts, &threads);
    choose_faults(seed);
    simulated_start(mix(seed, 103), hosts, 1 + threads);
    sim->shows_all = show;
    struct world *w = new_world(hosts, 1, threads, body);
    bool good = sim_in_processes(process_body, w);
    end_world(w);
    *hash_p = sim->hash;
    if (!good) {
        sim_report();
        printf("# again: dsm_sim_test %llu\n", (unsigned long long)seed);
    }
    CHECK(good, "seed %llu: %u hosts, %u threads each, %s%s: %llu steps, hash %016llx",
          (unsigned long long)seed, hosts, threads, faults_name(),
          check_race ? ", races looked for" : "", (unsigned long long)sim->steps,
          (unsigned long long)sim->hash);
    simulated_stop();
    return good;
}

/* Messages have addresses of code, which are to be the same when the program is started again. Where
 * that is not allowed, only hashes differ. */
static void fix_addresses(char **argv) {
    int now = personality(0xffffffff);
    if (now != -1 && !(now & ADDR_NO_RANDOMIZE) &&
        personality((unsigned long)now | ADDR_NO_RANDOMIZE) != -1) {
        execv("/proc/self/exe", argv);
    }
}

int main(int argc, char **argv) {
    fix_addresses(argv);
    atomic_every = ATOMIC_EVERY;
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t last = argc > 2 ? strtoull(argv[2], NULL, 10) : argc > 1 ? first : TEST_TSAN ? 24 : test_steps(200);
    sim_name_of = name_of;
    for (uint64_t seed = first; seed <= last; seed++) {
        uint64_t hash, again;
        bool good = simulate(seed, argc == 2, &hash);
        if (good && seed % REPEATED_EVERY == 0 && simulate(seed, false, &again)) {
            CHECK(again == hash, "seed %llu is repeated exactly", (unsigned long long)seed);
        }
    }
    return test_done();
}
