/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program compiled by gcc -fopenmp, measured with our libgomp.so.1 and with gcc's in turns: it runs
 * itself with one, then with the other, many times, with 2 threads and with 16.
 *
 *     program FOLDER [ROUNDS [NAME...]]
 *
 * where ours is in the folder. With names only those are measured.
 */
#ifndef ALTERNATE_H
#define ALTERNATE_H

#include "../bench.h"

#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct measurement {
    const char *name;
    void (*run)(void);
    long units;  /* what one run does, of which the time is reported */
    int repeats; /* in each process: the best counts */
    int most;    /* threads; 0: any. With more than CPUs some of gcc's never end */
};

/* Whether the measurement is for so many threads, and one of those named, if any are. */
static inline int alternate_wanted(const struct measurement *m, const char *threads,
                                   char **names) {
    char **at = names;
    while (*at && strcmp(*at, m->name) != 0) {
        at++;
    }
    return (!*names || *at) && (m->most == 0 || atoi(threads) <= m->most);
}

static inline void alternate_measure(const struct measurement *all, int n, char **names) {
    for (int i = 0; i < n; i++) {
        if (!alternate_wanted(&all[i], getenv("OMP_NUM_THREADS"), names)) {
            continue;
        }
        double best = 1e9;
        for (int k = 0; k <= all[i].repeats; k++) { /* the first is not counted */
            double start = bench_now();
            all[i].run();
            double seconds = bench_now() - start;
            best = k > 0 && seconds < best ? seconds : best;
        }
        printf("%.9g\n", best / (double)all[i].units);
    }
}

/* What both libraries measure, with so many threads. */
struct alternation {
    const struct measurement *all;
    int n;
    char **arguments; /* of the program that measures: its name, names */
    const char *threads;
};

/* Runs this program with the libraries of a folder (null: the system's), and notes its times. */
static inline void alternate_child(const struct alternation *a, const char *folder,
                                   struct bench_times *times) {
    int ends[2];
    if (pipe(ends) != 0) {
        exit(1);
    }
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        setenv("OMP_NUM_THREADS", a->threads, 1);
        unsetenv("LD_LIBRARY_PATH");
        if (folder) {
            setenv("LD_LIBRARY_PATH", folder, 1);
        }
        execv("/proc/self/exe", a->arguments);
        _exit(1);
    }
    close(ends[1]);
    FILE *lines = fdopen(ends[0], "r");
    for (int i = 0; i < a->n; i++) {
        double seconds;
        if (!alternate_wanted(&a->all[i], a->threads, a->arguments + 1)) {
            continue;
        }
        bench_check(fscanf(lines, "%lf", &seconds) == 1, "none, with %s",
                    folder ? folder : "gcc's library");
        bench_add(&times[i], seconds);
    }
    fclose(lines);
    waitpid(pid, NULL, 0);
}

static inline int alternate(int argc, char **argv, const struct measurement *all, int n) {
    enum { MOST = 64, ROUNDS = 15 };
    static const char *const threads[] = {"2", "16"};
    if (strcmp(argv[0], "measure") == 0) {
        alternate_measure(all, n, argv + 1);
        return 0;
    }
    const char *folder = argc > 1 ? argv[1] : "";
    int rounds = argc > 2 ? atoi(argv[2]) : ROUNDS;
    char *none[] = {NULL, NULL};
    char **arguments = argc > 3 ? argv + 2 : none;
    arguments[0] = "measure";
    for (int t = 0; t < 2; t++) {
        struct alternation a = {all, n, arguments, threads[t]};
        static struct bench_times ours[MOST], theirs[MOST];
        memset(ours, 0, sizeof ours);
        memset(theirs, 0, sizeof theirs);
        for (int i = 0; i < rounds; i++) {
            alternate_child(&a, folder, ours);
            alternate_child(&a, NULL, theirs);
        }
        for (int i = 0; i < n; i++) {
            if (alternate_wanted(&all[i], threads[t], arguments + 1)) {
                char name[64];
                snprintf(name, sizeof name, "omp-%s-%s", all[i].name, threads[t]);
                bench_time_against(name, "ns", 1e9, &ours[i], &theirs[i]);
            }
        }
    }
    return 0;
}

#endif
