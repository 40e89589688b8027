/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding out what job this process belongs to (docs/launch.md). See start.h. */
#include "core/fatal.h"
#include "core/install.h"
#include "job/launcher.h"
#include "upc/process.h"
#include "upc/start.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Set by a program that becomes upcrun, so that the two cannot start each other for ever. */
static const char launched[] = "FURLONG_LAUNCHED";

static _Noreturn void become_upcrun(unsigned threads, char **argv) {
    size_t argc = 0;
    while (argv[argc]) {
        argc++;
    }
    char number[16];
    snprintf(number, sizeof number, "%u", threads);
    char **arguments = calloc(argc + 5, sizeof *arguments);
    static char path[PATH_MAX];
    if (!arguments || argc == 0) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory, or no arguments, to start upcrun");
    }
    /* A name without a slash was looked up in PATH by the shell; the file itself is certain. */
    bool use_path = !strchr(argv[0], '/') && fl_os_program_path(path, sizeof path);
    size_t n = 0;
    arguments[n++] = (char *)"upcrun";
    arguments[n++] = (char *)"-n";
    arguments[n++] = number;
    arguments[n++] = use_path ? path : argv[0];
    memcpy(&arguments[n], &argv[1], (argc - 1) * sizeof *argv);
    setenv(launched, "1", 1);
    char launcher[PATH_MAX];
    if (fl_install_path("bin/upcrun", launcher, sizeof launcher)) {
        execv(launcher, arguments);
    } else {
        errno = ENOENT;
    }
    fl_fatal(FL_CODE_NO_LAUNCHER,
             "%s with %u threads needs upcrun, which cannot be started: %s; put its folder into "
             "PATH, or run with UPC_THREADS=1",
             argv[0], threads, strerror(errno));
}

static void run_in_place_or_launch(unsigned compiled, bool was_launched, char **argv) {
    uint64_t wanted = upc_process.params.threads;
    if (wanted == 0) {
        fl_launcher_refuse_lone_task();
        wanted = compiled ? compiled : 1;
    }
    if (compiled && wanted != compiled) {
        fl_fatal(FL_CODE_STATIC_THREADS,
                 "UPC_THREADS=%llu, but the program was compiled for THREADS = %u (upcc -T)",
                 (unsigned long long)wanted, compiled);
    }
    if (wanted > 1) {
        if (was_launched) {
            fl_fatal(FL_CODE_NO_LAUNCHER, "upcrun started the program without saying what job it "
                                          "belongs to; they come from different installations");
        }
        become_upcrun((unsigned)wanted, argv);
    }
    fl_job_alone(&upc_process.job);
    upc_process.job.heap = upc_process.params.shared_heap;
}

static void make_layout(void) {
    if (!fl_job_layout(&upc_process.job, &upc_process.layout)) {
        fl_job_refuse("threads, processes and hosts that do not add up");
    }
}

/* "root=/usr/local,pthreads=4", which upcc linked in; weak, because a program may have none. */
extern const char __start_upcr_defaults[] __attribute__((weak, visibility("hidden")));
extern const char __stop_upcr_defaults[] __attribute__((weak, visibility("hidden")));

static void check_pthreads(unsigned pthreads) {
    if (upc_process.nopthreads && pthreads > 1) {
        fl_fatal(FL_CODE_ONE_THREAD,
                 "the program was compiled for one UPC thread in each process (upcc -nopthreads, "
                 "which -fopenmp and -pthread imply), but is to have %u; run it without -p and "
                 "UPC_PTHREADS_PER_PROC, or compile it without those options",
                 pthreads);
    }
}

/* The value of `key`, "name=", up to the text's end; null if there is none. */
static const char *default_of(const char *key) {
    size_t bytes = (size_t)(__stop_upcr_defaults - __start_upcr_defaults);
    const char *at = bytes ? memmem(__start_upcr_defaults, bytes, key, strlen(key)) : NULL;
    return at ? at + strlen(key) : NULL;
}

static void offer_place_of_upcc(void) {
    const char *encoded = default_of("root=");
    char root[PATH_MAX];
    if (encoded && strcspn(encoded, ",") < sizeof root) {
        snprintf(root, sizeof root, "%.*s", (int)strcspn(encoded, ","), encoded);
        fl_job_decode(root);
        fl_install_offer(root);
    }
}

static unsigned pthreads_of_process(void) {
    const char *at = default_of("pthreads=");
    unsigned compiled = at ? (unsigned)strtoul(at, NULL, 10) : 0;
    unsigned wanted = (unsigned)upc_process.params.pthreads;
    unsigned pthreads = wanted ? wanted : compiled ? compiled : 1;
    check_pthreads(pthreads);
    return pthreads;
}

static void check_static_threads(unsigned compiled) {
    if (compiled && upc_process.job.threads != compiled) {
        fl_fatal(FL_CODE_STATIC_THREADS,
                 "the job has %u threads, but the program was compiled for THREADS = %u; run it "
                 "with upcrun -n %u, or compile it without -T",
                 upc_process.job.threads, compiled, compiled);
    }
}

void upc_launch_find_job(unsigned compiled, char **argv) {
    bool told = fl_job_take(&upc_process.job);
    offer_place_of_upcc();
    char *was_launched = fl_params_take(launched);
    if (!told && fl_launcher_is_there()) {
        fl_launcher_find_job(&upc_process.job, &upc_process.params, pthreads_of_process(),
                             (unsigned)upc_process.params.virtual_hosts);
        make_layout();
        check_static_threads(compiled);
        return;
    }
    if (!told) {
        run_in_place_or_launch(compiled, was_launched != NULL, argv);
        free(was_launched);
        make_layout();
        return;
    }
    free(was_launched);
    make_layout();
    check_static_threads(compiled);
    check_pthreads(upc_process.job.count);
}
