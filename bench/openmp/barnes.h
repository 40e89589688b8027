/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * J. Barnes, P. Hut: A hierarchical O(N log N) force-calculation algorithm (1986): bodies attract
 * each other; a cell of space that is far away for its size acts like one body at its centre of
 * mass. The cells are an octree, whose leaves are bodies. Its order is Morton's; in this order
 * bodies are dealt to threads, each as much work as the others.
 */
#ifndef OPENMP_BARNES_H
#define OPENMP_BARNES_H

#include "program.h"
#include <math.h>

/* What all read of a body: apart from the rest, as it is what goes from host to host. */
struct place {
    double at[3], mass;
};

struct motion {
    double velocity[3], acceleration[3];
    double potential;
};

/* A child is 0 if there is none, a cell's number, or -1 - a body's. The root has number 1. */
struct cell {
    double at[3], mass;
    int child[8];
};

/* The work of a cell's children; who makes the tree puts it there, so that the work that a thread
 * measures for the next step does not disturb those that still look for their bodies. */
struct shares {
    int work[8];
};

struct tree {
    int n, most; /* cells in use, and that there is memory for */
    double low[3], side;
    struct cell *cells;
    struct shares *shares;
};

static const double barnes_dt = 0.025, barnes_far = 0.8, barnes_soft = 0.0025;
enum { BARNES_DEEPEST = 60 };

/* Plummer's model of a cluster, its bodies in the order of Morton: so those of a thread are
 * neighbours in memory too. */
static inline void barnes_body(long number, long n, struct place *place, struct motion *motion) {
    const uint64_t first = (uint64_t)number * 8;
    double fraction = 0.999 * random_at(first) + 0.0005;
    double radius = fmin(10, 1 / sqrt(pow(fraction, -2.0 / 3) - 1));
    double escape = sqrt(2) * pow(1 + radius * radius, -0.25), speed = 0.6 * random_at(first + 1);
    for (int what = 0; what < 2; what++) {
        double height = 2 * random_at(first + 2 + (uint64_t)what) - 1;
        double angle = 6.283185307 * random_at(first + 4 + (uint64_t)what);
        double length = what ? escape * speed : radius, across = sqrt(1 - height * height);
        double *to = what ? motion->velocity : place->at;
        to[0] = length * across * cos(angle);
        to[1] = length * across * sin(angle);
        to[2] = length * height;
    }
    place->mass = 1 / (double)n;
}

/* The first of two bodies in Morton's order of a cube around all. */
static inline int barnes_compare(const void *a, const void *b) {
    uint64_t key[2] = {0, 0};
    for (int which = 0; which < 2; which++) {
        const struct place *place = which ? b : a;
        for (int bit = 20; bit >= 0; bit--) {
            for (int k = 0; k < 3; k++) {
                uint64_t part = (uint64_t)((place->at[k] + 10.5) * (1 << 21) / 21);
                key[which] = key[which] << 1 | (part >> bit & 1);
            }
        }
    }
    return (key[0] > key[1]) - (key[0] < key[1]);
}

static inline void barnes_start(struct place *places, struct motion *motions, int *work, long n) {
    struct both {
        struct place place;
        struct motion motion;
    } *bodies = allocate((size_t)n * sizeof *bodies);
    memset(bodies, 0, (size_t)n * sizeof *bodies);
    for (long i = 0; i < n; i++) {
        barnes_body(i, n, &bodies[i].place, &bodies[i].motion);
    }
    qsort(bodies, (size_t)n, sizeof *bodies, barnes_compare);
    for (long i = 0; i < n; i++) {
        places[i] = bodies[i].place;
        motions[i] = bodies[i].motion;
        work[i] = 1;
    }
    free(bodies);
}

static inline struct tree barnes_tree(long n) {
    struct tree tree = {.most = (int)(2 * n + 64)};
    tree.cells = allocate((size_t)tree.most * sizeof *tree.cells);
    tree.shares = allocate((size_t)tree.most * sizeof *tree.shares);
    return tree;
}

static inline int barnes_new_cell(struct tree *tree) {
    if (tree->n == tree->most) {
        fputs("more cells than there is memory for\n", stderr);
        exit(1);
    }
    memset(&tree->cells[tree->n], 0, sizeof tree->cells[0]);
    return tree->n++;
}

static inline void barnes_bounds(struct tree *tree, const struct place *places, long n) {
    double high[3];
    for (int k = 0; k < 3; k++) {
        tree->low[k] = high[k] = places[0].at[k];
    }
    for (long i = 1; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            tree->low[k] = fmin(tree->low[k], places[i].at[k]);
            high[k] = fmax(high[k], places[i].at[k]);
        }
    }
    tree->side = 1e-9;
    for (int k = 0; k < 3; k++) {
        tree->side = fmax(tree->side, 1.000001 * (high[k] - tree->low[k]));
    }
}

/* The eighth of a cell that a place is in; `low` and `side` become those of the eighth. */
static inline int barnes_eighth(const struct place *place, double low[3], double *side) {
    int eighth = 0;
    *side /= 2;
    for (int k = 0; k < 3; k++) {
        int is_upper = place->at[k] >= low[k] + *side;
        low[k] += is_upper ? *side : 0;
        eighth = eighth << 1 | is_upper;
    }
    return eighth;
}

static inline void barnes_insert(struct tree *tree, const struct place *places, int body) {
    double low[3] = {tree->low[0], tree->low[1], tree->low[2]}, side = tree->side;
    int cell = 1;
    for (int depth = 0; depth < BARNES_DEEPEST; depth++) {
        int eighth = barnes_eighth(&places[body], low, &side);
        int there = tree->cells[cell].child[eighth];
        if (there == 0) {
            tree->cells[cell].child[eighth] = -1 - body;
            return;
        }
        if (there < 0) {
            /* The body that is there goes down into a new cell. */
            int lower = barnes_new_cell(tree);
            double its_low[3] = {low[0], low[1], low[2]}, its_side = side;
            int its_eighth = barnes_eighth(&places[-1 - there], its_low, &its_side);
            tree->cells[lower].child[its_eighth] = there;
            tree->cells[cell].child[eighth] = lower;
            there = lower;
        }
        cell = there;
    }
    fputs("two bodies are in the same place\n", stderr);
    exit(1);
}

/* Mass, its centre and the work of a cell, from its children's; returns the work. */
static inline int barnes_sum(struct tree *tree, const struct place *places, const int *work,
                             int number) {
    struct cell *cell = &tree->cells[number];
    int all = 0;
    for (int i = 0; i < 8; i++) {
        int child = cell->child[i];
        int *share = &tree->shares[number].work[i];
        *share = child < 0 ? work[-1 - child] : 0;
        if (child > 0) {
            *share = barnes_sum(tree, places, work, child);
        }
        all += *share;
        if (child != 0) {
            const double *at = child > 0 ? tree->cells[child].at : places[-1 - child].at;
            double mass = child > 0 ? tree->cells[child].mass : places[-1 - child].mass;
            for (int k = 0; k < 3; k++) {
                cell->at[k] += mass * at[k];
            }
            cell->mass += mass;
        }
    }
    for (int k = 0; k < 3; k++) {
        cell->at[k] /= cell->mass;
    }
    return all;
}

/* Returns the work of all. */
static inline int barnes_build(struct tree *tree, const struct place *places, const int *work,
                               long n) {
    tree->n = 1;
    barnes_bounds(tree, places, n);
    barnes_new_cell(tree);
    for (int i = 0; i < n; i++) {
        barnes_insert(tree, places, i);
    }
    return barnes_sum(tree, places, work, 1);
}

/* What one body feels. */
struct sight {
    const struct tree *tree;
    const struct place *places;
    int body;
    int work; /* the number of interactions */
    struct motion *motion;
};

static inline void barnes_attract(struct sight *sight, const double away[3], double square,
                                  double mass) {
    double inverse = 1 / sqrt(square + barnes_soft), pull = mass * inverse * inverse * inverse;
    for (int k = 0; k < 3; k++) {
        sight->motion->acceleration[k] += pull * away[k];
    }
    sight->motion->potential -= mass * inverse;
    sight->work++;
}

static inline void barnes_look(struct sight *sight, int number, double side) {
    const int is_body = number < 0;
    if (is_body && number == -1 - sight->body) {
        return;
    }
    const struct cell *cell = &sight->tree->cells[is_body ? 0 : number];
    const double *at = is_body ? sight->places[-1 - number].at : cell->at;
    double away[3], square = 0;
    for (int k = 0; k < 3; k++) {
        away[k] = at[k] - sight->places[sight->body].at[k];
        square += away[k] * away[k];
    }
    if (is_body || side * side < barnes_far * barnes_far * square) {
        barnes_attract(sight, away, square, is_body ? sight->places[-1 - number].mass : cell->mass);
        return;
    }
    for (int i = 0; i < 8; i++) {
        if (cell->child[i] != 0) {
            barnes_look(sight, cell->child[i], side / 2);
        }
    }
}

/* Acceleration and potential of a body; how much work that was. */
static inline int barnes_feel(const struct tree *tree, const struct place *places, int body,
                              struct motion *motion) {
    struct sight sight = {tree, places, body, 0, motion};
    motion->potential = 0;
    for (int k = 0; k < 3; k++) {
        motion->acceleration[k] = 0;
    }
    barnes_look(&sight, 1, tree->side);
    return sight.work;
}

static inline void barnes_move(struct place *place, struct motion *motion) {
    for (int k = 0; k < 3; k++) {
        motion->velocity[k] += barnes_dt * motion->acceleration[k];
        place->at[k] += barnes_dt * motion->velocity[k];
    }
}

/* Calls `what` for the bodies in the cell whose place in the order of work, where the cell begins
 * with `before`, is from `from` to before `to`. */
static inline void barnes_each(const struct tree *tree, int number, int before, int from, int to,
                               void (*what)(int body)) {
    for (int i = 0; i < 8 && before < to; i++) {
        int child = tree->cells[number].child[i], work = tree->shares[number].work[i];
        if (child > 0 && before + work > from) {
            barnes_each(tree, child, before, from, to, what);
        } else if (child < 0 && before >= from) {
            what(-1 - child);
        }
        before += work;
    }
}

/* A body's part of the value: energy. */
static inline double barnes_energy(const struct place *place, const struct motion *motion) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
        square += motion->velocity[k] * motion->velocity[k];
    }
    return place->mass * (square + motion->potential) / 2;
}

#endif
