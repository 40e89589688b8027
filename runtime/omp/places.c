/* SPDX-License-Identifier: BSD-3-Clause */
/* See places.h. */
#include "omp/places.h"

#include "core/fatal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { WORDS = 16, MOST_CPUS = WORDS * 64 };

struct place {
    uint64_t cpus[WORDS];
};

static struct {
    struct place *list; /* null: there are none */
    unsigned n;
    bool read; /* given by OMP_PLACES or GOMP_CPU_AFFINITY */
} places;

unsigned fl_omp_places_count(void) {
    return places.n;
}

static bool has(const struct place *place, unsigned cpu) {
    return place->cpus[cpu / 64] >> cpu % 64 & 1;
}

static void include(struct place *place, unsigned cpu) {
    place->cpus[cpu / 64] |= 1ull << cpu % 64;
}

int fl_omp_place_next_cpu(unsigned place, int cpu) {
    for (; place < places.n && cpu < MOST_CPUS; cpu++) {
        if (has(&places.list[place], (unsigned)cpu)) {
            return cpu;
        }
    }
    return -1;
}

/* Adds a place without the CPUs that the process may not use; a place of such CPUs alone is
 * dropped. */
static void add(struct place place) {
    struct place usable;
    bool any = false;
    fl_os_cpu_set(usable.cpus, WORDS);
    for (unsigned i = 0; i < WORDS; i++) {
        place.cpus[i] &= usable.cpus[i];
        any |= place.cpus[i] != 0;
    }
    if (!any) {
        return;
    }
    struct place *list = FL_ALLOCATED(realloc(places.list, (places.n + 1) * sizeof *list),
                                      "OpenMP places");
    places.list = list;
    places.list[places.n++] = place;
}

/* ---- what the variables say ---- */

static const char *skip(const char *text) {
    return text + strspn(text, " \t\n");
}

static bool number(const char **text_p, long *value_p) {
    char *end;
    *value_p = strtol(*text_p, &end, 10);
    bool good = end != *text_p;
    *text_p = skip(end);
    return good;
}

static bool sign(const char **text_p, char sign) {
    if (**text_p != sign) {
        return false;
    }
    *text_p = skip(*text_p + 1);
    return true;
}

/* [":" length [":" stride]]; 1 and 1 by default. */
static bool interval(const char **text_p, long *length_p, long *stride_p) {
    *length_p = *stride_p = 1;
    return !sign(text_p, ':') ||
           (number(text_p, length_p) && *length_p > 0 &&
            (!sign(text_p, ':') || number(text_p, stride_p)));
}

/* cpus = ["!"] number interval? */
static bool read_cpus(const char **text_p, struct place *place) {
    bool without = sign(text_p, '!');
    long first, length, stride;
    if (!number(text_p, &first) || !interval(text_p, &length, &stride)) {
        return false;
    }
    for (long i = 0, cpu = first; i < length; i++, cpu += stride) {
        if (cpu < 0 || cpu >= MOST_CPUS) {
            continue;
        }
        if (without) {
            place->cpus[cpu / 64] &= ~(1ull << cpu % 64);
        } else {
            include(place, (unsigned)cpu);
        }
    }
    return true;
}

/* place = "{" cpus {"," cpus} "}" interval? */
static bool read_place(const char **text_p) {
    struct place place = {0};
    long length, stride;
    if (!sign(text_p, '{')) {
        return false;
    }
    do {
        if (!read_cpus(text_p, &place)) {
            return false;
        }
    } while (sign(text_p, ','));
    if (!sign(text_p, '}') || !interval(text_p, &length, &stride)) {
        return false;
    }
    for (long i = 0; i < length; i++) {
        struct place moved = {0};
        for (long cpu = 0; cpu < MOST_CPUS; cpu++) {
            long to = cpu + i * stride;
            if (has(&place, (unsigned)cpu) && to >= 0 && to < MOST_CPUS) {
                include(&moved, (unsigned)to);
            }
        }
        add(moved);
    }
    return true;
}

/* One place for each group of CPUs, at most `most`. */
static void add_groups(enum fl_os_cpu_group group, unsigned most) {
    struct place usable;
    unsigned known[MOST_CPUS];
    unsigned n = 0;
    fl_os_cpu_set(usable.cpus, WORDS);
    for (unsigned cpu = 0; cpu < MOST_CPUS; cpu++) {
        known[cpu] = has(&usable, cpu) ? fl_os_cpu_first_of(cpu, group) : UINT32_MAX;
    }
    for (unsigned cpu = 0; cpu < MOST_CPUS && n < most; cpu++) {
        if (known[cpu] == UINT32_MAX) {
            continue;
        }
        struct place place = {0};
        for (unsigned other = MOST_CPUS; other-- > cpu;) {
            if (known[other] == known[cpu]) {
                include(&place, other);
                known[other] = other == cpu ? known[other] : UINT32_MAX;
            }
        }
        add(place);
        n++;
    }
}

static const struct {
    const char *name;
    enum fl_os_cpu_group group;
} groups[] = {{"threads", FL_OS_CPU_ALONE},    {"cores", FL_OS_CPU_CORE},
              {"sockets", FL_OS_CPU_SOCKET},   {"ll_caches", FL_OS_CPU_CACHE},
              {"numa_domains", FL_OS_CPU_NUMA}};

/* places = name ["(" number ")"] | place {"," place} */
static bool read_places(const char *text) {
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        size_t length = strlen(groups[i].name);
        if (strncasecmp(text, groups[i].name, length) == 0) {
            long most = MOST_CPUS;
            text = skip(text + length);
            if (sign(&text, '(') && (!number(&text, &most) || most < 1 || !sign(&text, ')'))) {
                return false;
            }
            add_groups(groups[i].group, (unsigned)most);
            return !*text;
        }
    }
    do {
        if (!read_place(&text)) {
            return false;
        }
    } while (sign(&text, ','));
    return !*text;
}

static bool finish(bool good) {
    if (!good) {
        free(places.list);
        places.list = NULL;
        places.n = 0;
    }
    places.read = places.n > 0;
    return good;
}

bool fl_omp_places_read(const char *text) {
    finish(false);
    return finish(read_places(skip(text)));
}

/* {first ["-" last [":" stride]]}, with blanks or commas between: each CPU is a place. */
static bool read_list(const char *text) {
    for (text = skip(text); *text; sign(&text, ',')) {
        long first, last, stride = 1;
        if (!number(&text, &first)) {
            return false;
        }
        last = first;
        if (sign(&text, '-') && (!number(&text, &last) ||
                                 (sign(&text, ':') && (!number(&text, &stride) || stride < 1)))) {
            return false;
        }
        for (long cpu = first; cpu <= last; cpu += stride) {
            struct place place = {0};
            if (cpu >= 0 && cpu < MOST_CPUS) {
                include(&place, (unsigned)cpu);
            }
            add(place);
        }
    }
    return true;
}

bool fl_omp_places_read_cpus(struct fl_omp_program *program, const char *text) {
    (void)program;
    return finish(read_list(text));
}

void fl_omp_places_show(FILE *to) {
    for (unsigned i = 0; i < places.n; i++) {
        const char *between = i ? ",{" : "{";
        for (int cpu = fl_omp_place_next_cpu(i, 0); cpu >= 0;
             cpu = fl_omp_place_next_cpu(i, cpu + 1)) {
            fprintf(to, "%s%d", between, cpu);
            between = ",";
        }
        fputs("}", to);
    }
}

/* ---- binding ---- */

static void bind_to(struct fl_omp_member *me, unsigned place) {
    if (me->bound != place + 1) {
        (void)fl_os_cpu_bind_set(places.list[place].cpus, WORDS); /* else it runs anywhere */
        me->bound = place + 1;
    }
    me->place = (int)place;
}

void fl_omp_places_start(void) {
    struct fl_omp_icvs *icvs = &fl_omp_program.icvs;
    if (places.read && fl_omp_program.n_binds == 0) {
        icvs->bind = FL_OMP_BIND_TRUE;
    }
    if (icvs->bind == FL_OMP_BIND_FALSE) {
        return;
    }
    if (!places.read) {
        add_groups(FL_OS_CPU_CORE, MOST_CPUS);
    }
    if (places.n > 0) {
        struct fl_omp_member *me = fl_omp_self();
        me->places_first = 0;
        me->places_n = places.n;
        bind_to(me, 0);
    }
}

/* The first place of part `i`, where `n` places are divided into `parts`. */
static unsigned begin_of(unsigned i, unsigned parts, unsigned n) {
    return (unsigned)((uint64_t)i * n / parts);
}

/* Member `i` of `n`, where the master has place `at` of `places_n`. */
static void spread(struct fl_omp_member *me, unsigned i, unsigned n, unsigned at) {
    unsigned part = 0;
    while (begin_of(part + 1, n, me->places_n) <= at) {
        part++; /* the master's */
    }
    part = (part + i) % n;
    unsigned begin = begin_of(part, n, me->places_n);
    unsigned end = begin_of(part + 1, n, me->places_n);
    bind_to(me, me->places_first + (i == 0 ? at : begin));
    me->places_first += begin;
    me->places_n = end - begin;
}

void fl_omp_places_bind(struct fl_omp_member *me) {
    const struct fl_omp_team *team = me->team;
    struct fl_omp_member *outer = team->outer;
    unsigned n = team->n, i = me->index;
    me->places_first = outer->places_first;
    me->places_n = outer->places_n;
    unsigned at = (unsigned)outer->place - outer->places_first;
    if (team->bind == FL_OMP_BIND_PRIMARY) {
        bind_to(me, (unsigned)outer->place);
    } else if (team->bind == FL_OMP_BIND_SPREAD && n <= me->places_n) {
        spread(me, i, n, at);
    } else {
        unsigned offset = n <= me->places_n ? i : begin_of(i, n, me->places_n);
        bind_to(me, me->places_first + (at + offset) % me->places_n);
        if (team->bind == FL_OMP_BIND_SPREAD) {
            me->places_first = (unsigned)me->place;
            me->places_n = 1;
        }
    }
    if (i == 0) {
        outer->bound = me->bound; /* the same thread, which stays there */
    }
}
