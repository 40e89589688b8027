// SPDX-License-Identifier: BSD-3-Clause
/*
 * What each policy of OpenMP over hosts gains: runs a program with all of them, and without one of
 * them at a time, in turns.
 *
 *     ablation NAME ROUNDS COMMAND [ARGUMENT ...]
 *
 * The program prints what openmp/program.h reports, and the command, by -stats=json, its counts. For
 * each policy: the time without it, messages and page faults, of which the ratio to those with all is
 * what it gains.
 */
#define _GNU_SOURCE
#include "bench.h"
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const struct {
    const char *policy, *variable, *off;
} policies[] = {
    {NULL, NULL, NULL}, /* all are on */
    {"prefetch", "FURLONG_DSM_FETCH", "1"},
    {"push", "FURLONG_DSM_PUSH", "0"},
    {"piggyback", "FURLONG_DSM_PIGGYBACK", "0"},
    {"track", "FURLONG_DSM_TRACK", "0"},
    {"keep", "FURLONG_OMP_KEEP", "0"},
    {"ends", "FURLONG_OMP_ENDS", "1"},
};
enum { POLICIES = sizeof policies / sizeof *policies };

static struct {
    struct bench_times seconds;
    double messages, faults;
} all[POLICIES];

/* Everything that the command prints. */
static void run(char **command, char *text, size_t room) {
    int ends[2], status;
    pid_t pid;
    bench_check(pipe2(ends, O_CLOEXEC) == 0, "no pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
    int error = posix_spawnp(&pid, command[0], &actions, NULL, command, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    bench_check(!error, "%s: %s", command[0], strerror(error));
    size_t length = 0;
    for (ssize_t n; (n = read(ends[0], text + length, room - 1 - length)) > 0;) {
        length += (size_t)n;
    }
    text[length] = 0;
    close(ends[0]);
    waitpid(pid, &status, 0);
    bench_check(status == 0, "%s failed: %s", command[0], text);
}

/* The number after a key, which comes after another one. */
static double number(const char *text, const char *after, const char *key) {
    const char *at = strstr(text, after);
    at = at ? strstr(at, key) : NULL;
    bench_check(at != NULL, "no %s in: %s", key, text);
    return strtod(at + strlen(key), NULL);
}

static void measure(unsigned i, char **command, double *right) {
    static char text[1 << 16];
    if (policies[i].variable) {
        setenv(policies[i].variable, policies[i].off, 1);
    }
    run(command, text, sizeof text);
    if (policies[i].variable) {
        unsetenv(policies[i].variable);
    }
    double value = number(text, "{\"program\"", "\"verify\": ");
    *right = *right == 0 ? value : *right;
    double distance = value > *right ? value - *right : *right - value;
    bench_check(distance <= 1e-6 * (*right < 0 ? -*right : *right), "%.12g, not %.12g", value,
                *right);
    bench_add(&all[i].seconds, number(text, "{\"program\"", "\"seconds\": "));
    const char *total = "\"total\":";
    all[i].messages = number(text, total, "\"messages\":");
    all[i].faults =
        number(text, total, "\"read_faults\":") + number(text, total, "\"write_faults\":");
}

static void print_count(const char *name, const char *unit, double value, double reference) {
    printf("{\"name\": \"%s-%s\", \"unit\": \"%s\", \"value\": %.0f, \"median\": %.0f, "
           "\"reference_value\": %.0f, \"ratio\": %.4f}\n",
           name, unit, unit, value, value, reference, value / reference);
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: ablation NAME ROUNDS COMMAND [ARGUMENT ...]\n");
        return 2;
    }
    double right = 0;
    for (int round = 0; round < atoi(argv[2]); round++) {
        for (unsigned i = 0; i < POLICIES; i++) {
            measure(i, &argv[3], &right);
        }
    }
    for (unsigned i = 1; i < POLICIES; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s-without-%s", argv[1], policies[i].policy);
        bench_time_against(name, "s", 1, &all[i].seconds, &all[0].seconds);
        print_count(name, "messages", all[i].messages, all[0].messages);
        print_count(name, "faults", all[i].faults, all[0].faults);
    }
    return 0;
}
