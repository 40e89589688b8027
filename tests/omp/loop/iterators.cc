/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops over random access iterators and ranges. */
#include "../inputs/check.h"
#include <array>
#include <deque>
#include <vector>

int main() {
    std::vector<int> v(173);
    std::deque<long> d(90, 2);
    std::array<double, 31> a{};
#pragma omp parallel for
    for (auto it = v.begin(); it < v.end(); ++it) {
        *it = int(it - v.begin());
    }
#pragma omp parallel for schedule(dynamic, 4)
    for (auto it = d.begin(); it < d.end(); it += 2) {
        *it += 1;
    }
#pragma omp parallel for
    for (double &x : a) {
        x = 1.5;
    }
    long sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(guided)
    for (int x : v) {
        sum += x;
    }
    CHECK(sum == 172 * 173 / 2);
    sum = 0;
#pragma omp parallel for collapse(2) reduction(+ : sum)
    for (auto it = d.begin(); it < d.end(); ++it) {
        for (size_t j = 0; j < a.size(); j++) {
            sum += *it;
        }
    }
    CHECK(sum == (45 * 3 + 45 * 2) * 31 && a[30] == 1.5);
    return result();
}
