/* SPDX-License-Identifier: BSD-3-Clause */
//@ env: OMP_CANCELLATION=true
/* Again and again: regions that one thread cancels while others are before, in or behind a barrier;
 * constructs that are cancelled one behind the other, of which only the cancelled ones end early; and
 * groups of tasks. */
#include "../inputs/check.h"

enum { ROUNDS = 12, N = 400 };

static void regions(int n) {
    for (int round = 0; round < ROUNDS; round++) {
        int came = 0, passed = 0, canceller = round % n;
#pragma omp parallel
        {
            int me = omp_get_thread_num();
            for (int i = 0; i < round % 4; i++) {
#pragma omp barrier
            }
#pragma omp atomic
            came++;
            if (me != canceller && (me + round) % 3 == 0) {
                while (1) {
#pragma omp cancellation point parallel
                }
            }
            if (me == canceller) {
#pragma omp cancel parallel
            }
#pragma omp barrier
#pragma omp atomic
            passed++;
        }
        CHECK(came == n);
        CHECK(passed == 0);
    }
}

static void loops(int n) {
    static int times[N];
    memset(times, 0, sizeof times);
    int cancelled = 0;
#pragma omp parallel reduction(+ : cancelled)
    for (int round = 0; round < ROUNDS; round++) {
#pragma omp for
        for (int i = 0; i < N; i++) {
            times[i]++;
            if (round < 0) {
#pragma omp cancel for
            }
        }
#pragma omp for
        for (int i = 0; i < N; i++) {
            if (round % 2) {
                if (i == N / 2) {
                    cancelled++;
                }
#pragma omp cancel for if (i == N / 2)
            }
        }
    }
    for (int i = 0; i < N; i++) {
        CHECK(times[i] == ROUNDS);
    }
    CHECK(cancelled == ROUNDS / 2);
    (void)n;
}

static void sections(void) {
    for (int round = 0; round < ROUNDS; round++) {
        int before = 0, after = 0;
#pragma omp parallel
        {
#pragma omp sections
            {
#pragma omp section
                {
#pragma omp atomic
                    before++;
#pragma omp cancel sections
                    before += 100;
                }
#pragma omp section
                {
#pragma omp cancellation point sections
                }
            }
#pragma omp sections
            {
#pragma omp section
                {
#pragma omp cancellation point sections
#pragma omp atomic
                    after++;
                }
#pragma omp section
                {
#pragma omp cancellation point sections
#pragma omp atomic
                    after++;
                }
            }
        }
        CHECK(before == 1);
        CHECK(after == 2);
    }
}

static void groups(void) {
    for (int round = 0; round < ROUNDS; round++) {
        int done = 0, others = 0;
#pragma omp parallel
#pragma omp single
        {
#pragma omp task shared(others)
            {
#pragma omp atomic
                others++;
            }
#pragma omp taskgroup
            for (int i = 0; i < 200; i++) {
#pragma omp task shared(done) firstprivate(i)
                {
                    if (i == 5) {
#pragma omp cancel taskgroup
                    }
#pragma omp cancellation point taskgroup
#pragma omp atomic
                    done++;
                }
            }
            int so_far;
#pragma omp atomic read
            so_far = done;
            CHECK(so_far < 200);
        }
        CHECK(others == 1);
        CHECK(done < 200);
    }
}

int main(void) {
    int n = omp_get_max_threads();
    CHECK(omp_get_cancellation());
    regions(n);
    loops(n);
    sections();
    groups();
    return result();
}
