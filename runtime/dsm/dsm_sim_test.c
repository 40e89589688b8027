/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The random programs of dsm_test.c in a simulation (core/scheduler_for_test.h): one thread of one
 * host runs at a time, and a seed says which, for how long, and when messages come. Assertions are
 * on. Arguments: see comm/seeds_for_test.h.
 *
 * The protocol was broken on purpose in 20 places: an invalidation dropped, a wait for diffs left
 * out, a notice forgotten, an answer from a stale copy, a page ABSENT before its diff was sent, and
 * the like. The first 7 seeds found 11 of these mistakes, the first 75 found 16, and 300 none of the
 * other four: about values in copies that only programs with races read (two), a fetch ahead that a
 * barrier overtakes, and messages of the next epoch that are served too early.
 */
#include "comm/seeds_for_test.h"
#include "dsm/inside.h"
#include "dsm/random_program_for_test.h"

enum { CHECKED_EVERY = 8, ATOMIC_EVERY = 4 };

/* ---- names of events ---- */

static const char *name_of(const struct fl_comm_message *m) {
    bool asks = m->kind == FL_COMM_KIND_ASK;
    if ((m->kind == FL_COMM_KIND_TELL || asks) && m->what == FL_COMM_DSM) {
        return fl_dsm_name_of((uint8_t)(asks ? m->words[0] : m->told[0]));
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

/* Smaller programs than dsm_test.c's, most of the time. */
static void choose(uint64_t seed, struct seed_world *chosen) {
    uint64_t random = mix(seed, 105);
    uint32_t pages = chosen->hosts > 7 ? 4 : random & 7 ? 12 : MOST_PAGES;
    seed_now = seed;
    short_programs = chosen->hosts > 16;
    most_pages = LEAST_PAGES + 1 + (uint32_t)((random >> 3) % pages);
    choose_faults(seed);
    chosen->body = body;
    snprintf(chosen->what, sizeof chosen->what, "%s%s", faults_name(),
             check_race ? ", races looked for" : "");
}

int main(int argc, char **argv) {
    sim_name_of = name_of;
    atomic_every = ATOMIC_EVERY;
    return seeds_main(argc, argv, test_steps(200), choose);
}
