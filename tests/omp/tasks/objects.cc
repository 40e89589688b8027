// SPDX-License-Identifier: BSD-3-Clause
// Objects of C++ in tasks: copied by their constructors, destroyed once each, exceptions inside.
#include "../inputs/check.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> alive;

struct Counted {
    std::string text;
    explicit Counted(std::string t) : text(std::move(t)) { alive++; }
    Counted(const Counted &other) : text(other.text) { alive++; }
    ~Counted() { alive--; }
};

static int caught(int i) {
    try {
        if (i % 2) {
            throw std::runtime_error("odd");
        }
        return 0;
    } catch (const std::runtime_error &) {
        return 1;
    }
}

// Nothing has to be done at its end, and yet it must not be copied as bytes.
struct Here {
    const Here *self;
    Here() : self(this) {}
    Here(const Here &) : self(this) {}
};

static void stay() {
    Here here;
    std::atomic<int> wrong{0};
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 300; i++) {
#pragma omp task firstprivate(here) shared(wrong)
        {
            std::this_thread::sleep_for(std::chrono::microseconds(100));
            wrong += here.self != &here;
        }
    }
    CHECK(wrong == 0);
}

int main() {
    stay();
    std::atomic<int> right{0}, odd{0};
#pragma omp parallel
    {
        Counted mine(std::string(40, 'x') + std::to_string(omp_get_thread_num()));
        std::vector<int> numbers(100, omp_get_thread_num());
        for (int i = 0; i < 50; i++) {
#pragma omp task firstprivate(mine, numbers, i) shared(right, odd)
            {
                right += mine.text.size() >= 41 && numbers[99] == std::stoi(mine.text.substr(40));
                odd += caught(i);
            }
        }
#pragma omp taskloop firstprivate(mine) shared(right)
        for (int i = 0; i < 10; i++) {
            right += mine.text[0] == 'x';
        }
    }
    int n = omp_get_max_threads();
    CHECK(right == 60 * n && odd == 25 * n);
    CHECK(alive == 0);
    return result();
}
