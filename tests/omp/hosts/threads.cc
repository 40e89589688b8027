/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 1x1 1x4 2x2 3x1 4x2
/* What C++ has for threads, in regions and besides: mutexes, condition variables, call_once, static
 * locals, threads of the program's own. */
#include "../inputs/check.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::recursive_mutex recursive;
static std::condition_variable changed;
static std::once_flag flag;
static int count, nested, turn, once, made;

struct Counted {
    int value = 5;
    Counted() { made++; }
};

static Counted &local() {
    static Counted counted;
    return counted;
}

static void regions(int n) {
    for (int round = 0; round < 3; round++) {
#pragma omp parallel
        {
            std::call_once(flag, [] { once++; });
            CHECK(local().value == 5);
            for (int i = 0; i < 10; i++) {
                std::lock_guard<std::mutex> guard(mutex);
                count++;
            }
            {
                std::lock_guard<std::recursive_mutex> outer(recursive), inner(recursive);
                nested++;
            }
            std::unique_lock<std::mutex> lock(mutex);
            changed.wait(lock, [&] { return turn % n == omp_get_thread_num(); });
            turn++;
            changed.notify_all();
        }
    }
    CHECK(count == 30 * n);
    CHECK(nested == 3 * n);
    CHECK(turn == 3 * n);
    CHECK(once == 1);
    CHECK(made == 1);
}

static void own_threads() {
    int sum = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++) {
        threads.emplace_back([&] {
            for (int i = 0; i < 500; i++) {
                std::lock_guard<std::mutex> guard(mutex);
                sum++;
            }
        });
    }
    for (auto &thread : threads) {
        thread.join();
    }
    CHECK(sum == 2000);
    std::unique_lock<std::mutex> lock(mutex);
    CHECK(!changed.wait_for(lock, std::chrono::milliseconds(5), [] { return false; }));
}

static void joined_elsewhere() {
    std::vector<std::thread> threads(omp_get_max_threads());
    std::vector<int> seen(threads.size());
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        threads[me] = std::thread([&seen, me] { seen[me] = me + 1; });
    }
    for (size_t i = 0; i < threads.size(); i++) {
        threads[i].join();
        CHECK(seen[i] == (int)i + 1);
    }
}

int main() {
    regions(omp_get_max_threads());
    own_threads();
    joined_elsewhere();
    return result();
}
