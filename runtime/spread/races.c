/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What omprun -check says of races between hosts (dsm/check.c): each variable once, when its first race
 * is found, and at the end how many there were. Memory that has no name counts as the same if the same
 * places write to it. Host 0 alone speaks.
 */
#include "spread/inside.h"

#include <stdio.h>
#include <string.h>

enum { FINDINGS_MOST = 256 };

struct finding {
    uintptr_t key[2]; /* the variable and 0; else two places of the program */
    char name[128];
    uint64_t times;
};

static struct {
    struct finding all[FINDINGS_MOST];
    unsigned n;
    bool are_more;
} races;

/* ---- names ---- */

/* Compilers have functions of their own for constructs, and number static variables of functions. */
static void strip(char *name) {
    static const char *const ends[] = {"._omp_fn.", ".omp_outlined", ".", NULL};
    for (unsigned i = 0; ends[i]; i++) {
        char *end = strstr(name, ends[i]);
        if (end && end > name) {
            *end = '\0';
        }
    }
}

static bool is_on_stack(uintptr_t address) {
    uint64_t bytes = (uint64_t)fl_spread_hosts() * fl_spread.stacks * fl_spread.stack_bytes;
    return address - FL_SPREAD_STACK_BASE < bytes;
}

static void name_variable(const struct fl_dsm_race *race, struct finding *finding) {
    struct fl_os_symbol symbol;
    if (fl_os_symbol_at(race->address, false, &symbol)) {
        strip(symbol.name);
        finding->key[0] = symbol.begin;
        snprintf(finding->name, sizeof finding->name, "`%.120s`", symbol.name);
        return;
    }
    bool swap = race->sides[0].pc > race->sides[1].pc;
    finding->key[0] = race->sides[swap].pc;
    finding->key[1] = race->sides[!swap].pc;
    snprintf(finding->name, sizeof finding->name, "%s",
             is_on_stack(race->address) ? "a variable on a stack" : symbol.file[0]
                                              ? "static data without a name"
                                              : "memory of the heap");
}

/* "a.c:12", by the debugger's tables, if they are there and can be read. */
static bool find_line(uintptr_t pc, const struct fl_os_symbol *symbol, char *line, size_t room) {
    char command[128];
    snprintf(command, sizeof command, "addr2line -s -e /proc/%d/exe 0x%llx 2>/dev/null",
             fl_spread.pid, (unsigned long long)(pc - symbol->shift));
    bool is_program = strcmp(symbol->file, "/proc/self/exe") == 0;
    FILE *lines = is_program ? popen(command, "r") : NULL;
    bool found = lines && fgets(line, (int)room, lines) && !strchr(line, '?');
    if (lines) {
        pclose(lines);
    }
    line[found ? strcspn(line, " \n") : 0] = '\0';
    return found;
}

static void say_side(const struct fl_dsm_race_side *side) {
    struct fl_os_symbol symbol;
    char line[128];
    fprintf(stderr, "  host %u writes it", side->host);
    if (side->pc && fl_os_symbol_at(side->pc, true, &symbol)) {
        strip(symbol.name);
        fprintf(stderr, "%s `%s`", side->is_exact ? ", in" : "; it wrote to its page first in",
                symbol.name);
        if (find_line(side->pc, &symbol, line, sizeof line)) {
            fprintf(stderr, " (%s)", line);
        }
    }
}

/* ---- what is said ---- */

static void say(const struct fl_dsm_race *race, const struct finding *finding) {
    fprintf(stderr, "warning[%s]: data race on %s", fl_code_text(FL_CODE_RACE), finding->name);
    if (finding->key[1] == 0 && race->address > finding->key[0]) {
        fprintf(stderr, " + %llu", (unsigned long long)(race->address - finding->key[0]));
    }
    fprintf(stderr, " (%zu byte%s at 0x%llx)\n", race->bytes, race->bytes == 1 ? "" : "s",
            (unsigned long long)race->address);
    say_side(&race->sides[0]);
    fputc('\n', stderr);
    say_side(&race->sides[1]);
    fputs(", and nothing says which comes first\n"
          "  a barrier between them, a critical construct or a lock around both, an atomic "
          "construct for each, or a reduction would order them\n",
          stderr);
}

static struct finding *find(const struct finding *like) {
    unsigned i = 0;
    while (i < races.n && memcmp(races.all[i].key, like->key, sizeof like->key) != 0) {
        i++;
    }
    return i < races.n ? &races.all[i] : NULL;
}

void fl_races_note(const struct fl_dsm_race *race) {
    struct finding finding = {.times = 1};
    name_variable(race, &finding);
    struct finding *known = find(&finding);
    if (known) {
        known->times++;
    } else if (races.n < FINDINGS_MOST) {
        races.all[races.n++] = finding;
        say(race, &finding);
    } else {
        races.are_more = true;
    }
}

int fl_races_end(int status) {
    if (fl_spread_me() > 0 || !fl_spread.params.omp_check) {
        return status;
    }
    if (!fl_dsm_check_is_whole()) {
        fl_warn("omprun -check: between two barriers hosts have written more than is compared");
    }
    for (unsigned i = 0; i < races.n; i++) {
        fprintf(stderr, "%s%s %llu time%s", i > 0 ? ", " : "omprun -check: races on ",
                races.all[i].name, (unsigned long long)races.all[i].times,
                races.all[i].times == 1 ? "" : "s");
    }
    if (races.n > 0) {
        fprintf(stderr, "%s\n", races.are_more ? ", and on more" : "");
    }
    return status == 0 && races.n > 0 ? (int)fl_spread.params.check_exit : status;
}
