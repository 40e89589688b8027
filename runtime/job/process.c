/* SPDX-License-Identifier: BSD-3-Clause */
/* See process.h. */
#include "job/process.h"

#include "core/fatal.h"
#include "job/control.h"
#include "job/exit.h"
#include "job/launcher.h"
#include "platform/os.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    const struct fl_job *job;
    unsigned (*me)(void);
    int pid;
    bool *over;
    void (*finish)(void);
    void (*at_death_sigsafe)(void);
} process;

static void join_ranks(struct fl_job *job, const struct fl_params *params,
                       const struct fl_process_ranks *ranks) {
    unsigned pthreads = ranks->threads && params->pthreads ? (unsigned)params->pthreads : 1;
    unsigned hosts = ranks->apart && !params->virtual_hosts ? UINT_MAX
                                                            : (unsigned)params->virtual_hosts;
    fl_launcher_find_job(job, params, pthreads, hosts);
}

bool fl_process_find_job(struct fl_job *job, struct fl_params *params,
                         const struct fl_process_ranks *ranks) {
    fl_os_program_hide_names(); /* upcc's link step does this to programs of its own */
    fl_params_read(params);
    bool launched = fl_job_take(job);
    if (!launched && ranks && fl_launcher_is_there()) {
        join_ranks(job, params, ranks);
        launched = true;
    }
    if (!launched) {
        if (params->threads == 0) {
            fl_launcher_refuse_lone_task();
        }
        fl_job_alone(job);
    }
    fl_warn_set_quiet(job->quiet || params->quiet || params->no_warn);
    if (job->first == 0) {
        fl_params_warn_unknown(); /* once per job */
    }
    return launched;
}

/* What the launcher calls the process by. */
static unsigned first_thread(void) {
    return process.job->first;
}

static void last_words(bool by_signal) {
    if (!by_signal) {
        fflush_unlocked(stdout);
    }
    if (process.at_death_sigsafe) {
        process.at_death_sigsafe();
    }
}

void fl_process_at_death(void (*act_sigsafe)(void)) {
    process.at_death_sigsafe = act_sigsafe;
}

void fl_process_report(const struct fl_job *job, const struct fl_params *params,
                       unsigned (*me)(void),
                       void (*signalled_at)(uintptr_t address, char *text, size_t room)) {
    process.job = job;
    process.me = me ? me : first_thread;
    fl_control_start(&(struct fl_control_setup){.fd = job->ctl,
                                                .me = process.me,
                                                .last_words = last_words,
                                                .signalled_at = signalled_at,
                                                .signals = params->backtrace,
                                                .abort = job->launcher ? job->launcher->abort
                                                                       : NULL});
    if (job->procs > 1) {
        static char line[BUFSIZ]; /* MPICH has left none, and lines would come in parts */
        setvbuf(stdout, line, _IOLBF, sizeof line);
    }
}

void fl_process_bind(const struct fl_job *job, unsigned i) {
    uint64_t cpus[FL_JOB_CPU_WORDS];
    if (fl_job_cpus(job, i, cpus)) {
        (void)fl_os_cpu_bind_set(cpus, FL_JOB_CPU_WORDS); /* without it the job is only slower */
    }
}

void fl_process_done(void) {
    fl_launcher_finish(process.job);
    fl_control_send1_sigsafe("done", 0);
}

void fl_process_end_all(const char *function, int status) {
    if (function) {
        fl_control_send_global_exit_sigsafe((long)process.me(), status, function);
    } else {
        fl_control_send2_sigsafe("exit", (long)process.me(), status);
    }
    fl_control_abort(status);
}

static void on_exit_called(int status) {
    if (*process.over || getpid() != process.pid) {
        return;
    }
    if ((status & 0xff) != 0) {
        *process.over = true;
        fflush(NULL);
        fl_process_end_all(NULL, status & 0xff);
        return;
    }
    process.finish();
}

/* The first thread's exit waits for the others. */
static void on_exit_of_thread(int status) {
    if (fl_os_thread_id() != process.pid) {
        on_exit_called(status);
    }
}

void fl_process_at_exit(bool *over, void (*finish)(void)) {
    process.pid = getpid();
    process.over = over;
    process.finish = finish;
    fl_exit_prepare(on_exit_of_thread, on_exit_called);
}

char **fl_process_copy_arguments(int argc, char **argv) {
    size_t bytes = ((size_t)argc + 1) * sizeof *argv;
    for (int i = 0; i < argc; i++) {
        bytes += strlen(argv[i]) + 1;
    }
    char **copy = FL_ALLOCATED(malloc(bytes), "the program's arguments");
    char *text = (char *)&copy[argc + 1];
    for (int i = 0; i < argc; i++) {
        copy[i] = text;
        text = stpcpy(text, argv[i]) + 1;
    }
    copy[argc] = NULL;
    return copy;
}
