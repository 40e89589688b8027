/* SPDX-License-Identifier: BSD-3-Clause */
/* Exceptions that are thrown and caught inside regions, loops, critical constructs and tasks. */
#include "../inputs/check.h"
#include <stdexcept>
#include <string>

static void fail(int i) {
    throw std::runtime_error("number " + std::to_string(i));
}

int main() {
    int caught = 0, in_critical = 0, in_tasks = 0;
#pragma omp parallel reduction(+ : caught)
    {
        try {
            fail(omp_get_thread_num());
        } catch (const std::exception &e) {
            CHECK(e.what() == "number " + std::to_string(omp_get_thread_num()));
            caught++;
        }
    }
    CHECK(caught == omp_get_max_threads());
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 60; i++) {
        try {
#pragma omp critical
            {
                try {
                    fail(i);
                } catch (...) {
                    in_critical++;
                }
            }
            if (i % 2) {
                throw i;
            }
        } catch (int number) {
            CHECK(number == i);
        }
    }
    CHECK(in_critical == 60);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 30; i++) {
#pragma omp task shared(in_tasks)
        try {
            fail(i);
        } catch (const std::runtime_error &) {
#pragma omp atomic
            in_tasks++;
        }
    }
    CHECK(in_tasks == 30);
    return result();
}
