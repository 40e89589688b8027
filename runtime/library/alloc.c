/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared memory allocation (UPC 1.3 7.2.2). The heaps themselves are space/heap.h. */
#include "library/alloc.h"

#include "coll/value.h"
#include "core/fatal.h"
#include "library/upc.h"
#include "upc/collective.h"
#include "upc/foreign.h"
#include "upc/heap.h"
#include "upc/trace.h"

#include <stdio.h>

struct amount {
    char text[32];
};

static struct amount amount(uint64_t bytes) {
    static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
    double value = (double)bytes;
    unsigned unit = 0;
    while (value >= 1024 && unit < 4) {
        value /= 1024;
        unit++;
    }
    struct amount a;
    snprintf(a.text, sizeof a.text, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
    return a;
}

static const char *machine(unsigned host) {
    const struct fl_job *job = &upc_process.job;
    return job->hosts > 1 ? fl_job_host_name(job, host) : "this machine";
}

static FL_COLD uint64_t failed(const char *what, const struct fl_heap_failure *failure) {
    if (upc_process.params.heap_null) {
        return 0;
    }
    struct amount wanted = amount(failure->wanted), used = amount(failure->used),
                  limit = amount(failure->limit);
    switch (failure->status) {
    case FL_ERR_FULL:
        fl_fatal(FL_CODE_HEAP_FULL,
                 "%s: the shared heap is full: %s more per thread do not fit, because %s of %s are "
                 "in use; allow more with upcrun -shared-heap=SIZE or UPC_SHARED_HEAP_SIZE, or "
                 "free what is no longer needed",
                 what, wanted.text, used.text, limit.text);
    case FL_ERR_MEMORY:
        fl_fatal(FL_CODE_MEMORY_EXHAUSTED,
                 "%s: the memory of %s does not suffice: %s more do not fit into the %s that are "
                 "available (allocations before this one have yet to use %s of them); use a "
                 "machine with more memory, or set FURLONG_OVERCOMMIT=1 if the program will not "
                 "use all of it",
                 what, machine(failure->host), wanted.text, limit.text, used.text);
    default:
        if (failure->wanted > INT64_MAX) {
            fl_fatal(FL_CODE_TOO_LARGE, "%s: %s cannot be allocated; was the size negative?", what,
                     wanted.text);
        }
        fl_fatal(FL_CODE_TOO_LARGE, "%s: %s cannot be allocated: a thread's segment has %s", what,
                 wanted.text, limit.text);
    }
}

uint64_t upc_alloc_local(const char *what, uint64_t bytes) {
    struct fl_heap_failure failure;
    uint64_t since = upc_trace_begin();
    uint64_t address =
        fl_heap_alloc_local(&upc_process.heap, upc_acting(what)->me, bytes, &failure);
    upc_trace_end_allocation(since, "allocate", what, bytes);
    return address ? address : failed(what, &failure);
}

void upc_alloc_free(const char *what, uint64_t address) {
    struct upc_heap_why why;
    if (!upc_heap_free(address, &why)) {
        fl_fatal(FL_CODE_BAD_FREE, "%s: the pointer to offset 0x%llx at thread %lu %s", what,
                 (unsigned long long)upcr_addrfield(address), upcr_threadof(address), why.text);
    }
}

enum { HUGE_LEAST = 16 << 20 }; /* bytes at one thread, below which large pages are not sought */

/* Asks for large pages for the calling thread's part of a new block; each thread does its own part,
 * so that the memory is near it. Advice is enough if the kernel gives large pages on the first
 * touch. If it does not (shmem_enabled is `never`), collapsing gives them at once, and random
 * access becomes 10 % faster (GUPS), but it takes 3 s for each GB: so only if the user has asked
 * for it. */
static void seek_huge_pages(uint64_t address, uint64_t bytes) {
    if (bytes < HUGE_LEAST) {
        return;
    }
    fl_os_memory_prefer_huge((void *)address, bytes);
    if (upc_process.params.huge_pages) {
        fl_os_memory_collapse((void *)address, bytes);
    }
}

/* Over hosts the value is sent by coll's broadcast. The barrier before finds threads at other
 * calls. */
static FL_COLD uint64_t broadcast_over_hosts(enum upc_barrier_use use, uint64_t value) {
    struct fl_coll_call call = {
        .team = &upc_process.team, .member = &upc_self->coll, .kind = use};
    upc_barrier_called(use);
    fl_coll_value_broadcast(&call, &value, sizeof value, 0);
    return value;
}

/* Two slots suffice: thread 0 can write one again only after a barrier that all threads entered
 * after they had read that slot. */
uint64_t upc_alloc_broadcast(enum upc_barrier_use use, uint64_t value) {
    if (FL_UNLIKELY(upc_process.layout.hosts > 1)) {
        return broadcast_over_hosts(use, value);
    }
    uint64_t *slot = &upc_process.shared->broadcast[upc_self->barrier.epoch & 1];
    if (upc_self->me == 0) {
        *slot = value;
    }
    upc_barrier_called(use);
    return *slot;
}

/* Bytes that a shared [nbytes] char[nblocks * nbytes] has at the thread that has most of them;
 * UINT64_MAX if there are too many to count. */
static uint64_t bytes_per_thread(size_t nblocks, size_t nbytes) {
    uint64_t threads = upc_process.job.threads;
    uint64_t rows = nblocks / threads + (nblocks % threads != 0);
    uint64_t bytes;
    return __builtin_mul_overflow(rows, nbytes, &bytes) ? UINT64_MAX : bytes;
}

uint64_t upc_alloc_global(const char *what, uint64_t bytes) {
    struct fl_heap_failure failure = {FL_ERR_INVALID, upc_process.layout.my_host, bytes, 0,
                                      fl_space_segment_bytes(&upc_process.space) / 2};
    if (bytes == 0) {
        return 0;
    }
    if (bytes == UINT64_MAX) {
        return failed(what, &failure);
    }
    uint64_t since = upc_trace_begin();
    uint64_t address = upc_heap_alloc_global(bytes, &failure);
    upc_trace_end_allocation(since, "allocate", what, bytes);
    return address ? address : failed(what, &failure);
}

upcr_pts upc_global_alloc(size_t nblocks, size_t nbytes) {
    return upc_alloc_global("upc_global_alloc", bytes_per_thread(nblocks, nbytes));
}

struct upc_thread *upc_alloc_enter_all(size_t nblocks, size_t nbytes) {
    struct upc_thread *self = upc_collective_enter(UPC_AT_ALL_ALLOC);
    if (FL_UNLIKELY(upc_process.check)) {
        const struct upc_argument arguments[] = {{"nblocks", nblocks, UPC_NUMBER},
                                                 {"nbytes", nbytes, UPC_NUMBER}};
        upc_collective_agree(UPC_AT_ALL_ALLOC, arguments, 2);
    }
    return self;
}

upcr_pts upc_all_alloc(size_t nblocks, size_t nbytes) {
    struct upc_thread *self = upc_alloc_enter_all(nblocks, nbytes);
    uint64_t address = 0;
    uint64_t bytes = bytes_per_thread(nblocks, nbytes);
    if (self->me == 0) {
        address = upc_alloc_global("upc_all_alloc", bytes);
    }
    address = upc_alloc_broadcast(UPC_AT_ALL_ALLOC, address);
    if (address) {
        seek_huge_pages(upcr_address_on(upcr_addrfield(address), self->me), bytes);
    }
    if (FL_UNLIKELY(upc_trace_on)) {
        upc_trace_memory();
    }
    return address;
}

upcr_pts upc_alloc(size_t nbytes) {
    uint64_t address = nbytes ? upc_alloc_local("upc_alloc", nbytes) : 0;
    if (address) {
        seek_huge_pages(address, nbytes);
    }
    return address;
}

/* UPC 1.1 and 1.2; 1.3 dropped it, but programs still use it. */
upcr_pts upc_local_alloc(size_t nblocks, size_t nbytes) {
    uint64_t bytes;
    if (__builtin_mul_overflow(nblocks, nbytes, &bytes)) {
        bytes = INT64_MAX;
    }
    return bytes ? upc_alloc_local("upc_local_alloc", bytes) : 0;
}

void upc_free(upcr_pts p) {
    if (upcr_address(p)) {
        uint64_t since = upc_trace_begin();
        upc_alloc_free("upc_free", upcr_address(p));
        upc_trace_end_allocation(since, "free", "upc_free", 0);
    }
}

/* The memory stays valid until all threads have entered the call (7.2.2.5p4). */
void upc_all_free(upcr_pts p) {
    struct upc_thread *self = upc_collective_enter(UPC_AT_ALL_FREE);
    if (FL_UNLIKELY(upc_process.check)) {
        upc_collective_agree(UPC_AT_ALL_FREE, &(struct upc_argument){"ptr", p, UPC_POINTER}, 1);
    }
    upc_barrier_called(UPC_AT_ALL_FREE);
    if (self->me == 0) {
        upc_free(p);
    }
}
