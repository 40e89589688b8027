/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random programs without data races on coherent memory, whose reads are compared with what one
 * thread alone would read. Memory is cut into units of 1 to 8 bytes, wherever they fall. Between two
 * barriers each unit has at most one writer, chosen anew and in several patterns, or belongs to a
 * lock, under which its whole group moves from one count to the next; mail is written without a
 * lock, and announced under one, between fences, by messages, by atomic operations, or is looked
 * for. In some programs, units are changed by atomic operations of all threads in some phases, and
 * the holder of a group's lock uses these on some members. Some programs fork and join, and their
 * first thread writes alone in between. Steady ones do the same in each phase, so that pages are
 * pushed to their readers. Ranges differ in what they begin with, in homes, and in whether these are
 * fixed: then the kernel writes there too.
 */
#ifndef FL_DSM_RANDOM_PROGRAM_FOR_TEST_H
#define FL_DSM_RANDOM_PROGRAM_FOR_TEST_H

#include "comm/world_for_test.h"
#include "dsm/memory_for_test.h"

enum {
    LEAST_PAGES = 2,
    MOST_PAGES = 40,
    GROUPS = 5, /* of units, each with a lock */
    MAILS = 8,  /* of a thread */
    MAIL_BYTES = 264,
    MOST_MEMBERS = 24,
    MOST_BLOCKS = MOST_PAGES + 40
};

#define SECOND (BASE + (1ull << 32))

/* Pages of the largest programs; one of so many programs operates atomically. */
static uint32_t most_pages = MOST_PAGES;
static unsigned atomic_every = 12;
static bool short_programs; /* two phases, with one section at most */

struct unit {
    uint32_t offset;
    uint8_t bytes;
    int8_t group; /* -1: none */
    bool atom;    /* threads operate on it atomically, in some phases */
};

/* One program, the same in all processes. */
struct program {
    uint64_t seed;
    uint32_t pages, phases, n_units, n_members[GROUPS];
    uint32_t members[GROUPS][MOST_MEMBERS];
    unsigned sections; /* of each thread in each phase */
    bool forks, steady, atomic;
    enum { BY_LOCK, BY_FENCES, BY_MESSAGES, BY_LOOKS, BY_ATOMICS, ANNOUNCINGS } announcing;
    struct fl_map_range ranges[2];
    uint16_t homes[2][MOST_BLOCKS];
    struct unit *units;
};

static uint64_t seed_now;
static struct program program;

static uint64_t mix(uint64_t a, uint64_t b) {
    return test_mix(a, b);
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
    program.pages = LEAST_PAGES + (uint32_t)(hash(1, 0, 0) % (most_pages - LEAST_PAGES));
    program.steady = hash(31, 0, 0) % 3 == 0;
    program.phases = (program.steady ? 6 : 2) + (uint32_t)(hash(2, 0, 0) % 7);
    program.sections = (unsigned)(hash(3, 0, 0) % 6);
    if (short_programs) {
        program.phases = 2;
        program.sections = program.sections > 0;
    }
    program.forks = hash(18, 0, 0) % 2;
    program.atomic = hash(34, 0, 0) % atomic_every == 0;
    program.announcing = hash(19, 0, 0) % (program.atomic ? ANNOUNCINGS : BY_ATOMICS);
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
        *unit = (struct unit){offset, bytes, -1, (random >> 40) % 64 == 0};
        unsigned group = (unsigned)(random >> 8) % 64;
        if (group < GROUPS && program.n_members[group] < MOST_MEMBERS) {
            unit->group = (int8_t)group;
            program.members[group][program.n_members[group]++] = index;
        }
        offset += bytes + (uint32_t)((random >> 20) % skip);
    }
}

static uint64_t limited(uint32_t unit, uint64_t value) {
    unsigned bytes = program.units[unit].bytes;
    return bytes == 8 ? value : value & ((1ull << 8 * bytes) - 1);
}

static const struct fl_map_range *range_of(uint32_t offset) {
    return &program.ranges[(uintptr_t)at(offset) >= SECOND];
}

static uint64_t first_value(uint32_t unit) {
    bool zero = program.units[unit].group >= 0 || !range_of(program.units[unit].offset)->kept;
    return zero ? 0 : limited(unit, hash(20, unit, 0));
}

/* Whether the kernel may touch the unit's memory here at any time: this host is its fixed home. */
static bool is_mine(uint32_t unit) {
    const struct fl_map_range *range = range_of(program.units[unit].offset);
    uintptr_t address = (uintptr_t)at(program.units[unit].offset);
    return range->fixed && fl_map_home(range, address - range->address) == layout.my_host;
}

/* The phase whose random numbers choose the writers in this one; the same in steady programs. */
static uint32_t habit(uint32_t phase) {
    return program.steady ? 0 : phase;
}

/* The thread that writes to a unit in a phase; UINT32_MAX: none. */
static unsigned writer(uint32_t unit, uint32_t phase, unsigned threads) {
    phase = habit(phase);
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
    return hash(11, unit, phase) % 4 ? limited(unit, hash(12, unit, phase)) : 0;
}

static uint64_t load(uint32_t unit) {
    TRANSPORT(access)();
    uint64_t value = 0;
    memcpy(&value, at(program.units[unit].offset), program.units[unit].bytes);
    return value;
}

static void store(uint32_t unit, uint64_t value) {
    TRANSPORT(access)();
    unsigned char *to = at(program.units[unit].offset);
    unsigned bytes = program.units[unit].bytes;
    int ends[2];
    if (is_mine(unit) && value % 32 == 0 && pipe(ends) == 0) {
        if (write(ends[1], &value, bytes) != bytes || read(ends[0], to, bytes) != bytes) {
            printf("# the kernel cannot write to unit %u\n", unit);
        }
        close(ends[0]);
        close(ends[1]);
    } else {
        memcpy(to, &value, bytes);
    }
}

/* An operation with a result, which the caller executes. */
static void begin_at(struct fl_atomic_op *op) {
    if (fl_dsm_atomic(op)) {
        abort();
    }
}

/* Stores `value` if the object is as `expected`; null: in any case. Returns what was there. */
static uint64_t exchange_at(void *at, unsigned bytes, bool relaxed, const uint64_t *expected,
                            uint64_t value) {
    struct fl_atomic_op op = {.at = at, .relaxed = relaxed};
    uint64_t old = 0;
    begin_at(&op);
    memcpy(&old, at, bytes);
    if (!expected || old == *expected) {
        memcpy(at, &value, bytes);
    }
    fl_dsm_atomic_end(&op);
    return old;
}

static uint64_t load_at(void *at, unsigned bytes, bool relaxed) {
    struct fl_atomic_op op = {.at = at, .relaxed = relaxed};
    uint64_t value = 0;
    begin_at(&op);
    memcpy(&value, at, bytes);
    fl_dsm_atomic_end(&op);
    return value;
}

static uint64_t swap(uint32_t unit, const uint64_t *expected, uint64_t value, uint64_t random) {
    const struct unit *u = &program.units[unit];
    return exchange_at(at(u->offset), u->bytes, random % 8, expected, value);
}

static uint64_t load_atomically(uint32_t unit, uint64_t random) {
    return load_at(at(program.units[unit].offset), program.units[unit].bytes, random % 8);
}

static void update_at(void *at, unsigned bytes, enum fl_atomic_kind kind, uint64_t value,
                      bool relaxed, bool may) {
    struct fl_atomic_op op = {.at = at, .relaxed = relaxed, .bytes = may ? bytes : 0, .kind = kind,
                              .value = value};
    uint64_t object = 0;
    if (!fl_dsm_atomic(&op)) {
        memcpy(&object, at, bytes);
        object = fl_atomic_updated(kind, bytes, object, value);
        memcpy(at, &object, bytes);
        fl_dsm_atomic_end(&op);
    }
}

/* By the memory's home, where the random number says so, and the home is willing. */
static void update(uint32_t unit, enum fl_atomic_kind kind, uint64_t value, uint64_t random) {
    const struct unit *u = &program.units[unit];
    update_at(at(u->offset), u->bytes, kind, value, random % 8, random >> 20 & 3);
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
    fflush(stdout); /* the process ends by _exit */
    return true;
}

/* ---- what a thread does ---- */

static uint64_t *count_of(unsigned group) {
    return (uint64_t *)(void *)at(program.pages * FL_MAP_PAGE + group * 8);
}

static uint64_t member_value(unsigned group, unsigned member, uint64_t count) {
    uint64_t value = count ? mix(count, group * 1000 + member) : 0;
    return limited(program.members[group][member], value);
}

/* Returns the member's old value. */
static uint64_t change_member(unsigned group, unsigned member, uint64_t count, uint64_t random) {
    uint32_t unit = program.members[group][member];
    uint64_t next = member_value(group, member, count + 1), is = load(unit);
    switch (random >> 16 & 3) {
    case 0: return swap(unit, NULL, next, random);
    case 1: return swap(unit, &is, next, random);
    default: store(unit, next); return is;
    }
}

static bool section(unsigned group, uint32_t phase, unsigned me) {
    bool good = true;
    fl_dsm_acquire(group * 7 + 1);
    uint64_t count = *count_of(group);
    for (unsigned m = 0; m < program.n_members[group]; m++) {
        uint32_t unit = program.members[group][m];
        uint64_t random = hash(32, mix(count, m), group) >> 1;
        uint64_t is =
            !program.atomic || random % 8 ? load(unit) : load_atomically(unit, random);
        good = good && !differs("a lock's unit", phase, me, unit, is, member_value(group, m, count));
    }
    for (unsigned m = 0; m < program.n_members[group]; m++) {
        uint64_t random = hash(33, mix(count, m), group) >> 1;
        uint64_t was = program.atomic ? change_member(group, m, count, random)
                                      : change_member(group, m, count, 3 << 16);
        good = good && !differs("a lock's unit, then", phase, me, program.members[group][m], was,
                                member_value(group, m, count));
    }
    *count_of(group) = count + 1;
    fl_dsm_release(group * 7 + 1);
    return good;
}

/* Mail lies one after the other, its writers' side by side. */
static unsigned char *mail(unsigned thread, uint32_t k, unsigned threads) {
    return at((program.pages + 2) * FL_MAP_PAGE + 8 * threads + (k * threads + thread) * MAIL_BYTES);
}

static _Atomic uint32_t *announced(unsigned thread) {
    return (_Atomic uint32_t *)(void *)at((program.pages + 2) * FL_MAP_PAGE + 8 * thread);
}

/* k + 1 when mail k has been written, if the program is atomic. */
static uint64_t *updated(unsigned thread, uint32_t k, unsigned threads) {
    _Static_assert(MOST_THREADS * MAILS * sizeof(uint64_t) <= FL_MAP_PAGE, "a page of their own");
    return (uint64_t *)(void *)at((program.pages + 1) * FL_MAP_PAGE + (k * threads + thread) * 8);
}

static _Atomic uint32_t told_by[MOST_THREADS]; /* mails that messages announce */

static void hear(void *context, const struct fl_comm_call *call) {
    (void)context;
    atomic_store(&told_by[call->words[0]], (uint32_t)call->words[1]);
}

static uint32_t announce_by_messages(uint32_t k, unsigned me, unsigned other) {
    const uint64_t words[2] = {me, k + 1};
    for (unsigned host = 0; host < layout.hosts; host++) {
        fl_dsm_tell(host);
        fl_comm_tell(host, FL_COMM_SPREAD, words, 2, NULL, 0);
    }
    uint32_t sent = atomic_load(&told_by[other]);
    fl_dsm_hear(fl_layout_host_of_thread(&layout, other));
    return sent;
}

/* Without any order: a thread that sees a count looks again, to see what was written before it. Some
 * wait for the other's count of this phase, and so look as soon as it is there. */
static uint32_t announce_for_looks(uint32_t k, unsigned me, unsigned other) {
    bool waits = hash(43, k, me) % 2;
    *announced(me) = k + 1;
    if (k % 2) {
        fl_dsm_look();
    }
    uint32_t sent;
    while ((sent = *announced(other)) <= k && waits) {
        fl_dsm_look();
    }
    fl_dsm_look();
    return sent;
}

/* Some are read by operations that order nothing, before a fence. */
static uint32_t announce_by_atomics(uint32_t k, unsigned me, unsigned other) {
    bool relaxed = hash(42, k, me) % 2;
    (void)exchange_at(announced(me), sizeof(uint32_t), false, NULL, k + 1);
    uint32_t sent = (uint32_t)load_at(announced(other), sizeof(uint32_t), relaxed);
    if (relaxed) {
        fl_dsm_fence();
    }
    return sent;
}

static uint32_t announce(uint32_t k, unsigned me, unsigned other) {
    if (program.announcing == BY_ATOMICS) {
        return announce_by_atomics(k, me, other);
    }
    if (program.announcing == BY_MESSAGES) {
        return announce_by_messages(k, me, other);
    }
    if (program.announcing == BY_LOOKS) {
        return announce_for_looks(k, me, other);
    }
    if (program.announcing == BY_FENCES) {
        fl_dsm_fence();
    } else {
        fl_dsm_acquire(2);
    }
    *announced(me) = k + 1;
    uint32_t sent = *announced(other);
    if (program.announcing == BY_FENCES) {
        fl_dsm_fence();
    } else {
        fl_dsm_release(2);
    }
    return sent;
}

static bool exchange(uint32_t k, unsigned me, unsigned threads) {
    memset(mail(me, k, threads), (int)(k + me + 1), MAIL_BYTES);
    unsigned other = (unsigned)(hash(13, k, me) % threads);
    if (program.atomic) {
        update_at(updated(me, k, threads), sizeof(uint64_t), FL_ATOMIC_ADD, k + 1, true, true);
    }
    uint32_t sent = announce(k, me, other);
    for (uint32_t i = 0; i < sent; i++) {
        const unsigned char *text = mail(other, i, threads);
        if (differs("mail", k, me, i, text[0], (unsigned char)(i + other + 1)) ||
            memcmp(text, text + 1, MAIL_BYTES - 1) != 0 ||
            (program.atomic &&
             differs("update", k, me, i, *updated(other, i, threads), i + 1))) {
            return false;
        }
    }
    /* Takes the lock away from the home of the updates, which has to get it back for the next. */
    bool takes = program.atomic && sent > 0 && hash(44, k, me) % 2;
    uint64_t *last = updated(other, takes ? sent - 1 : 0, threads);
    return !takes ||
           !differs("last update", k, me, other, load_at(last, sizeof *last, true), sent);
}

static bool sections(unsigned n, uint32_t phase, unsigned me) {
    bool good = true;
    for (unsigned s = 0; s < n; s++) {
        uint64_t random = hash(15, phase * 100 + s, me);
        good = good && section((unsigned)(random % GROUPS), phase, me);
        if (random >> 8 & 1) {
            fl_os_yield();
        }
    }
    return good;
}

/* ---- atomic operations of a phase ---- */

static bool is_atomic(uint32_t unit, uint32_t phase) {
    return program.atomic && program.units[unit].atom && program.units[unit].group < 0 &&
           hash(35, habit(phase), unit) % 2;
}

/* How many operations of a thread; of some units, one thread has them all. */
static unsigned operations(uint32_t unit, uint32_t phase, unsigned me, unsigned threads) {
    uint64_t random = hash(36, habit(phase), unit);
    bool all = random % 3, mine = random / 3 % threads == me;
    return all ? (unsigned)(random >> 32) % 3 : mine ? (unsigned)(random >> 32) % 24 : 0;
}

static uint64_t added(uint32_t unit, uint32_t phase, unsigned me) {
    return hash(37, phase, unit) % 1000 + me;
}

static void add_all(uint32_t unit, uint32_t phase, unsigned threads, uint64_t *model) {
    for (unsigned t = 0; t < threads; t++) {
        model[unit] += operations(unit, phase, t, threads) * added(unit, phase, t);
    }
    model[unit] = limited(unit, model[unit]);
}

static void add(uint32_t unit, uint64_t more, uint64_t random) {
    uint64_t seen;
    switch (random >> 16 & 3) {
    case 0:
        for (uint64_t is = load_atomically(unit, random);
             (seen = swap(unit, &is, is + more, random)) != is; is = seen) {
        }
        break;
    case 1: update(unit, FL_ATOMIC_SUB, 0 - more, random); break;
    default: update(unit, FL_ATOMIC_ADD, more, random); break;
    }
}

/* In this thread's own order; a unit that no other thread changes has the value stored here, and may
 * be written as other memory. */
static bool operate_on_all(uint32_t phase, unsigned me, unsigned threads, const uint64_t *model) {
    bool good = true;
    for (uint32_t i = 0; i < program.n_units; i++) {
        uint32_t u = (uint32_t)((i + hash(38, phase, me)) % program.n_units);
        if (!is_atomic(u, phase)) {
            continue;
        }
        unsigned n = operations(u, phase, me, threads);
        bool alone = hash(36, habit(phase), u) % 3 == 0;
        uint64_t is = model[u];
        for (unsigned k = 0; k < n; k++) {
            uint64_t random = hash(39, mix(u, k), mix(phase, me)) >> 1;
            is = limited(u, is + added(u, phase, me));
            if (alone && (random >> 25) % 4 == 0) {
                store(u, is);
            } else {
                add(u, added(u, phase, me), random);
            }
            good = good && !(alone && random >> 24 & 1 && differs("atom", phase, me, u, load(u), is));
        }
    }
    return good;
}

/* Writes this thread's units: before the sections, or the units that are left until after them. */
static bool write_units(uint32_t phase, unsigned me, unsigned threads, uint64_t *model, bool late) {
    bool good = true;
    for (uint32_t u = 0; u < program.n_units; u++) {
        if (program.units[u].group >= 0 || (hash(29, phase, u) % 4 == 0) != late ||
            is_atomic(u, phase)) {
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
    return good;
}

static bool write_phase(uint32_t phase, unsigned me, unsigned threads, uint64_t *model) {
    bool good = write_units(phase, me, threads, model, false);
    good = operate_on_all(phase, me, threads, model) && good;
    good = sections(program.sections, phase, me) && good;
    if (program.sections && phase < MAILS) {
        good = good && exchange(phase, me, threads);
    }
    good = write_units(phase, me, threads, model, true) && good;
    for (uint32_t u = 0; u < program.n_units; u++) {
        if (is_atomic(u, phase)) {
            add_all(u, phase, threads, model);
        }
    }
    return good;
}

static bool read_phase(uint32_t phase, unsigned me, const uint64_t *model) {
    bool good = true;
    uint64_t kind = hash(16, habit(phase), me) % 4;
    for (uint32_t u = 0; u < program.n_units && kind; u++) {
        if (program.units[u].group < 0 && (kind == 1 || hash(17, u, me) % 8 == 0)) {
            good = good && !differs("after", phase, me, u, load(u), model[u]);
        }
    }
    return good;
}

/* ---- a thread of a program without forks, and of one with them ---- */

static bool with_barriers(unsigned me, unsigned threads, uint64_t *model) {
    bool good = true;
    for (uint32_t phase = 0; phase < program.phases; phase++) {
        good = write_phase(phase, me, threads, model) && good;
        fl_dsm_barrier();
        good = read_phase(phase, me, model) && good;
        fl_dsm_barrier();
    }
    return good;
}

/* The first thread of a host calls `act` while its others wait. */
static void alone_on_host(unsigned me, void act(void)) {
    static _Atomic uint32_t here, passed;
    uint32_t before = atomic_load(&passed) & ~(uint32_t)FL_WAIT_SLEEPING;
    bool first = me == fl_layout_first_thread_of_proc(&layout, layout.me);
    uint32_t n = fl_layout_my_threads(&layout);
    struct fl_wait_policy wait = fl_wait_choose(layout.threads, fl_os_cpu_count(), 0, 0);
    atomic_fetch_add(&here, 1);
    if (!first) {
        fl_wait_change(&passed, before, wait);
        return;
    }
    while (atomic_load(&here) < n) {
        fl_os_yield();
    }
    atomic_store(&here, 0);
    act();
    fl_wait_publish(&passed, before + 2);
}

static bool message_came;
static uint64_t message;

static void join_and_fork(void) {
    fl_dsm_join();
    message_came = true;
    if (layout.me > 0) {
        uint64_t got[2] = {0};
        message_came = fl_dsm_fork_wait(got, sizeof got) == sizeof message && got[0] == ++message;
    }
}

static void fork_only(void) {
    if (layout.me == 0) {
        message++;
        fl_dsm_fork(&message, sizeof message);
    }
}

static bool writes_alone(uint32_t unit, uint32_t phase) {
    phase = habit(phase);
    return program.units[unit].group < 0 && hash(21, phase, 0) % 3 &&
           hash(22, phase, unit) % (1 + hash(23, phase, 0) % 32) == 0;
}

static bool alone_phase(uint32_t phase, unsigned me, uint64_t *model) {
    bool good = true;
    for (uint32_t u = 0; u < program.n_units; u++) {
        bool written = writes_alone(u, phase);
        if (me == 0 && program.units[u].group < 0 && (written || hash(24, phase, u) % 4 == 0)) {
            good = good && !differs("alone", phase, me, u, load(u), model[u]);
        }
        if (written) {
            model[u] = limited(u, hash(25, phase, u));
        }
        if (me == 0 && written) {
            store(u, model[u]);
        }
    }
    return me == 0 ? sections(program.sections / 2, 50 + phase, me) && good : good;
}

static bool with_forks(unsigned me, unsigned threads, uint64_t *model) {
    bool good = true;
    for (uint32_t phase = 0; phase < program.phases; phase++) {
        alone_on_host(me, join_and_fork);
        good = alone_phase(phase, me, model) && good;
        alone_on_host(me, fork_only);
        good = good && !differs("message", phase, me, 0, message_came, true);
        good = write_phase(phase, me, threads, model) && good;
        if (hash(26, phase, 0) % 2) {
            alone_on_host(me, fl_dsm_barrier_hosts);
            good = read_phase(phase, me, model) && good;
        }
    }
    alone_on_host(me, fl_dsm_barrier_hosts);
    return good;
}

static bool body(unsigned me, void *context) {
    (void)context;
    fl_dsm_thread_start();
    unsigned threads = layout.threads;
    uint64_t *model = calloc(program.n_units, sizeof *model);
    for (uint32_t u = 0; u < program.n_units; u++) {
        model[u] = first_value(u);
    }
    bool good = program.forks ? with_forks(me, threads, model) : with_barriers(me, threads, model);
    uint64_t done = 0, should = (uint64_t)program.sections * program.phases * threads;
    for (unsigned g = 0; g < GROUPS; g++) {
        done += *count_of(g);
    }
    should += program.forks ? program.sections / 2 * program.phases : 0;
    good = good && !differs("sections", 99, me, UINT32_MAX, done, should);
    free(model);
    return good;
}

static void make_range(unsigned r, uintptr_t address, uint32_t pages) {
    struct fl_map_range *range = &program.ranges[r];
    uint64_t random = hash(27, r, 0);
    *range = (struct fl_map_range){.address = address,
                                   .bytes = (uint64_t)pages * FL_MAP_PAGE,
                                   .fixed = random % 3 == 0,
                                   .kept = random >> 8 & 1};
    if (random >> 16 & 1) {
        range->homes = program.homes[r];
        range->block_bytes = (1 + (random >> 24) % 3) * FL_MAP_PAGE;
    }
    for (unsigned b = 0; b < MOST_BLOCKS; b++) {
        program.homes[r][b] = (uint16_t)(hash(28, r, b) % layout.hosts);
    }
    if (range->kept && mmap((void *)address, range->bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    for (uint32_t u = 0; range->kept && u < program.n_units; u++) {
        uint32_t offset = program.units[u].offset;
        if (range_of(offset) == range) {
            bool home = fl_map_home(range, (uintptr_t)at(offset) - address) == layout.my_host;
            uint64_t value = home ? first_value(u) : ~first_value(u);
            memcpy(at(offset), &value, program.units[u].bytes);
        }
    }
}

static void register_handlers(void) {
    make_program(seed_now);
    uint32_t pages = program.pages + 3 + MOST_THREADS * (8 + MAILS * MAIL_BYTES) / FL_MAP_PAGE;
    uint32_t half = (program.pages + 1) / 2;
    make_range(0, BASE, half);
    make_range(1, SECOND, pages - half);
    looks = program.announcing == BY_LOOKS;
    start_memory(program.ranges, 2);
    fl_comm_register(FL_COMM_SPREAD, hear, NULL);
}

/* For check_race: there are none. */
static inline void fail_for_race(const struct fl_dsm_race *race) {
    printf("# a race of hosts %u and %u on %zu bytes at %#zx\n", race->sides[0].host,
           race->sides[1].host, race->bytes, (size_t)race->address);
    fflush(stdout);
    _exit(1);
}

#endif
