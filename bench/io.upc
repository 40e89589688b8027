// SPDX-License-Identifier: BSD-3-Clause
/*
 * Writing a shared array to a file and reading it back, against dd with the same block size on the
 * same file system, in turns. Every write is to a fresh file and ends when the data are in the page
 * cache; every read is of a file that was just written and synchronised, so it comes from there. dd
 * has the easier task: its one block stays in the processor's cache. The two go first in turns.
 * Memory that a virtual machine has never used costs its host a fault for each page: a larger file
 * than those that are measured fills the page cache before, and goes.
 *
 *     io [MEGABYTES [ROUNDS [FOLDER]]]        the folder needs that much room
 */
#include "bench.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <upc.h>
#include <upc_io.h>

enum { BLOCK = 1 << 20 };
static char ours[300] = "bench-io.ours", dds[300] = "bench-io.dd";

static void fail(const char *what) {
    if (MYTHREAD == 0) {
        perror(what);
    }
    upc_global_exit(1);
}

static double run_dd(const char *format, const char *name, long blocks) {
    char command[400];
    snprintf(command, sizeof command, format, name, (int)BLOCK, blocks);
    double begin = bench_now();
    if (system(command) != 0) {
        fail(command);
    }
    return bench_now() - begin;
}

static double write_ours(shared void *buffer, size_t block, size_t size, size_t n) {
    upc_barrier;
    double begin = bench_now();
    upc_file_t *f = upc_all_fopen(ours, UPC_WRONLY | UPC_CREATE | UPC_COMMON_FP, 0, NULL);
    if (!f || upc_all_fwrite_shared(f, buffer, block, size, n, 0) != (upc_off_t)(n * size)) {
        fail(ours);
    }
    double seconds = bench_now() - begin;
    upc_all_fclose(f);
    return seconds;
}

static double read_ours(shared void *buffer, size_t block, size_t size, size_t n) {
    upc_barrier;
    double begin = bench_now();
    upc_file_t *f = upc_all_fopen(ours, UPC_RDONLY | UPC_COMMON_FP, 0, NULL);
    if (!f || upc_all_fread_shared(f, buffer, block, size, n, 0) != (upc_off_t)(n * size)) {
        fail(ours);
    }
    double seconds = bench_now() - begin;
    upc_all_fclose(f);
    return seconds;
}

static void add(struct bench_times *times, double seconds, bool counts) {
    if (counts) {
        bench_add(times, seconds);
    }
}

/* Reads what was written into memory that has been cleared: each thread's blocks have come back. */
static void check(shared void *buffer, size_t block, size_t size, size_t n) {
    unsigned char *own = (unsigned char *)((shared char *)buffer + MYTHREAD);
    const size_t blocks = n / block, me = (size_t)MYTHREAD;
    const size_t bytes = (blocks / THREADS + (me < blocks % THREADS)) * block * size;
    memset(own, 0, bytes);
    read_ours(buffer, block, size, n);
    upc_barrier;
    for (size_t i = 0; i < bytes; i++) {
        bench_check(own[i] == (unsigned char)(MYTHREAD + 1 + i % 7), "io: byte %zu of thread %d is %d",
                    i, MYTHREAD, own[i]);
    }
}

/* One layout: blocks of `block` elements of `size` bytes. */
static void measure(const char *name, shared void *buffer, size_t block, size_t size, long mega,
                    int rounds) {
    static struct bench_times written, read, dd_written, dd_read;
    char full[64];
    size_t n = (size_t)mega * BLOCK / size;
    written.n = read.n = dd_written.n = dd_read.n = 0;
    for (int turn = 0; turn < 2 * (rounds + 1); turn++) {
        bool counts = turn >= 2;
        if (turn % 4 == 0 || turn % 4 == 3) {
            double seconds = write_ours(buffer, block, size, n);
            add(&written, seconds, counts);
            add(&read, read_ours(buffer, block, size, n), counts);
            if (!counts) {
                check(buffer, block, size, n);
            }
        } else if (MYTHREAD == 0) {
            add(&dd_written,
                run_dd("dd if=/dev/zero of=%s bs=%d count=%ld status=none", dds, mega), counts);
            sync();
            add(&dd_read, run_dd("dd if=%s of=/dev/null bs=%d count=%ld status=none", dds, mega),
                counts);
        }
        if (MYTHREAD == 0) {
            unlink(ours);
            unlink(dds);
        }
    }
    if (MYTHREAD == 0) {
        snprintf(full, sizeof full, "%s-write", name);
        bench_rate(full, "GB/s", (double)mega * BLOCK * 1e-9, &written, &dd_written);
        snprintf(full, sizeof full, "%s-read", name);
        bench_rate(full, "GB/s", (double)mega * BLOCK * 1e-9, &read, &dd_read);
    }
}

int main(int argc, char **argv) {
    long mega = argc > 1 ? atol(argv[1]) : 2048;
    int rounds = argc > 2 ? atoi(argv[2]) : 4;
    size_t bytes = (size_t)mega * BLOCK;
    if (argc > 3) {
        snprintf(ours, sizeof ours, "%s/bench-io.ours", argv[3]);
        snprintf(dds, sizeof dds, "%s/bench-io.dd", argv[3]);
    }
    shared char *buffer = upc_all_alloc(THREADS, (bytes + THREADS - 1) / THREADS + BLOCK);
    for (size_t i = 0; i < bytes / THREADS + BLOCK; i++) {
        ((unsigned char *)&buffer[MYTHREAD])[i] = (unsigned char)(MYTHREAD + 1 + i % 7);
    }
    if (MYTHREAD == 0) {
        run_dd("dd if=/dev/zero of=%s bs=%d count=%ld status=none", dds, 4 * mega);
        unlink(dds);
    }
    measure("io-blocked", buffer, BLOCK / sizeof(double), sizeof(double), mega, rounds);
    measure("io-cyclic", buffer, 1, sizeof(double), mega, rounds);
    return 0;
}
