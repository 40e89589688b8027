/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects of classes in data clauses: constructed, copied, assigned and destroyed as often as said. */
#include "../inputs/check.h"
#include <string>
#include <vector>

static int made, copied, assigned, gone;

struct Counted {
    int value;
    Counted() : value(1) {
#pragma omp atomic
        made++;
    }
    Counted(const Counted &other) : value(other.value) {
#pragma omp atomic
        copied++;
    }
    Counted &operator=(const Counted &other) {
        value = other.value;
#pragma omp atomic
        assigned++;
        return *this;
    }
    ~Counted() {
#pragma omp atomic
        gone++;
    }
};

int main() {
    int n = omp_get_max_threads();
    {
        Counted a, b, c;
        b.value = 5;
#pragma omp parallel private(a) firstprivate(b)
        {
            CHECK(a.value == 1 && b.value == 5);
            a.value = b.value = omp_get_thread_num();
#pragma omp barrier
            CHECK(a.value == omp_get_thread_num());
        }
        CHECK(made == 3 + n && copied == n && gone == 2 * n && b.value == 5);
#pragma omp parallel for lastprivate(c)
        for (int i = 0; i < 20; i++) {
            c.value = i;
        }
        CHECK(c.value == 19 && assigned == 1);
    }
    CHECK(gone == made + copied);
    std::vector<std::string> words(n);
    std::string all;
#pragma omp parallel
    {
        std::string word = "thread number " + std::to_string(omp_get_thread_num());
        words[omp_get_thread_num()] = word;
#pragma omp critical
        all += word;
    }
    size_t length = 0;
    for (int i = 0; i < n; i++) {
        CHECK(words[i] == "thread number " + std::to_string(i));
        length += words[i].size();
    }
    CHECK(all.size() == length);
    return result();
}
