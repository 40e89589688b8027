// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x2 2x1 3x1
/*
 * A thread marks a futex's word, without using the result, and waits if no other has changed the word
 * before; the other wakes it if it finds the mark. So one of the two sees what the other has done.
 */
#include "../inputs/check.h"
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 12, CHANGED = 1, MARK = 2 };

/* Memory of one page is not brought by what is said of another's. */
static struct {
    _Alignas(4096) unsigned word;
} futexes[ROUNDS];

/* Without a call that shows what others have written. */
static void pass_time(void) {
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - start.tv_sec) * 1000000000L + now.tv_nsec - start.tv_nsec < 5000000);
}

static int waits(unsigned *word) {
    const struct timespec most = {10, 0};
    pass_time();
#pragma omp atomic
    *word |= MARK;
    long error = syscall(SYS_futex, word, FUTEX_WAIT, MARK, &most, NULL, 0);
    return error == 0 || errno == EAGAIN;
}

static void change(unsigned *word) {
    unsigned before;
#pragma omp atomic capture
    {
        before = *word;
        *word |= CHANGED;
    }
    if (before & MARK) {
        syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
    }
}

int main(void) {
    int late = 0;
#pragma omp parallel num_threads(2) reduction(+ : late)
    for (int i = 0; i < ROUNDS; i++) {
        unsigned *word = &futexes[i].word;
        late += *word;
#pragma omp barrier
        if (omp_get_thread_num() == i % 2) {
            late += !waits(word);
        } else {
            change(word);
        }
    }
    CHECK(late == 0);
    return result();
}
