/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain C on Furlong's communication layer, without UPC: each rank puts its number into the next one. */
#include <furlong/gas.h>

#include <stdio.h>

int main(void) {
    gas_init(0);
    gas_rank_t me = gas_rank(), size = gas_size();
    void *memory;
    gas_segment_attach(&memory, sizeof(gas_rank_t));

    gas_rank_t next = (me + 1) % size;
    gas_put(gas_segment_of(next, NULL), &me, sizeof me);
    gas_barrier();

    gas_rank_t before = (me + size - 1) % size;
    if (*(gas_rank_t *)memory != before) {
        printf("rank %u: not the number of rank %u\n", (unsigned)me, (unsigned)before);
        return 1;
    }
    if (me == 0) {
        printf("%u ranks in a ring\n", (unsigned)size);
    }
    return 0;
}
