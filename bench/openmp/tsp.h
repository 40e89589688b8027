/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The travelling salesman: cities, bounds, and the search through all ways to end a tour that has
 * begun. A tour is a beginning of a round trip from city 0. Lengths are integers, so the shortest
 * is the same whoever finds it.
 */
#ifndef OPENMP_TSP_H
#define OPENMP_TSP_H

#include "program.h"
#include <limits.h>
#include <math.h>

enum { TSP_MOST = 23, TSP_POOL = 4096, TSP_SHORT = 7 };

/* Of the random numbers: with 19 cities there are about as many tours to end as in the paper. */
enum { TSP_SEED = 200 };

struct tour {
    int length;
    int bound; /* no way to end it is shorter, as each city must be left */
    unsigned char n, city[TSP_MOST];
};

struct cities {
    int n;
    int away[TSP_MOST][TSP_MOST];
    int nearest[TSP_MOST]; /* what leaving a city costs at least */
};

static inline void tsp_setup(struct cities *cities, int n) {
    double place[TSP_MOST][2];
    cities->n = n;
    for (int i = 0; i < n; i++) {
        place[i][0] = random_at((uint64_t)(TSP_SEED + 2 * i));
        place[i][1] = random_at((uint64_t)(TSP_SEED + 2 * i + 1));
    }
    for (int i = 0; i < n; i++) {
        cities->nearest[i] = INT_MAX;
        for (int j = 0; j < n; j++) {
            double x = place[i][0] - place[j][0], y = place[i][1] - place[j][1];
            int away = (int)(1e6 * hypot(x, y));
            cities->away[i][j] = away;
            cities->nearest[i] =
                i != j && away < cities->nearest[i] ? away : cities->nearest[i];
        }
    }
}

static inline int tsp_last(const struct tour *tour) { return tour->city[tour->n - 1]; }

static inline int tsp_has(const struct tour *tour, int city) {
    for (int i = 0; i < tour->n; i++) {
        if (tour->city[i] == city) {
            return 1;
        }
    }
    return 0;
}

/* The least that connects the end of a tour, the cities that are left and city 0: at least so long
 * is the way. (M. Held, R. M. Karp: The traveling-salesman problem and minimum spanning trees,
 * 1970.) */
static inline int tsp_tree(const struct cities *cities, const struct tour *tour) {
    int away[TSP_MOST], sum = 0;
    for (int i = 0; i < cities->n; i++) {
        int is_left = i == 0 || i == tsp_last(tour) || !tsp_has(tour, i);
        away[i] = is_left ? cities->away[tsp_last(tour)][i] : -1;
    }
    away[tsp_last(tour)] = -1;
    for (;;) {
        int next = -1;
        for (int i = 0; i < cities->n; i++) {
            next = away[i] >= 0 && (next < 0 || away[i] < away[next]) ? i : next;
        }
        if (next < 0) {
            return sum;
        }
        sum += away[next];
        away[next] = -1;
        for (int i = 0; i < cities->n; i++) {
            away[i] = cities->away[next][i] < away[i] ? cities->away[next][i] : away[i];
        }
    }
}

/* From city 0: each city must be left. */
static inline struct tour tsp_start(const struct cities *cities) {
    struct tour tour = {.n = 1};
    for (int i = 0; i < cities->n; i++) {
        tour.bound += cities->nearest[i];
    }
    return tour;
}

static inline struct tour tsp_extended(const struct cities *cities, const struct tour *tour,
                                       int city) {
    struct tour longer = *tour;
    int last = tsp_last(tour), way = cities->away[last][city];
    longer.length += way;
    longer.bound += way - cities->nearest[last];
    longer.city[longer.n++] = (unsigned char)city;
    return longer;
}

static inline int tsp_closed(const struct cities *cities, const struct tour *tour) {
    return tour->length + cities->away[tsp_last(tour)][0];
}

/* Who searches: `best` is the shortest length known, `found` tells all of a shorter one. */
struct search {
    const struct cities *cities;
    int (*best)(void);
    void (*found)(const struct tour *whole, int length);
};

/* All ways to end a tour that may be the shortest. */
static inline void tsp_search(const struct search *search, const struct tour *tour) {
    const struct cities *cities = search->cities;
    if (tour->n == cities->n) {
        int length = tsp_closed(cities, tour);
        if (length < search->best()) {
            search->found(tour, length);
        }
        return;
    }
    for (int city = 1; city < cities->n; city++) {
        if (!tsp_has(tour, city)) {
            struct tour longer = tsp_extended(cities, tour, city);
            if (longer.bound < search->best()) {
                tsp_search(search, &longer);
            }
        }
    }
}

/* A tour in a queue: what follows from its cities is left out, as it goes from host to host. */
struct short_tour {
    unsigned char n, city[TSP_SHORT];
};

/* Tours that have begun, those first whose bound by tsp_tree is least: a heap of numbers in a pool,
 * whose unused numbers are a stack. */
struct tour_queue {
    int n, unused;
    struct {
        int bound, number;
    } heap[TSP_POOL + 1]; /* from 1 on */
    short stack[TSP_POOL];
    struct short_tour pool[TSP_POOL];
};

static inline int tsp_take_number(struct tour_queue *queue) {
    /* A number beyond those on the stack has not been used yet. */
    return queue->unused > 0 ? queue->stack[--queue->unused] : queue->n;
}

/* False if the pool is full, or the tour too long for it. */
static inline int tsp_put(struct tour_queue *queue, const struct tour *tour, int bound) {
    if (queue->n == TSP_POOL || tour->n > TSP_SHORT) {
        return 0;
    }
    int number = tsp_take_number(queue), at = ++queue->n;
    queue->pool[number].n = tour->n;
    memcpy(queue->pool[number].city, tour->city, TSP_SHORT);
    for (; at > 1 && queue->heap[at / 2].bound > bound; at /= 2) {
        queue->heap[at] = queue->heap[at / 2];
    }
    queue->heap[at].bound = bound;
    queue->heap[at].number = number;
    return 1;
}

static inline struct tour tsp_take(struct tour_queue *queue, const struct cities *cities) {
    int number = queue->heap[1].number, last = queue->n--, at = 1;
    queue->stack[queue->unused++] = (short)number;
    for (int next = 2; next <= queue->n; at = next, next *= 2) {
        next += next < queue->n && queue->heap[next + 1].bound < queue->heap[next].bound;
        if (queue->heap[next].bound >= queue->heap[last].bound) {
            break;
        }
        queue->heap[at] = queue->heap[next];
    }
    queue->heap[at] = queue->heap[last];
    struct tour tour = tsp_start(cities);
    for (int i = 1; i < queue->pool[number].n; i++) {
        tour = tsp_extended(cities, &tour, queue->pool[number].city[i]);
    }
    return tour;
}

/* The most promising tour that has at most `rest` cities left: shorter ones are extended, and those
 * put back that may become shorter than `best`. False if there is none. */
static inline int tsp_next(struct tour_queue *queue, const struct cities *cities, int rest,
                           int best, struct tour *next) {
    while (queue->n > 0) {
        int bound = queue->heap[1].bound;
        *next = tsp_take(queue, cities);
        if (bound >= best) {
            queue->n = 0; /* nor do the others promise more */
            return 0;
        }
        if (next->n >= cities->n - rest) {
            return 1;
        }
        for (int city = 1; city < cities->n; city++) {
            if (!tsp_has(next, city)) {
                struct tour longer = tsp_extended(cities, next, city);
                int bound = longer.length + tsp_tree(cities, &longer);
                if (bound < best && !tsp_put(queue, &longer, bound)) {
                    fprintf(stderr, "more than %d tours, or than %d cities in one\n", TSP_POOL,
                            TSP_SHORT);
                    exit(1);
                }
            }
        }
    }
    return 0;
}

/* The shortest round trip by another way: over sets of cities. (M. Held, R. M. Karp: A dynamic
 * programming approach to sequencing problems, 1962.) */
static inline int tsp_shortest(const struct cities *cities) {
    const int others = cities->n - 1;
    int(*to)[TSP_MOST] = malloc(sizeof *to << others), best = INT_MAX;
    for (int set = 1; set < 1 << others; set++) {
        for (int last = 0; last < others; last++) {
            int before = set & ~(1 << last);
            to[set][last] = before || before == set ? INT_MAX / 2 : cities->away[0][last + 1];
            for (int i = 0; before != set && i < others; i++) {
                if (before >> i & 1) {
                    int length = to[before][i] + cities->away[i + 1][last + 1];
                    to[set][last] = length < to[set][last] ? length : to[set][last];
                }
            }
        }
    }
    for (int last = 0; last < others; last++) {
        int length = to[(1 << others) - 1][last] + cities->away[last + 1][0];
        best = length < best ? length : best;
    }
    free(to);
    return best;
}

#endif
