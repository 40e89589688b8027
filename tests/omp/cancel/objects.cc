/* SPDX-License-Identifier: BSD-3-Clause */
//@ env: OMP_CANCELLATION=true
/* What was constructed for tasks that are cancelled before they begin is destroyed. */
#include "../inputs/check.h"

static int alive;

struct object {
    object() {
#pragma omp atomic
        alive++;
    }
    object(const object &) {
#pragma omp atomic
        alive++;
    }
    ~object() {
#pragma omp atomic
        alive--;
    }
    void use() {}
};

static void make_tasks() {
    object one, two;
#pragma omp parallel firstprivate(one)
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < 100; i++) {
#pragma omp task firstprivate(one, two)
        {
            one.use();
            two.use();
#pragma omp cancellation point taskgroup
#pragma omp cancel taskgroup if (i > 5)
        }
    }
}

int main() {
    for (int round = 0; round < 20; round++) {
        make_tasks();
        CHECK(alive == 0);
    }
    return result();
}
