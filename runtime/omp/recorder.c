/* SPDX-License-Identifier: BSD-3-Clause */
/* See recorder.h. */
#include "omp/recorder.h"

#include "core/params.h"
#include "core/record.h"
#include "omp/far.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_RECORDS = 1024, LEAST_EVENTS = 1024, DEFAULT_EVENTS = 262144 };

bool fl_omp_recording;

static struct {
    const char *folder;
    uint64_t events, start_ns;
    _Atomic uint8_t taken[MOST_RECORDS]; /* whether a thread has the number */
    _Atomic unsigned further;            /* threads whose numbers were taken */
} recorder;

static _Thread_local struct fl_record *mine;
_Thread_local struct fl_omp_recorded_tasks fl_omp_recorded_tasks;

/* The others' last events are their ends. Over hosts no destructors run. */
__attribute__((destructor)) void fl_omp_record_close(void) {
    if (mine) {
        fl_record_close_sigsafe(mine);
    }
}

__attribute__((constructor)) static void start(void) {
    const char *folder = fl_params_foreign("FURLONG_REPORT");
    const char *events = fl_params_foreign("FURLONG_REPORT_EVENTS");
    uint64_t n = events ? strtoull(events, NULL, 10) : DEFAULT_EVENTS;
    recorder.folder = folder;
    recorder.events = n >= LEAST_EVENTS && n <= 1u << 28 ? n : DEFAULT_EVENTS;
    recorder.start_ns = fl_os_now_ns();
    fl_omp_recording = folder && *folder;
}

/* Reserves the thread's number, or if it is taken the next one from the end. */
static unsigned take_number(unsigned number) {
    /* Relaxed: it only matters that one thread gets a number. */
    while (number >= MOST_RECORDS ||
           atomic_exchange_explicit(&recorder.taken[number], 1, memory_order_relaxed)) {
        unsigned further = atomic_fetch_add_explicit(&recorder.further, 1, memory_order_relaxed);
        if (further >= MOST_RECORDS) {
            return MOST_RECORDS;
        }
        number = MOST_RECORDS - 1 - further;
    }
    return number;
}

/* In the job: those that regions have on all hosts come first. */
static unsigned number_in_job(unsigned number) {
    unsigned each = fl_omp_spread() ? fl_omp_far.threads : MOST_RECORDS;
    unsigned host = fl_omp_spread() ? fl_omp_far.me : 0;
    return number < each ? host * each + number
                         : fl_omp_far.hosts * each + host * MOST_RECORDS + number;
}

static struct fl_record *open_as(unsigned number, uint64_t since) {
    char name[32] = "this host";
    bool several = fl_omp_spread();
    unsigned host = several ? fl_omp_far.me : 0, thread = number_in_job(number);
    if (several) {
        snprintf(name, sizeof name, "host %u", host);
    }
    struct fl_record *record =
        fl_record_open(&(struct fl_record_setup){.folder = recorder.folder,
                                                 .model = FL_RECORD_OPENMP,
                                                 .thread = thread,
                                                 .threads = thread + 1,
                                                 .process = host,
                                                 .host = host,
                                                 .hosts = several ? fl_omp_far.hosts : 1,
                                                 .events = recorder.events,
                                                 .host_name = name});
    fl_record_begin(record, number == 0 ? recorder.start_ns : since);
    return record;
}

void fl_omp_record(uint64_t since, const char *what, const char *call, unsigned number,
                   uint64_t value) {
    static _Thread_local bool is_one_too_many;
    if (is_one_too_many) {
        return;
    }
    if (!mine) {
        number = take_number(number);
        is_one_too_many = number == MOST_RECORDS;
        if (is_one_too_many) {
            return;
        }
        mine = open_as(number, since);
    }
    fl_record_add(mine, &(struct fl_record_step){.what = what,
                                                 .call = call,
                                                 .operations = 1,
                                                 .peer = FL_RECORD_NOBODY,
                                                 .value = value,
                                                 .begin_ns = since,
                                                 .ns = fl_os_now_ns() - since});
}

uint64_t fl_omp_record_task(void) {
    fl_omp_recorded_tasks.depth++;
    return fl_os_now_ns();
}

void fl_omp_record_task_ended(uint64_t since, bool has_moved, unsigned number) {
    fl_omp_record(since, "task", has_moved ? "a task of another host" : "a task", number, 0);
    if (--fl_omp_recorded_tasks.depth == 0) {
        fl_omp_recorded_tasks.ns += fl_os_now_ns() - since;
    }
}
