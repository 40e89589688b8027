/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which algorithm performs an operation: by operation, mode, size of a block, members, whether each
 * has a CPU, and hosts. All members choose alike, so the choice depends on nothing else.
 *
 * The table is text, one rule in a line, the first that fits counts; docs/collectives.md has its
 * form. It is read once for each team, into lists that a call walks by size.
 */
#ifndef FL_COLL_CHOOSE_H
#define FL_COLL_CHOOSE_H

#include "coll/team.h"

/* FL_COLL_OPERATION(identifier, name in the table) */
#define FL_COLL_OPERATIONS                                                                         \
    FL_COLL_OPERATION(BROADCAST, "broadcast")                                                      \
    FL_COLL_OPERATION(SCATTER, "scatter")                                                          \
    FL_COLL_OPERATION(GATHER, "gather")                                                            \
    FL_COLL_OPERATION(GATHER_ALL, "gather_all")                                                    \
    FL_COLL_OPERATION(EXCHANGE, "exchange")                                                        \
    FL_COLL_OPERATION(PERMUTE, "permute")                                                          \
    FL_COLL_OPERATION(REDUCE, "reduce")                                                            \
    FL_COLL_OPERATION(REDUCE_ALL, "reduce_all")                                                    \
    FL_COLL_OPERATION(PREFIX_REDUCE, "prefix_reduce")                                              \
    FL_COLL_OPERATION(VECTOR_REDUCE, "vector_reduce")                                              \
    FL_COLL_OPERATION(VECTOR_REDUCE_ALL, "vector_reduce_all")

enum fl_coll_operation {
#define FL_COLL_OPERATION(identifier, name) FL_COLL_##identifier,
    FL_COLL_OPERATIONS
#undef FL_COLL_OPERATION
    FL_COLL_N_OPERATIONS
};

enum fl_coll_algorithm {
#define FL_COLL_ALGORITHM(identifier, name, operations, hosts) FL_COLL_BY_##identifier,
#include "coll/algorithms.def"
#undef FL_COLL_ALGORITHM
    FL_COLL_N_ALGORITHMS
};

enum { FL_COLL_SIZES = 6 };

/* The algorithm up to a size. The last one of a list is for any size. */
struct fl_coll_choice {
    size_t most;
    enum fl_coll_algorithm algorithm;
};

struct fl_coll_choices {
    struct fl_coll_choice of[FL_COLL_N_OPERATIONS][FL_COLL_SYNCS][FL_COLL_SYNCS][FL_COLL_SIZES];
};

/* What the members of a team know alike. */
struct fl_coll_situation {
    unsigned members, hosts;
    bool crowded; /* some host has fewer CPUs than members */
};

/* `forced` is FURLONG_COLL's value, or null; `table` the text of a table that goes before the
 * built-in one, or null. Fatal if one of them cannot be understood. */
void fl_coll_choose(struct fl_coll_choices *choices, const struct fl_coll_situation *situation,
                    const char *forced, const char *table);

/* `bytes` of a block; of a reduction, of all elements; of one of vectors, of one vector. */
static inline enum fl_coll_algorithm fl_coll_choice(const struct fl_coll_call *call,
                                                    enum fl_coll_operation operation,
                                                    size_t bytes) {
    const struct fl_coll_choice *choice = call->team->choices->of[operation][call->in][call->out];
    while (bytes > choice->most) {
        choice++;
    }
    return choice->algorithm;
}

#endif
