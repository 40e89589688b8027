/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Put, get, signals and atomic operations on PEs of other hosts, and everything that <shmem.h> does
 * not do inline: OpenSHMEM 1.5, 9.5 to 9.8.
 *
 * shmem_quiet must complete the operations of all threads, but gas counts them for each thread. So
 * if several threads may call, a function returns only when its operation has ended.
 */
#include "shmem/inside.h"

static bool one_thread(void) {
    return gas_process.am.one_thread;
}

/* The address of a symmetric object at a PE of any host. An object of no bytes may be anywhere, as at
 * the end of the heap: then the address is that of the PE's first object. */
static void *locate(const void *symmetric, size_t bytes, int pe) {
    const struct furlong_shmem *s = &furlong_shmem;
    uint64_t own = (uint64_t)(uintptr_t)symmetric;
    bool is_data = own - s->data < s->data_bytes;
    uint64_t offset = bytes == 0 ? 0 : own - (is_data ? s->data : s->base);
    if ((unsigned)pe >= s->n || offset >= s->bytes) {
        furlong_shmem_misuse(symmetric, pe);
    }
    return (void *)(uintptr_t)(s->base + offset + ((uint64_t)(unsigned)pe - s->me) * s->stride);
}

static void put_far(void *to, const void *from, size_t bytes) {
    if (one_thread()) {
        gas_nbi_add(gas_put_nb(to, from, bytes, GAS_EVENT_NOW));
    } else {
        gas_put(to, from, bytes);
    }
}

void furlong_shmem_put_far(void *dest, const void *source, size_t bytes, int pe) {
    put_far(locate(dest, bytes, pe), source, bytes);
}

void furlong_shmem_put_nbi_far(void *dest, const void *source, size_t bytes, int pe) {
    void *to = locate(dest, bytes, pe);
    if (one_thread() && bytes > sizeof(uint64_t)) {
        gas_nbi_add(gas_put_nb(to, source, bytes, GAS_EVENT_DEFER));
    } else {
        put_far(to, source, bytes); /* `source` may be shmem_p's local variable */
    }
}

void furlong_shmem_get_far(void *dest, const void *source, size_t bytes, int pe) {
    gas_get(dest, locate(source, bytes, pe), bytes);
}

void furlong_shmem_get_nbi_far(void *dest, const void *source, size_t bytes, int pe) {
    const void *from = locate(source, bytes, pe);
    if (one_thread()) {
        gas_get_nbi(dest, from, bytes);
    } else {
        gas_get(dest, from, bytes);
    }
}

void furlong_shmem_quiet_far(void) {
    gas_nbi_wait();
}

/* Strides are in elements. The remote side's address is already that of the PE. */
static void strided(char *to, const char *from, ptrdiff_t to_stride, ptrdiff_t from_stride,
                    size_t each, size_t n, bool here, bool puts) {
    to_stride *= (ptrdiff_t)each;
    from_stride *= (ptrdiff_t)each;
    if (here) {
        for (size_t i = 0; i < n; i++, to += to_stride, from += from_stride) {
            memcpy(to, from, each);
        }
    } else if (n > 0) {
        gas_event_wait(
            (puts ? gas_put_strided_nb : gas_get_strided_nb)(to, &to_stride, from, &from_stride,
                                                             (const size_t[]){each, n}, 1));
    }
}

void furlong_shmem_strided_put(void *to, const void *from, ptrdiff_t to_stride,
                               ptrdiff_t from_stride, size_t each, size_t n, int pe) {
    void *at = locate(to, each * n, pe);
    strided(at, from, to_stride, from_stride, each, n, gas_is_here(at), true);
}

void furlong_shmem_strided_get(void *to, const void *from, ptrdiff_t to_stride,
                               ptrdiff_t from_stride, size_t each, size_t n, int pe) {
    const void *at = locate(from, each * n, pe);
    strided(to, at, to_stride, from_stride, each, n, gas_is_here(at), false);
}

/* ---- atomic operations ---- */

uint64_t furlong_shmem_atomic_far(const void *dest, int pe, enum furlong_shmem_op op, size_t bytes,
                                  uint64_t value, uint64_t expected) {
    static const gas_op_t ops[] = {
        [FURLONG_SHMEM_GET] = GAS_OP_GET,  [FURLONG_SHMEM_SET] = GAS_OP_SWAP,
        [FURLONG_SHMEM_SWAP] = GAS_OP_SWAP, [FURLONG_SHMEM_ADD] = GAS_OP_FADD,
        [FURLONG_SHMEM_AND] = GAS_OP_FAND, [FURLONG_SHMEM_OR] = GAS_OP_FOR,
        [FURLONG_SHMEM_XOR] = GAS_OP_FXOR, [FURLONG_SHMEM_CAS] = GAS_OP_FCAS,
    };
    gas_ad_t domain = {bytes == 4 ? GAS_U32 : GAS_U64, ops[op]};
    bool compares = op == FURLONG_SHMEM_CAS;
    /* On a little-endian machine the first 4 bytes of a word are its 32-bit value. */
    uint64_t result = 0, a = compares ? expected : value, b = value;
    gas_event_wait(gas_ad_op_nb(&domain, &result, locate(dest, bytes, pe), ops[op], &a, &b));
    return result;
}

/* ---- signals ---- */

static void signal_to(shmem_ctx_t ctx, uint64_t *signal_at, uint64_t signal, int op, int pe) {
    if (op == SHMEM_SIGNAL_ADD) {
        shmem_ctx_uint64_atomic_add(ctx, signal_at, signal, pe);
    } else if (op == SHMEM_SIGNAL_SET) {
        shmem_ctx_uint64_atomic_set(ctx, signal_at, signal, pe);
    } else {
        gas_misuse("a signal's operation is %d, neither SHMEM_SIGNAL_SET nor SHMEM_SIGNAL_ADD", op);
    }
}

void shmem_ctx_putmem_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes,
                             uint64_t *signal_at, uint64_t signal, int op, int pe) {
    void *to = locate(dest, bytes, furlong_shmem_pe(ctx, pe));
    gas_put(to, source, bytes); /* the data has arrived on return, so before the signal */
    signal_to(ctx, signal_at, signal, op, pe);
}

void shmem_ctx_putmem_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes,
                                 uint64_t *signal_at, uint64_t signal, int op, int pe) {
    shmem_ctx_putmem_signal(ctx, dest, source, bytes, signal_at, signal, op, pe);
}

uint64_t shmem_signal_fetch(const uint64_t *signal_at) {
    /* No label: of the put that bore the signal. */
    return __atomic_load_n(signal_at, __ATOMIC_ACQUIRE);
}

uint64_t shmem_signal_wait_until(uint64_t *signal_at, int comparison, uint64_t value) {
    struct gas_patience patience = {0};
    uint64_t seen = shmem_signal_fetch(signal_at);
    /* Returns the value that was compared: the variable may have the next one already. */
    while (!shmem_uint64_test(&seen, comparison, value)) {
        gas_wait_step(&patience);
        seen = shmem_signal_fetch(signal_at);
    }
    return seen;
}
