/* SPDX-License-Identifier: BSD-3-Clause */
/* A tree of villages with lists of patients, whose members move up: recursive tasks, a lock for each
 * list that another task changes, results collected on the way back. */
#include "../inputs/check.h"

enum { LEVELS = 4, BRANCHES = 4, STEPS = 12 };

struct patient {
    unsigned seed;
    int days;
    struct patient *next;
};

struct village {
    int level;
    struct village *children[BRANCHES], *above;
    struct patient *here, *sent; /* `sent` comes from below, under the lock */
    omp_lock_t lock;
    long treated;
};

static unsigned roll(unsigned *seed) { return *seed = *seed * 1103515245u + 12345u; }

static struct village *build(int level, struct village *above, unsigned *seed) {
    struct village *village = calloc(1, sizeof *village);
    village->level = level;
    village->above = above;
    omp_init_lock(&village->lock);
    for (int i = 0; i < 3; i++) {
        struct patient *patient = malloc(sizeof *patient);
        *patient = (struct patient){roll(seed), 0, village->here};
        village->here = patient;
    }
    for (int i = 0; level > 1 && i < BRANCHES; i++) {
        village->children[i] = build(level - 1, village, seed);
    }
    return village;
}

static void put(struct patient **list, struct patient *patient) {
    patient->next = *list;
    *list = patient;
}

/* A day of a village: some patients are well again and come back another day, some go up. What
 * becomes of a patient depends on the patient alone. */
static void day(struct village *village) {
    struct patient *list = village->here;
    village->here = NULL;
    while (list) {
        struct patient *patient = list;
        list = list->next;
        patient->days++;
        village->treated += patient->days;
        if (roll(&patient->seed) % 8 == 0 && village->above) {
            omp_set_lock(&village->above->lock);
            put(&village->above->sent, patient);
            omp_unset_lock(&village->above->lock);
        } else {
            put(&village->here, patient);
        }
    }
}

static void step(struct village *village) {
    for (int i = 0; i < BRANCHES; i++) {
        if (village->children[i]) {
#pragma omp task untied if (village->level > 2)
            step(village->children[i]);
        }
    }
    day(village);
#pragma omp taskwait
    /* Those below are done. */
    while (village->sent) {
        struct patient *patient = village->sent;
        village->sent = patient->next;
        put(&village->here, patient);
    }
}

static long total(struct village *village) {
    long sum = village->treated;
    for (int i = 0; i < BRANCHES; i++) {
        long part = 0;
        if (village->children[i]) {
#pragma omp task shared(part)
            part = total(village->children[i]);
#pragma omp taskwait
        }
        sum += part * (i + 1);
    }
    return sum;
}

static long simulate(int is_parallel) {
    unsigned seed = 42;
    long sum = 0;
    struct village *top = build(LEVELS, NULL, &seed);
#pragma omp parallel if (is_parallel)
#pragma omp single
    {
        for (int i = 0; i < STEPS; i++) {
            step(top);
        }
        sum = total(top);
    }
    return sum;
}

int main(void) {
    long expected = simulate(0);
    CHECK(expected > 0 && simulate(1) == expected);
    return result();
}
