// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x3 2x2 4x1
// A file that main maps to read is mapped on all hosts; what is written to a private mapping is seen
// by all, and not in the file.
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
    return result();
}
