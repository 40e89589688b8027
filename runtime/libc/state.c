/* SPDX-License-Identifier: BSD-3-Clause */
/* See state.h. */
#include "libc/state.h"

#include "core/fatal.h"

#include <stdlib.h>

static _Atomic(void *) states_of_process[UPC_LIBC_STATES];

void *libc_state(enum upc_libc_state which, size_t bytes) {
    bool own = upc_self && upc_process.job.count > 1;
    _Atomic(void *) *at = own ? &upc_self->libc_states[which] : &states_of_process[which];
    /* [C1] pairs [C2]: the state is zeros. */
    void *state = atomic_load_explicit(at, memory_order_acquire);
    if (state) {
        return state;
    }
    void *fresh = FL_ALLOCATED(calloc(1, bytes), "what a function of the C library keeps");
    /* [C2] pairs [C1]. */
    if (atomic_compare_exchange_strong_explicit(at, &state, fresh, memory_order_acq_rel,
                                                memory_order_acquire)) {
        return fresh;
    }
    free(fresh);
    return state;
}
