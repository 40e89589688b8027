/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of classes: overloaded and declared operators, vectors, members. */
#include "../inputs/check.h"
#include <algorithm>
#include <set>
#include <string>
#include <vector>

struct Vec {
    double x, y;
    Vec(double a = 0, double b = 0) : x(a), y(b) {}
    Vec &operator+=(const Vec &o) {
        x += o.x;
        y += o.y;
        return *this;
    }
};

#pragma omp declare reduction(+ : Vec : omp_out += omp_in)
#pragma omp declare reduction(merge : std::vector<int> : omp_out.insert(omp_out.end(),             \
                                        omp_in.begin(), omp_in.end()))
#pragma omp declare reduction(unite : std::set<std::string> : omp_out.insert(omp_in.begin(),       \
                                        omp_in.end()))

int main() {
    Vec sum(1, 1);
    std::vector<int> numbers;
    std::set<std::string> names;
#pragma omp parallel for reduction(+ : sum) reduction(merge : numbers) reduction(unite : names)
    for (int i = 0; i < 100; i++) {
        sum += Vec(i, -i);
        numbers.push_back(i);
        names.insert("name" + std::to_string(i % 10));
    }
    CHECK(sum.x == 4951 && sum.y == -4949 && numbers.size() == 100 && names.size() == 10);
    std::sort(numbers.begin(), numbers.end());
    for (int i = 0; i < 100; i++) {
        CHECK(numbers[i] == i);
    }
    return result();
}
