// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x4 2x2 4x1 3x2
// Streams of C++ that are opened by a constructor, by main or in a region are files of all hosts.
#include "../inputs/check.h"
#include <algorithm>
#include <fstream>
#include <omp.h>
#include <string>
#include <vector>

enum { LINES = 100 };

static std::ofstream global("global.txt");

static void expect_lines(const char *name, int n) {
    std::ifstream in(name);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    CHECK(lines.size() == size_t(n) && lines.front() == "begin" && lines.back() == "end");
    std::sort(lines.begin(), lines.end());
    CHECK(std::unique(lines.begin(), lines.end()) == lines.end());
}

int main() {
    int n = omp_get_max_threads();
    std::ofstream out("out.txt");
    out << "begin" << std::endl;
    global << "begin\n";
#pragma omp parallel
    for (int i = 0; i < LINES; i++) {
#pragma omp critical
        {
            out << "thread " << omp_get_thread_num() << " line " << i << "\n";
            if (i % 10 == 0) {
                out << std::flush;
            }
            global << omp_get_thread_num() << ' ' << i << '\n';
        }
    }
    out << "end\n";
    out.close();
    global << "end\n";
    global.close();
    expect_lines("out.txt", n * LINES + 2);
    expect_lines("global.txt", n * LINES + 2);

    std::ifstream in("out.txt");
    int lines = 0;
#pragma omp parallel
    for (bool more = true; more;) {
#pragma omp critical
        {
            std::string line;
            more = bool(std::getline(in, line));
            lines += more;
        }
    }
    CHECK(lines == n * LINES + 2);

    std::fstream both;
#pragma omp parallel
    {
#pragma omp single
        both.open("both.txt", std::ios::in | std::ios::out | std::ios::trunc);
#pragma omp for ordered schedule(static, 1)
        for (int i = 0; i < 4 * n; i++) {
#pragma omp ordered
            both << i << ' ';
        }
#pragma omp single
        {
            both.seekg(0);
            for (int i = 0; i < 4 * n; i++) {
                int number = -1;
                both >> number;
                CHECK(number == i);
            }
        }
    }
    return result();
}
