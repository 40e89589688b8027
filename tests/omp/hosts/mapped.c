// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x3 2x2 4x1
// A file that main maps is mapped on all hosts. What is written to a private mapping is seen by all, and
// not in the file; what is written to a shared one is in the file as well.
#define _GNU_SOURCE // mremap
#include "../inputs/check.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BYTES = 300000, PAGE = 4096 };

static long sum_of(const unsigned char *at, size_t n) {
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (size_t i = 0; i < n; i++) {
        sum += at[i];
    }
    return sum;
}

static void count_up(unsigned char *at, size_t from, size_t to) {
#pragma omp parallel for
    for (size_t i = from; i < to; i++) {
        at[i] = (unsigned char)(i * 3 + i / PAGE);
    }
}

static size_t right_in_file(int fd, size_t from, size_t to) {
    unsigned char *bytes = malloc(to);
    ssize_t n = pread(fd, bytes, to, 0);
    size_t right = 0;
    for (size_t i = from; i < to && (ssize_t)i < n; i++) {
        right += bytes[i] == (unsigned char)(i * 3 + i / PAGE);
    }
    free(bytes);
    return right;
}

// The file ends in the middle of a page. OTHER is a page that the mapping does not write.
static void written(void) {
    enum { END = BYTES + 100, OTHER = 7 };
    int fd = open("written", O_RDWR | O_CREAT | O_TRUNC, 0600);
    CHECK(ftruncate(fd, END) == 0);
    unsigned char *at = mmap(NULL, END, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(at != MAP_FAILED && mmap(NULL, END, PROT_WRITE, MAP_SHARED, open("file", O_RDONLY), 0) ==
                                  MAP_FAILED);
    count_up(at, 0, OTHER * PAGE);
    count_up(at, (OTHER + 1) * PAGE, END);
    CHECK(pwrite(fd, "other", 5, OTHER * PAGE) == 5);
    CHECK(msync(at, END, MS_SYNC) == 0);
    char other[5];
    CHECK(pread(fd, other, 5, OTHER * PAGE) == 5 && memcmp(other, "other", 5) == 0);
    CHECK(right_in_file(fd, 0, OTHER * PAGE) == OTHER * PAGE);
    CHECK(right_in_file(fd, (OTHER + 1) * PAGE, END) == END - (OTHER + 1) * PAGE);

    CHECK(ftruncate(fd, 2 * END) == 0);
    at = mremap(at, END, 2 * END, MREMAP_MAYMOVE);
    CHECK(at != MAP_FAILED);
    count_up(at, 0, 2 * END);
    CHECK(close(fd) == 0 && munmap(at, 2 * END) == 0);
    fd = open("written", O_RDWR);
    CHECK(lseek(fd, 0, SEEK_END) == 2 * END && right_in_file(fd, 0, 2 * END) == 2 * END);
    CHECK(close(fd) == 0);
}

// Each thread maps a part of its own, and another one writes to it.
static void by_threads(void) {
    int n = omp_get_max_threads(), fd = open("parts", O_RDWR | O_CREAT | O_TRUNC, 0600);
    unsigned char **at = calloc((size_t)n, sizeof *at);
    CHECK(ftruncate(fd, n * PAGE) == 0 && close(fd) == 0);
#pragma omp parallel num_threads(n)
    {
        int me = omp_get_thread_num(), next = (me + 1) % n, file = open("parts", O_RDWR);
        at[me] = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, me * PAGE);
        CHECK(at[me] != MAP_FAILED);
#pragma omp barrier
        for (int i = 0; i < PAGE; i++) {
            int byte = next * PAGE + i;
            at[next][i] = (unsigned char)(byte * 3 + byte / PAGE);
        }
#pragma omp barrier
        CHECK(munmap(at[me], PAGE) == 0 && close(file) == 0);
    }
    fd = open("parts", O_RDONLY);
    CHECK(right_in_file(fd, 0, (size_t)n * PAGE) == (size_t)n * PAGE && close(fd) == 0);
    free(at);
}

int main(void) {
    static unsigned char bytes[BYTES];
    long sum = 0, behind = 0;
    for (int i = 0; i < BYTES; i++) {
        bytes[i] = (unsigned char)(i * 7 + i / 251);
        sum += bytes[i];
        behind += i >= PAGE ? bytes[i] : 0;
    }
    int fd = open("file", O_RDWR | O_CREAT, 0600);
    CHECK(write(fd, bytes, BYTES) == BYTES && close(fd) == 0);

    fd = open("file", O_RDONLY);
    unsigned char *shared = mmap(NULL, BYTES, PROT_READ, MAP_SHARED, fd, 0);
    unsigned char *rest = mmap(NULL, BYTES - PAGE, PROT_READ, MAP_PRIVATE, fd, PAGE);
    unsigned char *own = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    CHECK(shared != MAP_FAILED && rest != MAP_FAILED && own != MAP_FAILED);
    CHECK(mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE, fd, 1) == MAP_FAILED);
    CHECK(mmap(NULL, 0, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED);
    CHECK(close(fd) == 0);
    CHECK(mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED);

    CHECK(sum_of(shared, BYTES) == sum && sum_of(rest, BYTES - PAGE) == behind);
#pragma omp parallel for
    for (int i = 0; i < BYTES; i++) {
        own[i]++;
    }
    long wrapped = 0;
    for (int i = 0; i < BYTES; i++) {
        wrapped += bytes[i] == 255;
    }
    CHECK(sum_of(own, BYTES) == sum + BYTES - 256 * wrapped);
    CHECK(own[BYTES] == 0 && sum_of(shared, BYTES) == sum);
    CHECK(munmap(shared, BYTES) == 0 && munmap(rest, BYTES - PAGE) == 0 && munmap(own, BYTES) == 0);
    written();
    by_threads();
    return result();
}
