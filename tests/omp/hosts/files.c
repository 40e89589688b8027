/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 1x4 2x2 4x1 3x2 1x7
/* A stream or a descriptor that is opened anywhere is the same file for the threads of all hosts. */
#include "../inputs/check.h"
#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

enum { LINES = 50, MOST = 64, NUMBERS = 1000 };

static int n;

/* Lines are whole, and those of a thread in order. */
static void lines(void) {
    FILE *log = fopen("log.txt", "w+");
    fprintf(log, "begin\n");
#pragma omp parallel
    for (int i = 0; i < LINES; i++) {
        fprintf(log, "thread %d line %d of %d\n", omp_get_thread_num(), i, LINES);
    }
    fprintf(log, "end\n");
    rewind(log);
    char line[100];
    int all = 0, of_threads = 0, seen[MOST] = {0}, thread, number, of;
    for (; fgets(line, sizeof line, log); all++) {
        if (sscanf(line, "thread %d line %d of %d", &thread, &number, &of) == 3) {
            CHECK(seen[thread]++ == number && of == LINES);
            of_threads++;
        }
    }
    CHECK(all == n * LINES + 2 && of_threads == n * LINES);
    CHECK(fclose(log) == 0);
}

/* What is no line, in order; and read one by one, by whoever comes. */
static void in_order(void) {
    FILE *file = fopen("ordered.txt", "w");
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < 3 * n; i++) {
#pragma omp ordered
        {
            fprintf(file, "%d", i);
            putc(i % 10 == 9 ? '\n' : ' ', file);
        }
    }
    fclose(file);
    file = fopen("ordered.txt", "r");
    int sum = 0, next = 0;
#pragma omp parallel
    for (int more = 1; more;) {
#pragma omp critical
        {
            int number;
            more = fscanf(file, "%d", &number) == 1;
            if (more) {
                CHECK(number == next++);
                sum += number;
            }
        }
    }
    CHECK(sum == 3 * n * (3 * n - 1) / 2);
#pragma omp parallel
#pragma omp single
    CHECK(fclose(file) == 0);
}

/* Opened by one, used by the others, closed by another. */
static void of_anyone(void) {
    FILE *made = NULL;
    long end = 0;
#pragma omp parallel
    {
        if (omp_get_thread_num() == omp_get_num_threads() - 1) {
            made = fopen("made.txt", "w+");
        }
#pragma omp barrier
#pragma omp critical
        fprintf(made, "%d\n", omp_get_thread_num());
#pragma omp barrier
#pragma omp single
        {
            int sum = 0, number;
            fseek(made, 0, SEEK_SET);
            while (fscanf(made, "%d", &number) == 1) {
                sum += number;
            }
            CHECK(sum == n * (n - 1) / 2 && feof(made));
        }
#pragma omp single
        end = ftell(made);
    }
    CHECK(end == ftell(made) && end >= 2 * n);
    CHECK(fclose(made) == 0 && remove("made.txt") == 0);
    CHECK(fopen("made.txt", "r") == NULL);
}

/* The same places in memory again and again. */
static void again(void) {
    for (int i = 0; i < 20; i++) {
        FILE *file = fopen("again", "w");
#pragma omp parallel
        putc('a', file);
        CHECK(ftell(file) == n);
        fclose(file);
    }
}

static void command(void) {
    FILE *sorted = popen("sort -n > sorted.txt", "w");
#pragma omp parallel
    fprintf(sorted, "%d\n", omp_get_thread_num());
    CHECK(pclose(sorted) == 0);
    sorted = fopen("sorted.txt", "r");
    for (int i = 0; i < n; i++) {
        int number = -1;
        CHECK(fscanf(sorted, "%d", &number) == 1 && number == i);
    }
    fclose(sorted);
}

static void descriptors(void) {
    int file = open("numbers", O_RDWR | O_CREAT | O_TRUNC, 0600);
    double *numbers = malloc((size_t)n * NUMBERS * sizeof *numbers);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        double *own = numbers + me * NUMBERS, back[NUMBERS];
        for (int i = 0; i < NUMBERS; i++) {
            own[i] = me * NUMBERS + i;
        }
        CHECK(pwrite(file, own, sizeof back, me * (off_t)sizeof back) == sizeof back);
#pragma omp barrier
        int other = (me + 1) % n;
        CHECK(pread(file, back, sizeof back, other * (off_t)sizeof back) == sizeof back);
        CHECK(back[0] == other * NUMBERS && back[NUMBERS - 1] == other * NUMBERS + NUMBERS - 1);
        const struct iovec own_parts[2] = {{own + 1, sizeof *own}, {own, sizeof *own}};
        const struct iovec parts[2] = {{back, sizeof *back}, {back + 1, sizeof *back}};
#pragma omp barrier
        CHECK(pwritev(file, own_parts, 2, me * (off_t)sizeof back) == 2 * sizeof *own);
#pragma omp barrier
        CHECK(preadv(file, parts, 2, other * (off_t)sizeof back) == 2 * sizeof *back);
        CHECK(back[0] == other * NUMBERS + 1 && back[1] == other * NUMBERS);
#pragma omp barrier
#pragma omp critical
        CHECK(write(file, own, sizeof *own) == sizeof *own);
    }
    CHECK(lseek(file, 0, SEEK_CUR) == n * (off_t)sizeof *numbers);
    CHECK(lseek(file, 0, SEEK_END) == (off_t)(n * NUMBERS * sizeof *numbers));
#pragma omp parallel
#pragma omp single
    CHECK(close(file) == 0);
    CHECK(write(file, numbers, 1) == -1);
    free(numbers);
}

/* All come to the end, one goes back, all come to the end again. */
static void ends(void) {
    FILE *file = fopen("ends.txt", "w+");
    for (int i = 0; i < n; i++) {
        fprintf(file, "%d\n", i);
    }
    rewind(file);
    int sum = 0;
#pragma omp parallel
    for (int round = 0; round < 2; round++) {
        char line[16];
        for (int more = 1; more;) {
#pragma omp critical
            {
                more = fgets(line, sizeof line, file) != NULL;
                sum += more ? atoi(line) : 0;
                CHECK(more || feof(file));
            }
        }
#pragma omp barrier
#pragma omp single
        {
            CHECK(feof(file));
            rewind(file);
            CHECK(!feof(file));
        }
    }
    CHECK(sum == n * (n - 1));
    fclose(file);
}

/* While others open and close. */
static void flush_all(void) {
    FILE *file = fopen("all.txt", "w+");
#pragma omp parallel
    for (int i = 0; i < 10; i++) {
        char name[16];
        snprintf(name, sizeof name, "all%d", omp_get_thread_num());
        FILE *own = fopen(name, "w");
#pragma omp critical
        fprintf(file, "%d", omp_get_thread_num() % 10);
        CHECK(fflush(NULL) == 0);
        fclose(own);
    }
    CHECK(ftell(file) == 10 * n);
    fclose(file);
}

/* Between two threads of one host, through another's pipe; the write is the last that a thread does. */
static void through_pipe(void) {
    int ends_of[2], last = n - 1;
    char text[8] = {0};
    CHECK(pipe(ends_of) == 0);
#pragma omp parallel
    {
        if (omp_get_thread_num() == last) {
            CHECK(read(ends_of[0], text, sizeof text) == sizeof text);
        }
        if (omp_get_thread_num() == last - 1) {
            (void)!write(ends_of[1], "message", 8);
        }
    }
    CHECK(strcmp(text, "message") == 0);
#pragma omp parallel
#pragma omp single
    CHECK(close(ends_of[0]) == 0 && close(ends_of[1]) == 0);
}

/* In one piece. */
static void much(void) {
    enum { MUCH = 1 << 20 };
    char *from = malloc(MUCH), *to = malloc(MUCH);
    memset(from, 'm', MUCH);
    int file = open("much", O_RDWR | O_CREAT | O_TRUNC, 0600);
#pragma omp parallel
    if (omp_get_thread_num() == n - 1) {
        CHECK(write(file, from, MUCH) == MUCH && pread(file, to, MUCH, 0) == MUCH);
        CHECK(memcmp(from, to, MUCH) == 0 && pread(file, to, MUCH, MUCH / 2) == MUCH / 2);
    }
    close(file);
    free(from);
    free(to);
}

/* Descriptors that the C library would print to, or count with, by names of its own. */
static void printed(void) {
    int fd = open("printed.txt", O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);
    int count = eventfd(0, 0);
    eventfd_t sum = 0;
#pragma omp parallel
    {
        CHECK(dprintf(fd, "%04d\n", omp_get_thread_num()) == 5);
        CHECK(eventfd_write(count, 2) == 0);
#pragma omp barrier
        if (omp_get_thread_num() == n - 1) {
            CHECK(eventfd_read(count, &sum) == 0);
        }
    }
    CHECK(sum == 2 * (eventfd_t)n && lseek(fd, 0, SEEK_END) == 5 * n);
    close(fd);
    close(count);
}

int main(void) {
    n = omp_get_max_threads();
    lines();
    in_order();
    of_anyone();
    again();
    command();
    descriptors();
    ends();
    flush_all();
    if (n > 1) {
        through_pipe();
    }
    much();
    printed();
    return result();
}
