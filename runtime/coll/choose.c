/* SPDX-License-Identifier: BSD-3-Clause */
/* See choose.h. */
#include "coll/choose.h"

#include "coll/shape.h"
#include "core/fatal.h"
#include "core/params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The table of a machine that has not been measured. */
static const char built_in[] =
    "# operation    waiting members CPUs   hosts   bytes algorithm\n"
    "gather         none    *       *      *       *     push\n"
    "permute        none    *       *      *       *     push\n"
    "*              none    *       *      *       *     pull\n"
    "prefix_reduce  *       *       *      several *     meet\n"
    "reduce         *       *       *      several *     post\n"
    "reduce_all     *       *       *      several *     post\n"
    "*              *       *       *      several *     post\n"
    "gather         *       *       *      several *     push\n"
    "permute        all     *       *      several *     push\n"
    "broadcast      *       *       *      several *     levels\n"
    "gather_all     *       *       *      several *     levels\n"
    "*              *       *       *      several *     pull\n"
    "exchange       all     8       shared *       4K    last\n"
    "exchange       all     *       shared *       1K    last\n"
    "gather_all     all     16      shared *       16K   last\n"
    "gather_all     all     *       shared *       1K    last\n"
    "gather_all     all     *       shared *       *     push\n"
    "permute        all     4       own    *       128   last\n"
    "exchange       all     4       own    *       16    last\n"
    "gather_all     all     4       own    *       16    last\n"
    "gather         all     4       own    *       16    last\n"
    "broadcast      all     4       own    *       8     last\n"
    "scatter        all     4       own    *       8     last\n"
    "exchange       all     *       *      *       *     pull\n"
    "gather_all     all     *       *      *       *     pull\n"
    "reduce         all     *       own    *       4K    last\n"
    "reduce_all     all     *       own    *       4K    last\n"
    "prefix_reduce  all     *       own    *       16K   last\n"
    "vector_reduce     all  *       own    *       64    last\n"
    "vector_reduce_all all  *       own    *       256   last\n"
    "*              all     *       shared *       16K   last\n"
    "reduce         all     *       *      *       *     meet\n"
    "reduce_all     all     *       *      *       *     meet\n"
    "prefix_reduce  all     *       shared *       *     meet\n"
    "reduce_all     some    4       *      *       *     post\n"
    "reduce_all     *       8       own    *       *     post\n"
    "reduce_all     *       *       *      *       *     meet\n"
    "vector_reduce     some *       own    *       1K    post\n"
    "vector_reduce_all some *       own    *       64    post\n"
    "vector_reduce     some *       shared *       16K   post\n"
    "vector_reduce_all some *       shared *       16K   last\n"
    "*                 *    *       *      *       *     slice\n"
    "exchange       some    *       shared *       *     later\n"
    "gather_all     some    16      shared *       *     later\n"
    "gather_all     some    *       shared *       1K    post\n"
    "gather_all     some    *       shared *       *     later\n"
    "permute        some    *       shared *       4K    post\n"
    "permute        some    *       shared *       *     later\n"
    "exchange       some    *       own    *       256   post\n"
    "permute        some    *       own    *       256   post\n"
    "gather_all     some    *       own    *       256   post\n"
    "exchange       some    *       own    *       *     pull\n"
    "permute        some    *       own    *       *     push\n"
    "gather_all     some    *       own    *       *     pull\n"
    "reduce         some    *       *      *       *     post\n"
    "prefix_reduce  some    *       *      *       *     post\n"
    "*              some    *       own    *       2K    post\n"
    "*              some    *       shared *       16K   post\n"
    "gather         *       *       *      *       *     push\n"
    "permute        *       *       *      *       *     push\n"
    "*              *       *       *      *       *     pull\n"
    "*              *       *       *      *       *     post\n";

enum { MOVES = (1 << FL_COLL_REDUCE) - 1 };
enum { ROOTED = 1 << FL_COLL_BROADCAST };
enum { SPREADING = 1 << FL_COLL_BROADCAST | 1 << FL_COLL_GATHER_ALL };
enum { VECTORS = 1 << FL_COLL_VECTOR_REDUCE | 1 << FL_COLL_VECTOR_REDUCE_ALL };
enum { REDUCTIONS = (1 << FL_COLL_VECTOR_REDUCE) - 1 - MOVES, ONE = 1, ANY = UINT16_MAX };

static const struct {
    const char *name;
    unsigned operations;
    unsigned hosts;
} algorithms[] = {
#define FL_COLL_ALGORITHM(identifier, name, operations, hosts) {name, (unsigned)(operations), hosts},
#include "coll/algorithms.def"
#undef FL_COLL_ALGORITHM
};

static const char *const operation_names[] = {
#define FL_COLL_OPERATION(identifier, name) name,
    FL_COLL_OPERATIONS
#undef FL_COLL_OPERATION
};

enum { ANYTHING = -1 };

/* A rule, as it is read. */
struct rule {
    int operation;
    bool waits[FL_COLL_SYNCS][FL_COLL_SYNCS];
    uint64_t members;
    int crowded, several;
    uint64_t bytes;
    int algorithm;
};

enum { FIELDS = 7, WORD = 24 };

static int find(const char *word, const char *const *names, int n) {
    int i = 0;
    while (i < n && strcmp(word, names[i]) != 0) {
        i++;
    }
    return i;
}

static int find_algorithm(const char *word) {
    int i = 0;
    while (i < FL_COLL_N_ALGORITHMS && strcmp(word, algorithms[i].name) != 0) {
        i++;
    }
    return i;
}

static bool read_operation(const char *word, int *operation_p) {
    *operation_p = strcmp(word, "*") == 0 ? ANYTHING
                                          : find(word, operation_names, FL_COLL_N_OPERATIONS);
    return *operation_p < FL_COLL_N_OPERATIONS;
}

/* waiting = "*" | "none" | "some" | "all" | sync "/" sync; sync = "no" | "my" | "all" */
static bool read_waiting(const char *word, struct rule *rule) {
    static const char *const syncs[] = {"no", "my", "all"};
    bool good = false;
    for (unsigned in = 0; in < FL_COLL_SYNCS; in++) {
        for (unsigned out = 0; out < FL_COLL_SYNCS; out++) {
            char pair[WORD];
            snprintf(pair, sizeof pair, "%s/%s", syncs[in], syncs[out]);
            const char *class = in == FL_COLL_ALL || out == FL_COLL_ALL     ? "all"
                                : in == FL_COLL_NONE && out == FL_COLL_NONE ? "none"
                                                                            : "some";
            rule->waits[in][out] = strcmp(word, "*") == 0 || strcmp(word, class) == 0 ||
                                   strcmp(word, pair) == 0;
            good |= rule->waits[in][out];
        }
    }
    return good;
}

static bool read_size(const char *word, uint64_t *size_p) {
    *size_p = UINT64_MAX;
    return strcmp(word, "*") == 0 || fl_params_parse_size(word, 1, size_p);
}

static bool read_either(const char *word, const char *no, const char *yes, int *is_p) {
    *is_p = strcmp(word, "*") == 0 ? ANYTHING : strcmp(word, yes) == 0;
    return *is_p || strcmp(word, no) == 0;
}

static bool read_rule(char words[FIELDS][WORD], struct rule *rule) {
    rule->algorithm = find_algorithm(words[6]);
    return read_operation(words[0], &rule->operation) && read_waiting(words[1], rule) &&
           read_size(words[2], &rule->members) &&
           read_either(words[3], "own", "shared", &rule->crowded) &&
           read_either(words[4], "one", "several", &rule->several) &&
           read_size(words[5], &rule->bytes) && rule->algorithm < FL_COLL_N_ALGORITHMS;
}

/* The size up to which an algorithm can do an operation; 0: it cannot. */
static size_t most_of(const struct fl_coll_situation *situation, unsigned operation,
                      int algorithm) {
    if (!(algorithms[algorithm].operations & 1u << operation) ||
        situation->hosts > algorithms[algorithm].hosts) {
        return 0;
    }
    if (algorithm == FL_COLL_BY_POST && operation == FL_COLL_PREFIX_REDUCE &&
        situation->hosts > 1) {
        return 0; /* no member would wait for the last parts (team.h) */
    }
    if (algorithm == FL_COLL_BY_POST && !(1u << operation & REDUCTIONS)) {
        return fl_coll_post_most(situation->members, situation->hosts,
                                 operation == FL_COLL_EXCHANGE);
    }
    return SIZE_MAX;
}

/* Appends to a list that does not reach that size yet. */
static void append(struct fl_coll_choice *list, size_t most, int algorithm) {
    unsigned n = 0;
    while (n < FL_COLL_SIZES && list[n].most != 0 && list[n].most < most) {
        n++;
    }
    if (n < FL_COLL_SIZES && list[n].most == 0 && (n < FL_COLL_SIZES - 1 || most == SIZE_MAX)) {
        list[n] = (struct fl_coll_choice){most, (enum fl_coll_algorithm)algorithm};
    }
}

static void apply(struct fl_coll_choices *choices, const struct fl_coll_situation *situation,
                  const struct rule *rule) {
    if (situation->members > rule->members ||
        (rule->crowded != ANYTHING && rule->crowded != situation->crowded) ||
        (rule->several != ANYTHING && rule->several != (situation->hosts > 1))) {
        return;
    }
    for (unsigned op = 0; op < FL_COLL_N_OPERATIONS; op++) {
        size_t most = most_of(situation, op, rule->algorithm);
        most = most < rule->bytes ? most : rule->bytes;
        for (unsigned w = 0; w < FL_COLL_SYNCS * FL_COLL_SYNCS; w++) {
            unsigned in = w / FL_COLL_SYNCS, out = w % FL_COLL_SYNCS;
            if ((rule->operation == ANYTHING || rule->operation == (int)op) && most > 0 &&
                rule->waits[in][out]) {
                append(choices->of[op][in][out], most, rule->algorithm);
            }
        }
    }
}

static void read_table(struct fl_coll_choices *choices, const struct fl_coll_situation *situation,
                       const char *table) {
    for (const char *line = table; *line; line += *line == '\n') {
        size_t length = strcspn(line, "\n");
        char text[128], words[FIELDS + 1][WORD] = {{0}};
        snprintf(text, sizeof text, "%.*s", (int)length, line);
        line += length;
        text[strcspn(text, "#")] = '\0';
        struct rule rule;
        int n = sscanf(text, "%23s %23s %23s %23s %23s %23s %23s %23s", words[0], words[1],
                       words[2], words[3], words[4], words[5], words[6], words[7]);
        if (n == FIELDS && read_rule(words, &rule)) {
            apply(choices, situation, &rule);
        } else if (n > 0) {
            fl_fatal(FL_CODE_SETTING,
                     "`%s` is no rule of a table of collective operations; "
                     "docs/collectives.md has their form",
                     text);
        }
    }
}

/* forced = operation ":" algorithm ("," ...)? */
static void read_forced(struct fl_coll_choices *choices, const struct fl_coll_situation *situation,
                        const char *forced) {
    struct rule rule = {.members = UINT64_MAX, .crowded = ANYTHING, .several = ANYTHING,
                        .bytes = UINT64_MAX};
    for (const char *at = forced; *at; at += *at == ',') {
        char operation[WORD] = "", algorithm[WORD] = "";
        size_t length = strcspn(at, ",");
        if (sscanf(at, "%23[^:,]:%23[^,]", operation, algorithm) != 2 ||
            !read_operation(operation, &rule.operation) ||
            (rule.algorithm = find_algorithm(algorithm)) == FL_COLL_N_ALGORITHMS) {
            fl_fatal(FL_CODE_SETTING,
                     "FURLONG_COLL=%s: expected operation:algorithm,..., for example "
                     "broadcast:pull; docs/collectives.md has the names",
                     forced);
        }
        read_waiting("*", &rule);
        apply(choices, situation, &rule);
        at += length;
    }
}

void fl_coll_choose(struct fl_coll_choices *choices, const struct fl_coll_situation *situation,
                    const char *forced, const char *table) {
    memset(choices, 0, sizeof *choices);
    if (forced) {
        read_forced(choices, situation, forced);
    }
    if (table) {
        read_table(choices, situation, table);
    }
    read_table(choices, situation, built_in);
}
