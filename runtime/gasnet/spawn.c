/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs that start their own job: a program run alone with GASNET_PSHM_NODES=4 executes upcrun,
 * which starts it four times. A process of a job finds its launcher's settings and does not start
 * another job.
 */
#include "gasnet/inside.h"

#include "core/install.h"
#include "core/params.h"
#include "job/launcher.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Proposes the folder above the header's lib/furlong/gasnet/include as Furlong's installation. Links
 * may have led the compiler to the header. */
static void offer_root(const char *header) {
    char root[PATH_MAX];
    if (!realpath(header, root)) {
        return;
    }
    for (int level = 0; level < 5; level++) {
        char *slash = strrchr(root, '/');
        if (!slash) {
            return;
        }
        *slash = '\0';
    }
    fl_install_offer(root);
}

/* Splits the kernel's copy of the command line, since the client need not pass argv on. */
static char **read_arguments(char *text, size_t room, int *count_p) {
    FILE *file = fopen("/proc/self/cmdline", "r");
    size_t bytes = file ? fread(text, 1, room - 1, file) : 0;
    if (file) {
        fclose(file);
    }
    text[bytes] = '\0';
    int count = 0;
    for (size_t at = 0; at < bytes; at += strlen(text + at) + 1) {
        count++;
    }
    char **arguments = calloc((size_t)count + 8, sizeof *arguments);
    if (!arguments || count == 0) {
        fl_fatal(FL_CODE_NO_LAUNCHER, "the program's own command line cannot be read");
    }
    size_t at = 0;
    for (int i = 0; i < count; i++) {
        arguments[i] = text + at;
        at += strlen(text + at) + 1;
    }
    *count_p = count;
    return arguments;
}

static _Noreturn void become_job(const char *nodes) {
    static char launcher[PATH_MAX], program[PATH_MAX];
    char *text = malloc(1 << 21); /* the kernel's limit for all arguments */
    int count;
    if (!text || !fl_install_path("bin/upcrun", launcher, sizeof launcher)) {
        fl_fatal(FL_CODE_NO_LAUNCHER,
                 "GASNET_PSHM_NODES=%s needs upcrun, which is not in PATH: add it, or start the "
                 "program by upcrun -n %s",
                 nodes, nodes);
    }
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char **own = read_arguments(text, 1 << 21, &count);
    char **arguments = FL_ALLOCATED(calloc((size_t)count + 6, sizeof *arguments),
                                    "the program's arguments");
    char *const first[] = {launcher, (char[]){"-q"}, (char[]){"-n"}, (char *)(uintptr_t)nodes,
                           program};
    memcpy(arguments, first, sizeof first);
    memcpy(arguments + 5, own + 1, (size_t)count * sizeof *arguments); /* including the null */
    fflush(NULL);
    execv(launcher, arguments);
    fl_fatal(FL_CODE_NO_LAUNCHER, "%s cannot be started: %s", launcher, strerror(errno));
}

void fl_gasnet_spawn(const char *header) {
    if (fl_params_foreign("FURLONG_JOB")) {
        return; /* upcrun says where it is */
    }
    offer_root(header);
    const char *nodes = fl_params_foreign("GASNET_PSHM_NODES");
    if (!nodes || !*nodes || fl_launcher_is_there()) {
        return;
    }
    char *end;
    long count = strtol(nodes, &end, 10);
    if (*end || count < 1) {
        fl_fatal(FL_CODE_SETTING, "GASNET_PSHM_NODES is `%s`, which is no number of processes",
                 nodes);
    }
    if (count > 1) {
        become_job(nodes);
    }
}
