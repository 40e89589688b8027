/* SPDX-License-Identifier: BSD-3-Clause */
//@ env: OMP_MAX_TASK_PRIORITY=10
/* taskyield lets what is waited for happen; priorities change no result. */
#include "../inputs/check.h"

int main(void) {
    int sum = 0;
#pragma omp parallel
    {
#pragma omp single
        {
            CHECK(omp_get_max_task_priority() == 10);
            for (int i = 0; i < 2000; i++) {
#pragma omp task shared(sum) priority(i % 13) firstprivate(i)
                {
#pragma omp atomic
                    sum += i;
                }
            }
        }
        for (int i = 0; i < 20; i++) {
            int flag = 0;
#pragma omp task shared(flag) priority(i % 3)
            {
#pragma omp atomic write
                flag = 1;
            }
            for (int now = 0; !now;) {
#pragma omp taskyield
#pragma omp atomic read
                now = flag;
            }
#pragma omp taskwait
        }
    }
    CHECK(sum == 1999000);
    return result();
}
