// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x4 2x2 4x1 3x1
//@ flags: -std=c++20
// What C++ builds of futexes, and its atomic functions for shared pointers, work among all hosts.
#include "../inputs/check.h"
#include <atomic>
#include <barrier>
#include <chrono>
#include <future>
#include <latch>
#include <memory>
#include <semaphore>
#include <vector>

enum { ROUNDS = 20 };

int main() {
    int n = omp_get_max_threads();

    std::vector<std::promise<int>> promises(n);
    std::vector<std::future<int>> futures;
    for (auto &promise : promises) {
        futures.push_back(promise.get_future());
    }
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        promises[(me + 1) % n].set_value(me);
        CHECK(futures[me].get() == (me + n - 1) % n);
    }

    std::promise<void> never;
    std::future<void> waits = never.get_future();
#pragma omp parallel
#pragma omp single
    CHECK(waits.wait_for(std::chrono::milliseconds(5)) == std::future_status::timeout);

    std::latch latch(n);
    std::barrier barrier(n);
    std::vector<int> rows(n);
    int bad = 0;
#pragma omp parallel reduction(+ : bad)
    {
        int me = omp_get_thread_num();
        rows[me] = 1;
        latch.arrive_and_wait();
        for (int i = 0; i < n; i++) {
            bad += rows[i] != 1;
        }
        barrier.arrive_and_wait();
        for (int round = 2; round < ROUNDS; round++) {
            rows[me] = round;
            barrier.arrive_and_wait();
            bad += rows[(me + 1) % n] != round;
            barrier.arrive_and_wait();
        }
    }
    CHECK(bad == 0);

    std::atomic<int> turn(0);
    int sum = 0;
#pragma omp parallel
    for (int round = 0; round < ROUNDS; round++) {
        int mine = round * n + omp_get_thread_num();
        for (int now = turn; now != mine; now = turn) {
            turn.wait(now);
        }
        sum += mine;
        turn = mine + 1;
        turn.notify_all();
    }
    CHECK(sum == ROUNDS * n * (ROUNDS * n - 1) / 2);

    std::counting_semaphore<> places(1);
    int inside = 0;
#pragma omp parallel
    for (int round = 0; round < ROUNDS; round++) {
        places.acquire();
        CHECK(++inside == 1);
        --inside;
        places.release();
    }

    auto shared = std::make_shared<int>(0);
#pragma omp parallel
    for (int round = 0; round < ROUNDS; round++) {
        std::shared_ptr<int> now = std::atomic_load(&shared), next;
        do {
            next = std::make_shared<int>(*now + 1);
        } while (!std::atomic_compare_exchange_weak(&shared, &now, next));
    }
    CHECK(*shared == n * ROUNDS);
    return result();
}
