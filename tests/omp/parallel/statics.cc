/* SPDX-License-Identifier: BSD-3-Clause */
/* Local statics are constructed once, whoever comes first; lambdas; templates with regions. */
#include "../inputs/check.h"
#include <functional>
#include <map>
#include <memory>

static int constructions;

struct Table {
    std::map<int, int> squares;
    Table() {
#pragma omp atomic
        constructions++;
        for (int i = 0; i < 100; i++) {
            squares[i] = i * i;
        }
    }
};

static Table &table() {
    static Table only;
    return only;
}

template <typename T> static T sum_to(int n, const std::function<T(int)> &each) {
    T sum{};
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        sum += each(i);
    }
    return sum;
}

struct Shape {
    virtual ~Shape() = default;
    virtual int area() const = 0;
};
struct Square : Shape {
    int side;
    explicit Square(int s) : side(s) {}
    int area() const override { return side * side; }
};

int main() {
#pragma omp parallel
    CHECK(table().squares.at(omp_get_thread_num()) == omp_get_thread_num() * omp_get_thread_num());
    CHECK(constructions == 1);
    int factor = 3;
    CHECK(sum_to<long>(100, [=](int i) { return long(i) * factor; }) == 14850);
    CHECK(sum_to<double>(10, [](int i) { return i * 0.5; }) == 22.5);
    std::unique_ptr<Shape> shapes[50];
#pragma omp parallel for
    for (int i = 0; i < 50; i++) {
        shapes[i] = std::make_unique<Square>(i);
    }
    int area = 0;
#pragma omp parallel for reduction(+ : area) schedule(static, 1)
    for (int i = 49; i >= 0; i--) {
        area += shapes[i]->area();
    }
    CHECK(area == 49 * 50 * 99 / 6);
    auto work = [&](int begin) {
#pragma omp parallel for
        for (int i = begin; i < 10; i++) {
#pragma omp atomic
            area++;
        }
    };
    work(4);
    CHECK(area == 49 * 50 * 99 / 6 + 6);
    return result();
}
