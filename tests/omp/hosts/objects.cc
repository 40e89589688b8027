/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 1x1 2x2 3x1
/* Objects of C++ over hosts: containers and strings that others fill and destroy, virtual functions,
 * exceptions, streams; constructors before main, and destructors after it. */
#include "../inputs/check.h"

#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

struct Shape {
    virtual ~Shape() = default;
    virtual int area() const = 0;
};
struct Square : Shape {
    int side;
    explicit Square(int side) : side(side) {}
    int area() const override { return side * side; }
};
struct Last {
    std::string text{"destroyed"};
    Last() { std::cout << "constructed" << std::endl; }
    ~Last() { std::cout << text << std::endl; }
};

static std::vector<std::string> names{"alpha", "beta"};
static std::map<int, std::string> table{{1, "one"}};
static Last last;

static void containers(int n) {
    std::vector<std::unique_ptr<Shape>> shapes(n);
    std::vector<std::string> texts(n);
    std::vector<int> caught(n);
    for (int i = 0; i < 100; i++) {
        table[i] = std::to_string(i);
    }
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        shapes[me].reset(new Square(me + 1));
        std::ostringstream text;
        text << names[me % 2] << ' ' << 1.5 * me << ' ' << table[me];
        texts[me] = text.str() + std::string(100, 'x');
        try {
            throw std::runtime_error(std::to_string(me));
        } catch (const std::exception &error) {
            caught[me] = std::stoi(error.what());
        }
#pragma omp barrier
        texts[(me + 1) % n] += "y";
    }
    for (int i = 0; i < n; i++) {
        CHECK(shapes[i]->area() == (i + 1) * (i + 1));
        CHECK(texts[i].substr(0, 4) == (i % 2 ? "beta" : "alph") && texts[i].back() == 'y');
        CHECK(caught[i] == i);
    }
#pragma omp parallel
    shapes[omp_get_thread_num()].reset();
}

static void streams() {
    long sum = 0, number;
    std::ofstream output("numbers");
    for (int i = 0; i < 20000; i++) {
        output << i << '\n';
    }
    output.close();
    std::ifstream input("numbers");
    while (input >> number) {
        sum += number;
    }
    CHECK(sum == 199990000);
    std::ios::sync_with_stdio(false);
#pragma omp parallel
#pragma omp critical
    std::cout << "line" << std::endl;
}

int main() {
    containers(omp_get_max_threads());
    streams();
    return result();
}
