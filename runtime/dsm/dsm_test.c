/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random programs without data races, whose reads are compared with what one thread alone would
 * read. Memory is cut into units of 1 to 8 bytes, wherever they fall. Between two barriers each unit
 * has at most one writer, chosen anew and in several patterns, or belongs to a lock, under which its
 * whole group moves from one count to the next; mail is written without a lock, and announced under
 * one. Arguments: programs, first seed; both mechanisms run each.
 */
#include "dsm/dsm.h"

#include "comm/world_for_test.h"

enum {
    LEAST_PAGES = 2,
    MOST_PAGES = 40,
    GROUPS = 5, /* of units, each with a lock */
    MAILS = 8,  /* of a thread */
    MAIL_BYTES = 264,
    MOST_MEMBERS = 24
};

#if TEST_TSAN
#define BASE ((uintptr_t)0x2000000000)
/* A fault is no surprise to its thread, which holds no lock at an access to the memory. */
__attribute__((visibility("default"))) const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "report_signal_unsafe=0";
}
#else
#define BASE ((uintptr_t)3 << 43)
#endif
#define SECOND (BASE + (1ull << 32))

struct unit {
    uint32_t offset;
    uint8_t bytes;
    int8_t group; /* -1: none */
};

/* One program, the same in all processes. */
struct program {
    uint64_t seed;
    uint32_t pages, phases, n_units, n_members[GROUPS];
    uint32_t members[GROUPS][MOST_MEMBERS];
    unsigned sections; /* of each thread in each phase */
    struct unit *units;
};

static uint64_t seed_now;
static const char *mechanism;
static struct program program;

static uint64_t mix(uint64_t a, uint64_t b) {
    uint64_t x = (a ^ (b * 0x9e3779b97f4a7c15u)) + 0x632be59bd9b4e019u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t hash(uint64_t a, uint64_t b, uint64_t c) {
    return mix(mix(mix(program.seed, a), b), c);
}

/* Half of it in each of two ranges. After the units: the groups' counts, and mail. */
static unsigned char *at(uint32_t offset) {
    uint32_t half = (program.pages + 1) / 2 * FL_MAP_PAGE;
    return (unsigned char *)(offset < half ? BASE + offset : SECOND + (offset - half));
}

static void make_program(uint64_t seed) {
    program = (struct program){.seed = seed};
    program.pages = LEAST_PAGES + (uint32_t)(hash(1, 0, 0) % (MOST_PAGES - LEAST_PAGES));
    program.phases = 2 + (uint32_t)(hash(2, 0, 0) % 7);
    program.sections = (unsigned)(hash(3, 0, 0) % 6);
    uint32_t end = program.pages * FL_MAP_PAGE;
    program.units = calloc(end, sizeof *program.units);
    bool coarse = hash(4, 0, 0) % 2;
    uint32_t skip = 1 + (uint32_t)(hash(5, 0, 0) % 64); /* some are denser than others */
    for (uint32_t offset = 0; offset < end;) {
        uint64_t random = hash(6, offset, 0);
        uint8_t bytes = (uint8_t)(coarse ? 8 : 1u << random % 4);
        offset = (offset + bytes - 1) / bytes * bytes;
        if (offset + bytes > end) {
            break;
        }
        uint32_t index = program.n_units++;
        struct unit *unit = &program.units[index];
        *unit = (struct unit){offset, bytes, -1};
        unsigned group = (unsigned)(random >> 8) % 64;
        if (group < GROUPS && program.n_members[group] < MOST_MEMBERS) {
            unit->group = (int8_t)group;
            program.members[group][program.n_members[group]++] = index;
        }
        offset += bytes + (uint32_t)((random >> 20) % skip);
    }
}

/* Who writes to a unit in a phase: UINT32_MAX: nobody. */
static unsigned writer(uint32_t unit, uint32_t phase, unsigned threads) {
    uint64_t random = hash(7, phase, unit);
    uint32_t page = program.units[unit].offset / FL_MAP_PAGE;
    switch (hash(8, phase, 0) % 6) {
    case 0:
        return (unsigned)(random % threads);
    case 1: /* blocks */
        return (unsigned)((uint64_t)unit * threads / program.n_units);
    case 2: /* pages, now these, now those */
        return (unsigned)((page + phase) % threads);
    case 3: /* one thread, few pages */
        return hash(9, phase, page) % 4 ? UINT32_MAX : (unsigned)(hash(10, phase, 0) % threads);
    case 4: /* few units of many */
        return random % 16 ? UINT32_MAX : (unsigned)((random >> 8) % threads);
    default:
        return random % 3 ? UINT32_MAX : (unsigned)((random >> 8) % threads);
    }
}

static uint64_t value_of(uint32_t unit, uint32_t phase) {
    uint64_t value = hash(11, unit, phase) % 4 ? hash(12, unit, phase) : 0;
    unsigned bytes = program.units[unit].bytes;
    return bytes == 8 ? value : value & ((1ull << 8 * bytes) - 1);
}

static uint64_t load(uint32_t unit) {
    uint64_t value = 0;
    memcpy(&value, at(program.units[unit].offset), program.units[unit].bytes);
    return value;
}

static void store(uint32_t unit, uint64_t value) {
    memcpy(at(program.units[unit].offset), &value, program.units[unit].bytes);
}

static bool differs(const char *what, uint32_t phase, unsigned me, uint32_t where, uint64_t is,
                    uint64_t should) {
    if (is == should) {
        return false;
    }
    printf("# seed %llu: %s: phase %u, thread %u, %u (page %u): %llx, not %llx\n",
           (unsigned long long)program.seed, what, phase, me, where,
           where < program.n_units ? program.units[where].offset / FL_MAP_PAGE : 0,
           (unsigned long long)is, (unsigned long long)should);
    return true;
}

/* ---- what a thread does ---- */

static uint64_t *count_of(unsigned group) {
    return (uint64_t *)(void *)at(program.pages * FL_MAP_PAGE + group * 8);
}

static uint64_t member_value(unsigned group, unsigned member, uint64_t count) {
    uint64_t value = count ? mix(count, group * 1000 + member) : 0;
    unsigned bytes = program.units[program.members[group][member]].bytes;
    return bytes == 8 ? value : value & ((1ull << 8 * bytes) - 1);
}

static bool section(unsigned group, uint32_t phase, unsigned me) {
    bool good = true;
    fl_dsm_acquire(group * 7 + 1);
    uint64_t count = *count_of(group);
    for (unsigned m = 0; m < program.n_members[group]; m++) {
        uint32_t unit = program.members[group][m];
        good = good && !differs("a lock's unit", phase, me, unit, load(unit),
                                member_value(group, m, count));
    }
    for (unsigned m = 0; m < program.n_members[group]; m++) {
        store(program.members[group][m], member_value(group, m, count + 1));
    }
    *count_of(group) = count + 1;
    fl_dsm_release(group * 7 + 1);
    return good;
}

/* Mail lies one after the other, its writers' side by side. */
static unsigned char *mail(unsigned thread, uint32_t k, unsigned threads) {
    return at((program.pages + 1) * FL_MAP_PAGE + 8 * threads + (k * threads + thread) * MAIL_BYTES);
}

static _Atomic uint32_t *announced(unsigned thread) {
    return (_Atomic uint32_t *)(void *)at((program.pages + 1) * FL_MAP_PAGE + 8 * thread);
}

static bool exchange(uint32_t k, unsigned me, unsigned threads) {
    memset(mail(me, k, threads), (int)(k + me + 1), MAIL_BYTES);
    fl_dsm_acquire(2);
    *announced(me) = k + 1;
    unsigned other = (unsigned)(hash(13, k, me) % threads);
    uint32_t sent = *announced(other);
    fl_dsm_release(2);
    for (uint32_t i = 0; i < sent; i++) {
        const unsigned char *text = mail(other, i, threads);
        if (differs("mail", k, me, i, text[0], (unsigned char)(i + other + 1)) ||
            memcmp(text, text + 1, MAIL_BYTES - 1) != 0) {
            return false;
        }
    }
    return true;
}

static bool phase_of(uint32_t phase, unsigned me, unsigned threads, uint64_t *model) {
    bool good = true;
    for (uint32_t u = 0; u < program.n_units; u++) {
        if (program.units[u].group >= 0) {
            continue;
        }
        unsigned w = writer(u, phase, threads);
        if ((w == me || w == UINT32_MAX) && hash(14, u, me) % 3 == 0) {
            good = good && !differs("before", phase, me, u, load(u), model[u]);
        }
        if (w != UINT32_MAX) {
            model[u] = value_of(u, phase);
        }
        if (w == me) {
            store(u, model[u]);
        }
    }
    for (unsigned s = 0; s < program.sections; s++) {
        uint64_t random = hash(15, phase * 100 + s, me);
        good = good && section((unsigned)(random % GROUPS), phase, me);
        if (random >> 8 & 1) {
            fl_os_yield();
        }
    }
    if (program.sections && phase < MAILS) {
        good = good && exchange(phase, me, threads);
    }
    fl_dsm_barrier();
    uint64_t kind = hash(16, phase, me) % 4;
    for (uint32_t u = 0; u < program.n_units && kind; u++) {
        if (program.units[u].group < 0 && (kind == 1 || hash(17, u, me) % 8 == 0)) {
            good = good && !differs("after", phase, me, u, load(u), model[u]);
        }
    }
    fl_dsm_barrier();
    return good;
}

static bool body(unsigned me, void *context) {
    (void)context;
    fl_dsm_thread_start();
    unsigned threads = layout.threads;
    uint64_t *model = calloc(program.n_units, sizeof *model);
    bool good = true;
    for (uint32_t phase = 0; phase < program.phases; phase++) {
        good = phase_of(phase, me, threads, model) && good;
    }
    uint64_t sections = 0;
    for (unsigned g = 0; g < GROUPS; g++) {
        sections += *count_of(g);
    }
    good = good && !differs("sections", 99, me, UINT32_MAX, sections,
                            (uint64_t)program.sections * program.phases * threads);
    free(model);
    return good;
}

static void register_handlers(void) {
    make_program(seed_now);
    uint32_t pages = program.pages + 2 + MOST_THREADS * (8 + MAILS * MAIL_BYTES) / FL_MAP_PAGE;
    uint32_t half = (program.pages + 1) / 2;
    const struct fl_map_range ranges[] = {
        {.address = BASE, .bytes = (uint64_t)half * FL_MAP_PAGE},
        {.address = SECOND, .bytes = (uint64_t)(pages - half) * FL_MAP_PAGE}};
    fl_dsm_start(&(struct fl_dsm_setup){
        .hosts = layout.hosts,
        .me = layout.my_host,
        .threads = fl_layout_my_threads(&layout),
        .ranges = ranges,
        .n_ranges = 2,
        .faults = mechanism,
        .wait = fl_wait_choose(layout.threads, fl_os_cpu_count(), 0, 0),
    });
}

int main(int argc, char **argv) {
    static const char *const names[] = {"userfaultfd", "mprotect"};
    unsigned long programs = argc > 1 ? strtoul(argv[1], NULL, 10) : 24;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (uint64_t seed = first; seed < first + programs; seed++) {
        for (int m = 0; m < 2; m++) {
            mechanism = names[m];
            int handle;
            const struct fl_fault_ops *ops = fl_fault_open(mechanism, &handle);
            if (!ops) {
                printf("# this kernel does not allow %s\n", mechanism);
                continue;
            }
            ops->close(handle);
            seed_now = seed;
            unsigned hosts = 1 + (unsigned)(seed % 4), threads = 1 + (unsigned)(seed / 4 % 4);
            char what[80];
            snprintf(what, sizeof what, "seed %llu, %s", (unsigned long long)seed, mechanism);
            run(what, new_world(hosts, 1, threads, body));
        }
    }
    return test_done();
}
