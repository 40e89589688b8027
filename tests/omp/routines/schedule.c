/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 1x2
//@ env: OMP_SCHEDULE=dynamic
/* A dynamic schedule without a chunk has one of 1, whoever sets it; a static one has none. No tool
 * can be controlled. */
#include "../inputs/check.h"

int omp_control_tool(int command, int modifier, void *argument);

static int chunk_of(omp_sched_t expected) {
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    return (kind & 15) == expected ? chunk : -1;
}

int main(void) {
    CHECK(chunk_of(omp_sched_dynamic) == 1);
    omp_set_schedule(omp_sched_static, 0);
    CHECK(chunk_of(omp_sched_static) == 0);
    omp_set_schedule(omp_sched_guided, 0);
    CHECK(chunk_of(omp_sched_guided) == 1);
    CHECK(omp_control_tool(1, 0, NULL) == -2);
    return result();
}
