// SPDX-License-Identifier: BSD-3-Clause
// A table in shared memory for programs in C (mpi_main.c).
#include <upc.h>
#include <upc_atomic.h>

enum { EACH = 100 };

shared long table[EACH * THREADS];
static upc_atomicdomain_t *domain;

int upc_threads(void)
{
    return THREADS;
}

int upc_me(void)
{
    return MYTHREAD;
}

void table_add(unsigned key, long value)
{
    if (!domain)
        domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD, 0);
    upc_atomic_relaxed(domain, NULL, UPC_ADD, &table[key % (EACH * THREADS)], &value, NULL);
}

// When it returns, what everybody has added is there.
void table_settle(void)
{
    upc_barrier;
}

// Of the calling thread's entries.
long table_sum(void)
{
    long sum = 0;
    upc_forall (int i = 0; i < EACH * THREADS; i++; &table[i])
        sum += table[i];
    return sum;
}
