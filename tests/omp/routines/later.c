/* SPDX-License-Identifier: BSD-3-Clause */
//@ not-clang: `omp_depend_t` objects are different there, and the runtime reads those of gcc
/* What gcc 13 and 14 call, or have in <omp.h>, and earlier ones do not. */
#include "../inputs/check.h"
#include <stdint.h>

int omp_in_explicit_task(void);
void *omp_get_mapped_ptr(const void *address, int device);
int omp_target_is_accessible(const void *address, size_t bytes, int device);
int omp_target_memcpy_async(void *to, const void *from, size_t bytes, size_t to_offset,
                            size_t from_offset, int to_device, int from_device, int n,
                            omp_depend_t *dependences);
int omp_target_memcpy_rect_async(void *to, const void *from, size_t element, int dims,
                                 const size_t *volume, const size_t *to_offsets,
                                 const size_t *from_offsets, const size_t *to_dims,
                                 const size_t *from_dims, int to_device, int from_device, int n,
                                 omp_depend_t *dependences);
void GOMP_taskwait_depend_nowait(void **depend);
void *GOMP_target_map_indirect_ptr(void *function);

enum { INITIAL_DEVICE = -1, INVALID_DEVICE = -4 };

static void explicit_tasks(void) {
    CHECK(!omp_in_explicit_task());
#pragma omp parallel
    {
        CHECK(!omp_in_explicit_task());
#pragma omp task
        CHECK(omp_in_explicit_task());
#pragma omp task if (0)
        CHECK(omp_in_explicit_task());
    }
}

static void copies(void) {
    int from[4][4], to[4][4], late = 0;
    size_t volume[] = {2, 2}, to_at[] = {0, 0}, from_at[] = {1, 1}, dims[] = {4, 4};
    omp_depend_t on_from;
#pragma omp depobj(on_from) depend(inout : from)
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(inout : from)
        {
            for (int i = 0; i < 1000; i++) {
#pragma omp taskyield
            }
            for (int i = 0; i < 16; i++) {
                from[i / 4][i % 4] = i;
            }
        }
        CHECK(omp_target_memcpy_async(to, from, sizeof to, 0, 0, INITIAL_DEVICE, 0, 1, &on_from) == 0);
        CHECK(to[0][0] == 0 && to[3][3] == 15);
        CHECK(omp_target_memcpy_rect_async(to, from, sizeof(int), 2, volume, to_at, from_at, dims, dims,
                                           0, 0, 1, &on_from) == 0);
        CHECK(to[0][0] == 5 && to[1][1] == 10 && to[2][2] == 10);
        CHECK(omp_target_memcpy_async(to, from, 4, 0, 0, 0, INVALID_DEVICE, 0, NULL) != 0);
    }
#pragma omp depobj(on_from) destroy
    /* A task in between, which is none of the program's: out of one, in of the other. */
    char first, second;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : first) shared(late)
        {
            for (int i = 0; i < 1000; i++) {
#pragma omp taskyield
            }
            late = 1;
        }
        void *depend[] = {(void *)(uintptr_t)2, (void *)(uintptr_t)1, &second, &first};
        GOMP_taskwait_depend_nowait(depend);
#pragma omp task depend(in : second) shared(late)
        CHECK(late == 1);
    }
}

int main(void) {
    int x = 0;
    explicit_tasks();
    copies();
    CHECK(omp_get_mapped_ptr(&x, omp_get_initial_device()) == &x);
    CHECK(omp_get_mapped_ptr(&x, INITIAL_DEVICE) == &x && !omp_get_mapped_ptr(&x, INVALID_DEVICE));
    CHECK(omp_target_is_accessible(&x, sizeof x, INITIAL_DEVICE));
    CHECK(GOMP_target_map_indirect_ptr((void *)main) == (void *)main);
    return result();
}
