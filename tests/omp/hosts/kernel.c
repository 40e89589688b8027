/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 1x1 1x4 2x2 3x1 4x2
/* The kernel accesses memory that another host has written last: files, structures, names. And what
 * the program has to do with signals: its own handler of faults, system, popen. */
#define _GNU_SOURCE
#include "../inputs/check.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { BYTES = 300000 };
static char memory[BYTES], name[32];
static sigjmp_buf back;
static volatile int caught;

/* Each byte by another thread than its neighbours. */
static void fill(int add) {
#pragma omp parallel for schedule(static, 1000)
    for (int i = 0; i < BYTES; i++) {
        memory[i] = (char)(i % 101 + add);
    }
}

static int wrong(int add) {
    int count = 0;
    for (int i = 0; i < BYTES; i++) {
        count += memory[i] != (char)(i % 101 + add);
    }
    return count;
}

static void descriptors(void) {
#pragma omp parallel
#pragma omp single
    strcpy(name, "file");
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    fill(0);
    CHECK(write(fd, memory, BYTES) == BYTES);
    fill(1);
    CHECK(pread(fd, memory, BYTES, 0) == BYTES);
    CHECK(wrong(0) == 0);
    fill(2);
    struct iovec pieces[2] = {{memory, 1000}, {memory + 1000, BYTES - 1000}};
    CHECK(lseek(fd, 0, SEEK_SET) == 0 && writev(fd, pieces, 2) == BYTES);
    fill(3);
    CHECK(lseek(fd, 0, SEEK_SET) == 0 && readv(fd, pieces, 2) == BYTES && wrong(2) == 0);
    struct stat *status = malloc(sizeof *status);
#pragma omp parallel
#pragma omp critical
    status->st_size = omp_get_thread_num();
    CHECK(stat(name, status) == 0 && status->st_size == BYTES);
    CHECK(close(fd) == 0);
}

static void streams(void) {
    FILE *file = fopen(name, "w+");
    fill(4);
    CHECK(fwrite(memory, 1, BYTES, file) == BYTES);
    rewind(file);
    fill(5);
    CHECK(fread(memory, 1, BYTES, file) == BYTES && wrong(4) == 0);
    fclose(file);
#pragma omp parallel
    {
        char own[32];
        sprintf(own, "of-%d", omp_get_thread_num());
        FILE *output = fopen(own, "w");
        fprintf(output, "thread %d\n", omp_get_thread_num());
        fclose(output);
    }
    char *line = NULL;
    size_t room = 0;
    for (int i = 0; i < omp_get_max_threads(); i++) {
        char own[32], expected[32];
        sprintf(own, "of-%d", i);
        sprintf(expected, "thread %d\n", i);
        FILE *input = fopen(own, "r");
        CHECK(input && getline(&line, &room, input) > 0 && strcmp(line, expected) == 0);
        fclose(input);
    }
    free(line);
}

static void on_fault(int number, siginfo_t *info, void *context) {
    (void)number;
    (void)context;
    caught += info->si_addr == (void *)8;
    siglongjmp(back, 1);
}

static void faults(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    sigset_t all;
    sigfillset(&all);
    CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
    for (int i = 0; i < 3; i++) {
        if (!sigsetjmp(back, 1)) {
            *(volatile int *)8 = 1;
        }
    }
    CHECK(caught == 3);
    sigprocmask(SIG_BLOCK, &all, NULL);
    fill(6);
    CHECK(wrong(6) == 0);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    signal(SIGSEGV, SIG_DFL);
}

static void commands(void) {
    char line[32] = "";
    CHECK(system("exit 4") >> 8 == 4);
    FILE *output = popen("echo from a process", "r");
    CHECK(output && fgets(line, sizeof line, output) && strcmp(line, "from a process\n") == 0);
    pclose(output);
}

int main(void) {
    descriptors();
    streams();
    faults();
    commands();
    return result();
}
