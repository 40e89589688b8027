/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 1x1 1x4 2x2 3x1 4x2
//@ args: argument
//@ env: FROM_OUTSIDE=value
/* What the program takes for its memory is everybody's: static data, blocks that others resize and
 * free, blocks of large alignment, anonymous mmap, stacks with alloca and arrays of variable length, thread-private arrays that
 * copyin and copyprivate pass by address, arguments and environment. */
#define _GNU_SOURCE
#include "../inputs/check.h"

#include <alloca.h>
#include <stdint.h>
#include <sys/mman.h>

enum { N = 100000 };
static double numbers[N];
static int initialised = 7;
static int private[100];
#pragma omp threadprivate(private)

__attribute__((constructor)) static void construct(void) {
    initialised++;
}

static void statics(void) {
    double sum = 0;
    CHECK(initialised == 8);
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        numbers[i] = i;
    }
    for (int i = 0; i < N; i++) {
        sum += numbers[i];
    }
    CHECK(sum == (double)N * (N - 1) / 2);
}

/* Addresses that are reserved, and made memory piece by piece. */
static void reserved(int n) {
    enum { BYTES = 1 << 30, PIECE = 1 << 20 };
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, rights = PROT_READ | PROT_WRITE;
    char *place = mmap(NULL, BYTES, PROT_NONE, flags, -1, 0);
    CHECK(place != MAP_FAILED && mprotect(place, PIECE, rights) == 0);
    CHECK(mmap(place + PIECE, PIECE, rights, flags | MAP_FIXED, -1, 0) == place + PIECE);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        place[me * 4096] = place[PIECE + me] = (char)(me + 1);
#pragma omp barrier
        int other = (me + 1) % n;
        CHECK(place[other * 4096] == other + 1 && place[PIECE + other] == other + 1);
    }
    CHECK(mmap(place + PIECE, PIECE, rights, flags | MAP_FIXED, -1, 0) == place + PIECE);
#pragma omp parallel
    CHECK(place[PIECE + omp_get_thread_num()] == 0);
    CHECK(munmap(place, BYTES) == 0);
}

static void blocks(int n) {
    char *all[64] = {0};
    for (int round = 0; round < 3; round++) {
#pragma omp parallel
        {
            int me = omp_get_thread_num(), other = (me + 1) % n;
            all[me] = malloc(10 + (size_t)me);
            memset(all[me], me, 10);
#pragma omp barrier
            all[other] = realloc(all[other], 70000);
            CHECK(all[other][9] == other);
#pragma omp barrier
            free(all[(me + 2) % n]);
            char *zeros = calloc(100, 3), *copy = strdup("copy");
            CHECK(zeros[299] == 0 && strcmp(copy, "copy") == 0);
            memset(zeros, 1, 300);
            free(zeros);
            free(copy);
        }
    }
    int *mapped = mmap(NULL, 100000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#pragma omp parallel
    mapped[omp_get_thread_num()]++;
    for (int i = 0; i < n; i++) {
        CHECK(mapped[i] == 1);
    }
    CHECK(mapped[n] == 0 && munmap(mapped, 100000) == 0);
}

static char *map_of(size_t bytes) {
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* A thread gives a part of main's map back: the last page stays. */
static void part_of_map(int thread, size_t part) {
    enum { BYTES = 3 << 16 };
    char *map = map_of(BYTES), *other;
    map[BYTES - 1] = 'x';
#pragma omp parallel
    if (omp_get_thread_num() == thread) {
        CHECK(munmap(map, part) == 0);
    }
#pragma omp parallel
    CHECK(map[BYTES - 1] == 'x');
    other = map_of(BYTES);
    memset(other, 'o', BYTES);
    CHECK(map[BYTES - 1] == 'x' && munmap(other, BYTES) == 0);
}

/* What is given back is used again. */
static void many_maps(void) {
    char *first = map_of(12288), *last = first;
    for (int i = 0; i < 1000; i++) {
        CHECK(munmap(last, 12288) == 0);
        last = map_of(12288);
    }
    CHECK(labs(last - first) < 1 << 20 && munmap(last, 12288) == 0);
}

/* Alignments beyond those of pages. */
static void aligned(int n) {
    for (int log2 = 12; log2 <= 22; log2 += 2) {
        size_t align = (size_t)1 << log2;
        int *shared = NULL;
        CHECK(posix_memalign((void **)&shared, align, (size_t)n * sizeof *shared) == 0);
        CHECK((uintptr_t)shared % align == 0);
#pragma omp parallel
        {
            int me = omp_get_thread_num(), *mine = aligned_alloc(align, align);
            shared[me] = (uintptr_t)mine % align == 0 ? me : -1;
            free(mine);
        }
        for (int i = 0; i < n; i++) {
            CHECK(shared[i] == i);
        }
        free(shared);
    }
}

static void stacks(int n) {
    int *allocated = alloca((size_t)n * sizeof *allocated), variable[n];
#pragma omp parallel
    {
        allocated[omp_get_thread_num()] = 1;
        variable[omp_get_thread_num()] = 2;
    }
    for (int i = 0; i < n; i++) {
        CHECK(allocated[i] == 1 && variable[i] == 2);
    }
}

static int sum_of(const int *values) {
    int sum = 0;
    for (int i = 0; i < 100; i++) {
        sum += values[i];
    }
    return sum;
}

static void by_address(void) {
    for (int i = 0; i < 100; i++) {
        private[i] = i;
    }
#pragma omp parallel copyin(private)
    CHECK(sum_of(private) == 4950);
#pragma omp parallel
    {
        int mine[100];
#pragma omp single copyprivate(mine)
        for (int i = 0; i < 100; i++) {
            mine[i] = 2 * i;
        }
        CHECK(sum_of(mine) == 9900);
    }
}

static void strings(char **argv) {
    char *outside = getenv("FROM_OUTSIDE");
    setenv("FROM_MAIN", "set", 1);
#pragma omp parallel
    {
        CHECK(strcmp(argv[1], "argument") == 0);
        CHECK(strcmp(outside, "value") == 0);
        CHECK(strcmp(getenv("FROM_OUTSIDE"), "value") == 0);
        CHECK(strcmp(getenv("FROM_MAIN"), "set") == 0);
    }
    unsetenv("FROM_MAIN");
    CHECK(getenv("FROM_MAIN") == NULL);
}

int main(int argc, char **argv) {
    int n = omp_get_max_threads();
    CHECK(argc == 2);
    statics();
    reserved(n);
    blocks(n);
    part_of_map(0, (3 << 16) - 4096);
    part_of_map(n - 1, 1 << 16);
    many_maps();
    aligned(n);
    stacks(n);
    by_address();
    strings(argv);
    return result();
}
