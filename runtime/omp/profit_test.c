/* SPDX-License-Identifier: BSD-3-Clause */
/* Which regions are kept on host 0, by the times that they would take: two hosts, each with one CPU,
 * and regions of two threads, on a clock that goes as the test says. */
#include "omp/profit.h"

#include "core/test.h"
#include "omp/far.h"
#include "omp/program.h"

enum { US = 1000, MS = 1000 * US, BUFFERS = 3 };

static uint64_t now_ns = MS, cpu_ns;
static bool is_mobile = true, is_bound_far, is_bound_here;

uint64_t __wrap_fl_os_now_ns(void);
uint64_t __wrap_fl_os_now_ns(void) {
    return now_ns;
}

uint64_t __wrap_fl_os_thread_cpu_ns(void);
uint64_t __wrap_fl_os_thread_cpu_ns(void) {
    return cpu_ns;
}

/* Instead of libfurlong-spread.so. */
uint64_t fl_omp_far_spent_ns(void) {
    return 0;
}

bool fl_omp_far_mobile(void) {
    return is_mobile;
}

bool fl_omp_far_bound_far(void) {
    return is_bound_far;
}

bool fl_omp_far_bound_here(void) {
    return is_bound_here;
}

/* A region whose arrays take turns: each is on both hosts, or on host 0, since it was used last. */
struct model {
    uint64_t work_ns; /* of a thread */
    uint64_t cost_ns; /* of distributing it */
    uint64_t move_ns; /* of an array */
    unsigned arrays;
    unsigned noise; /* of so many runs one takes 5 ms longer */
    struct fl_omp_region region;
    unsigned runs;
    bool is_far[BUFFERS];
};

/* Returns whether it was kept. */
static bool run(struct model *model) {
    bool far = fl_omp_profit_distributes(&model->region, 2);
    bool *is_far = &model->is_far[model->runs % (model->arrays ? model->arrays : 1)];
    uint64_t moves = *is_far != far ? model->move_ns : 0;
    *is_far = far;
    fl_omp_profit_part_begins();
    cpu_ns += model->work_ns;
    now_ns += far ? model->work_ns : 2 * model->work_ns;
    fl_omp_profit_part_ended();
    now_ns += moves + (far ? model->cost_ns : 0);
    if (model->noise && test_mix(model->runs, 7) % model->noise == 0) {
        now_ns += 5 * MS;
    }
    fl_omp_profit_region_ended();
    model->runs++;
    return !far;
}

static unsigned kept_of(struct model *model, unsigned runs) {
    unsigned kept = 0;
    for (unsigned i = 0; i < runs; i++) {
        kept += run(model);
    }
    return kept;
}

static const int code[2];

static struct model model_of(uint64_t work_ns, uint64_t cost_ns) {
    return (struct model){
        .work_ns = work_ns, .cost_ns = cost_ns, .arrays = 1, .region = {.code = &code[0]}};
}

static bool short_ones(void) {
    struct model model = model_of(10 * US, 200 * US);
    return kept_of(&model, 100) > 80;
}

static bool few(void) {
    struct model model = model_of(MS, 50 * MS);
    return kept_of(&model, 12) >= 7;
}

static bool worth_it(void) {
    struct model model = model_of(MS, MS / 10);
    return kept_of(&model, 5000) == 0;
}

static bool worth_it_beside_load(void) {
    struct model model = model_of(MS, MS / 10);
    model.noise = 4;
    return kept_of(&model, 5000) < 500;
}

static bool short_beside_load(void) {
    struct model model = model_of(10 * US, 200 * US);
    model.noise = 50;
    return kept_of(&model, 5000) > 4000;
}

static bool large_arrays(void) {
    struct model model = model_of(MS, 3 * MS);
    model.move_ns = 40 * MS;
    return kept_of(&model, 12) == 0 && kept_of(&model, 1000) > 900;
}

static bool arrays_in_turn(void) {
    struct model model = model_of(MS, MS / 10);
    model.move_ns = 30 * MS;
    model.arrays = BUFFERS;
    return kept_of(&model, 5000) == 0;
}

static bool grows(void) {
    struct model model = model_of(10 * US, 200 * US);
    bool good = kept_of(&model, 500) > 400;
    model.work_ns = 20 * MS;
    return good && kept_of(&model, 1000) < 50;
}

static bool not_mobile(void) {
    struct model model = model_of(10 * US, 200 * US);
    is_mobile = false;
    return kept_of(&model, 1000) == 0;
}

static bool bound_far(void) {
    struct model model = model_of(10 * US, 200 * US);
    bool good = kept_of(&model, 200) > 100;
    is_bound_far = true;
    return good && kept_of(&model, 1000) == 0;
}

static bool bound_here(void) {
    struct model small = model_of(10 * US, 200 * US), large = model_of(20 * MS, MS);
    large.region.code = &code[1];
    bool good = kept_of(&small, 200) > 100 && kept_of(&large, 10) == 0;
    is_bound_here = true;
    return good && kept_of(&small, 100) == 100 && kept_of(&large, 100) == 100;
}

/* In a process of its own, since the policy remembers. */
static bool holds(bool (*body)(void)) {
    pid_t child = fork();
    if (child == 0) {
        _exit(!body());
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

int main(void) {
    fl_omp_program.cpus = 1;
    CHECK(holds(short_ones), "short regions that wait for the other host are kept");
    CHECK(holds(few), "regions that lose much are, after a few runs");
    CHECK(holds(worth_it), "those that are worth two hosts are not");
    CHECK(holds(worth_it_beside_load), "nor where other programs have the CPU now and then");
    CHECK(holds(short_beside_load), "short ones are kept there, too");
    CHECK(holds(large_arrays), "large memory moves once what it costs has been lost");
    CHECK(holds(arrays_in_turn), "memory that moves at first does not count");
    CHECK(holds(grows), "a region that grows is distributed again");
    CHECK(holds(not_mobile), "none is kept in a program that can tell");
    CHECK(holds(bound_far), "or that has left a state with another host");
    CHECK(holds(bound_here), "and all are if it is with host 0");
    return test_done();
}
