/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mutex.h"

#include "core/test.h"

struct counter {
    struct fl_mutex mutex;
    long count; /* plain: the mutex is all that protects it */
};

enum { ROUNDS = 20000 };

static bool add(unsigned me, void *context) {
    struct counter *counter = context;
    (void)me;
    for (int i = 0; i < ROUNDS; i++) {
        fl_mutex_lock(&counter->mutex);
        counter->count++;
        fl_mutex_unlock(&counter->mutex);
    }
    return true;
}

int main(void) {
    static const unsigned counts[] = {1, 2, 3, 5, 7, 8, 16};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        unsigned n = counts[i];
        struct counter *counter = test_shared_memory(sizeof *counter);
        CHECK(test_in_threads(n, add, counter) && counter->count == (long)n * ROUNDS,
              "%u threads lose no increment", n);
        counter->count = 0;
        if (!TEST_TSAN) {
            CHECK(test_in_processes(n, add, counter) && counter->count == (long)n * ROUNDS,
                  "%u processes lose no increment", n);
        }
    }
    return test_done();
}
