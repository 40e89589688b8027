// SPDX-License-Identifier: BSD-3-Clause
/*
 * The gain of each policy over hosts: runs a program with all of them, and without one of them at a time,
 * in turns.
 *
 *     ablation NAME ROUNDS [-without POLICY VARIABLE=OFF]... COMMAND [ARGUMENT ...]
 *
 * The policies are those of OpenMP, unless some are named. The program prints what openmp/program.h
 * reports, and the command, by -stats=json, its counts; or it is one of NPB in UPC, which checks itself.
 * For each policy: the time without it, and messages and page faults if they are counted, of which the
 * ratio to those with all is what it gains.
 */
#define _GNU_SOURCE
#include "bench.h"
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct policy {
    const char *name, *variable, *off;
};

static const struct policy of_openmp[] = {
    {"prefetch", "FURLONG_DSM_FETCH", "1"},
    {"push", "FURLONG_DSM_PUSH", "0"},
    {"piggyback", "FURLONG_DSM_PIGGYBACK", "0"},
    {"track", "FURLONG_DSM_TRACK", "0"},
    {"turn", "FURLONG_DSM_TURN", "0"},
    {"keep", "FURLONG_OMP_KEEP", "0"},
    {"ends", "FURLONG_OMP_ENDS", "1"},
};
enum { POLICIES = sizeof of_openmp / sizeof *of_openmp };

static struct policy policies[POLICIES];
static int n_policies;

/* The measurements without each policy, and those with all of them. */
static struct measured {
    struct bench_times seconds;
    double messages, faults;
} without[POLICIES], with_all;

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

static void read_counts(const char *text, struct measured *m) {
    const char *total = "\"total\":";
    m->messages = number(text, total, "\"messages\":");
    m->faults = number(text, total, "\"read_faults\":") + number(text, total, "\"write_faults\":");
}

static void measure(char **command, struct measured *m, double *right) {
    static char text[1 << 16];
    run(command, text, sizeof text);
    if (!strstr(text, "\"verify\"")) {
        bench_add(&m->seconds, number(text, "{\"name\"", "\"seconds\": "));
        return;
    }
    double value = number(text, "{\"program\"", "\"verify\": ");
    *right = *right == 0 ? value : *right;
    double distance = value > *right ? value - *right : *right - value;
    bench_check(distance <= 1e-6 * (*right < 0 ? -*right : *right), "%.12g, not %.12g", value,
                *right);
    bench_add(&m->seconds, number(text, "{\"program\"", "\"seconds\": "));
    read_counts(text, m);
}

static void measure_without(const struct policy *policy, char **command, struct measured *m,
                            double *right) {
    setenv(policy->variable, policy->off, 1);
    measure(command, m, right);
    unsetenv(policy->variable);
}

static void print_count(const char *name, const char *unit, double value, double reference) {
    printf("{\"name\": \"%s-%s\", \"unit\": \"%s\", \"value\": %.0f, \"median\": %.0f, "
           "\"reference_value\": %.0f, \"ratio\": %.4f}\n",
           name, unit, unit, value, value, reference, value / reference);
}

/* Reads the policies that are named. Returns the rest of the arguments. */
static char **choose(char **arguments) {
    for (; *arguments && strcmp(*arguments, "-without") == 0 && n_policies < POLICIES;
         arguments += 3) {
        char *off = arguments[1] && arguments[2] ? strchr(arguments[2], '=') : NULL;
        bench_check(off != NULL, "-without POLICY VARIABLE=OFF");
        *off = 0;
        policies[n_policies++] = (struct policy){arguments[1], arguments[2], off + 1};
    }
    if (n_policies == 0) {
        memcpy(policies, of_openmp, sizeof of_openmp);
        n_policies = POLICIES;
    }
    return arguments;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: ablation NAME ROUNDS [-without POLICY VARIABLE=OFF]... COMMAND "
                        "[ARGUMENT ...]\n");
        return 2;
    }
    char **command = choose(&argv[3]);
    double right = 0;
    for (int round = 0; round < atoi(argv[2]); round++) {
        measure(command, &with_all, &right);
        for (int i = 0; i < n_policies; i++) {
            measure_without(&policies[i], command, &without[i], &right);
        }
    }
    for (int i = 0; i < n_policies; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s-without-%s", argv[1], policies[i].name);
        bench_time_against(name, "s", 1, &without[i].seconds, &with_all.seconds);
        if (with_all.messages > 0) {
            print_count(name, "messages", without[i].messages, with_all.messages);
            print_count(name, "faults", without[i].faults, with_all.faults);
        }
    }
    return 0;
}
