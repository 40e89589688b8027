/* SPDX-License-Identifier: BSD-3-Clause */
/* std::atomic, of numbers, pointers and structures, and shared pointers among threads. */
#include "../inputs/check.h"
#include <atomic>
#include <memory>

struct Pair {
    int a, b;
};

static std::atomic<int> count;
static std::atomic<long> most;
static std::atomic<Pair> pair;
static std::atomic<bool> ready;
static std::atomic<double> real;
static int value;

int main() {
    int n = omp_get_max_threads();
    auto shared = std::make_shared<int>(5);
#pragma omp parallel
    {
        auto mine = shared;
        for (int i = 0; i < 40; i++) {
            count++;
            long now = omp_get_thread_num() * 100 + i, seen = most;
            while (seen < now && !most.compare_exchange_weak(seen, now)) {
            }
            Pair old = pair, next;
            do {
                next = {old.a + 1, old.b - 1};
            } while (!pair.compare_exchange_strong(old, next));
            double was = real.load(std::memory_order_relaxed);
            while (!real.compare_exchange_weak(was, was + 0.5)) {
            }
            auto another = mine;
            CHECK(*another == 5);
        }
        if (omp_get_thread_num() == 0) {
            value = 17;
            ready.store(true, std::memory_order_release);
        }
        while (!ready.load(std::memory_order_acquire)) {
        }
        CHECK(value == 17);
    }
    Pair last = pair;
    CHECK(count == 40 * n && most == (n - 1) * 100 + 39 && last.a == 40 * n && last.b == -40 * n);
    CHECK(real == 20.0 * n && shared.use_count() == 1);
    return result();
}
