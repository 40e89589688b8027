/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plain C on Furlong's communication library, without UPC: a message goes around all ranks, and each
 * leaves its number in the segment of rank 0.
 *
 *     cc gas_ring.c -o gas_ring $(pkg-config --cflags --libs furlong-gas)
 *     upcrun -n 4 ./gas_ring
 */
#include <furlong/gas.h>

#include <stdio.h>

enum { TOKEN };

static _Atomic uint32_t hops; /* that the token had made when it came here */

static void token_came(gas_token_t token, const uint32_t *args, unsigned n_args, void *payload,
                       size_t bytes) {
    (void)token, (void)n_args, (void)payload, (void)bytes;
    hops = args[0];
}

int main(void) {
    gas_init(0);
    gas_register(TOKEN, token_came);

    gas_rank_t me = gas_rank(), size = gas_size();
    void *memory;
    gas_segment_attach(&memory, size * sizeof(uint32_t)); /* a barrier: handlers are registered */

    uint32_t *numbers = gas_segment_of(0, NULL);
    gas_put(&numbers[me], &me, sizeof me);

    /* A handler sends no requests: so the token is passed on here. */
    gas_rank_t next = (me + 1) % size;
    if (me == 0) {
        gas_request_short(next, TOKEN, 0, GAS_ARGS(1));
    }
    GAS_BLOCK_UNTIL(hops > 0);
    if (me != 0) {
        gas_request_short(next, TOKEN, 0, GAS_ARGS(hops + 1));
    }

    gas_barrier();
    if (me == 0) {
        uint32_t sum = 0;
        for (gas_rank_t rank = 0; rank < size; rank++) {
            sum += numbers[rank];
        }
        printf("%u hops through %u ranks on %u hosts, whose numbers add up to %u\n", hops, size,
               gas_hosts(), sum);
    }
    return 0;
}
