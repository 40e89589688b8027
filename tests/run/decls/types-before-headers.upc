// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x3 3x1
// Where a feature macro is defined, the types are known before the header is included.
#ifdef __UPC_ATOMIC__
extern upc_atomicdomain_t *domain;
upc_atomicdomain_t *make(upc_type_t type, upc_op_t op);
#endif
#ifdef __UPC_IO__
static upc_file_t *open_file(const char *name);
#endif
#ifdef __UPC_NB__
static upc_handle_t begin(void);
#endif
#ifdef __UPC_TICK__
upc_tick_t started;
#endif
extern upc_lock_t *locks[];

#include "../../check.h"
#include <upc.h>
#include <upc_atomic.h>
#include <upc_io.h>
#include <upc_nb.h>
#include <upc_tick.h>

upc_atomicdomain_t *domain;
upc_lock_t *locks[2];
shared long counter;

upc_atomicdomain_t *make(upc_type_t type, upc_op_t op)
{
    return upc_all_atomicdomain_alloc(type, op, UPC_ATOMIC_HINT_DEFAULT);
}

static upc_file_t *open_file(const char *name)
{
    return upc_all_fopen(name, UPC_RDONLY | UPC_INDIVIDUAL_FP, 0, NULL);
}

static upc_handle_t begin(void)
{
    static long mine = 0;
    return upc_memget_nb(&mine, &counter, sizeof mine);
}

int main(void)
{
    started = upc_ticks_now();
    domain = make(UPC_LONG, UPC_ADD);
    long one = 1;
    upc_sync(begin());
    upc_barrier;
    upc_atomic_relaxed(domain, NULL, UPC_ADD, &counter, &one, NULL);
    upc_barrier;
    CHECK_EQ(counter, THREADS);
    CHECK(open_file("there is none") == NULL);
    locks[0] = upc_all_lock_alloc();
    upc_all_lock_free(locks[0]);
    return check_done();
}
