// SPDX-License-Identifier: BSD-3-Clause
/*
 * Times a command: starts it again and again, waits for it, and reports how long that took.
 *
 *     spawn NAME ROUNDS COMMAND [ARGUMENT ...] [-- COMMAND [ARGUMENT ...]]
 *
 * A second command, after `--`, is the reference, run in turns with the first. Output of both
 * is thrown away; a command that fails ends the measurement.
 */
#define _GNU_SOURCE
#include "bench.h"
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

static double run(char **command) {
    int status;
    pid_t pid;
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    double begin = bench_now();
    int error = posix_spawnp(&pid, command[0], &quiet, NULL, command, environ);
    if (error) {
        fprintf(stderr, "spawn: %s: %s\n", command[0], strerror(error));
        exit(1);
    }
    waitpid(pid, &status, 0);
    double seconds = bench_now() - begin;
    posix_spawn_file_actions_destroy(&quiet);
    bench_check(status == 0, "%s failed", command[0]);
    return seconds;
}

int main(int argc, char **argv) {
    struct bench_times times = {{0}, 0}, reference = {{0}, 0};
    char **second = NULL;
    if (argc < 4) {
        fprintf(stderr, "usage: spawn NAME ROUNDS COMMAND ... [-- COMMAND ...]\n");
        return 2;
    }
    for (int i = 3; i < argc && !second; i++) {
        if (strcmp(argv[i], "--") == 0) {
            argv[i] = NULL;
            second = &argv[i + 1];
        }
    }
    for (int round = 0; round < atoi(argv[2]); round++) {
        bench_add(&times, run(&argv[3]));
        if (second) {
            bench_add(&reference, run(second));
        }
    }
    if (second) {
        double best = 1e3 * bench_best(&times), floor = 1e3 * bench_best(&reference);
        printf("{\"name\": \"%s\", \"unit\": \"ms\", \"value\": %.6g, \"median\": %.6g, "
               "\"reference_value\": %.6g, \"ratio\": %.4f}\n",
               argv[1], best, 1e3 * bench_median(&times), floor, best / floor);
    } else {
        bench_time(argv[1], "ms", 1e3, &times);
    }
    return 0;
}
