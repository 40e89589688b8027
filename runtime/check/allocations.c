/* SPDX-License-Identifier: BSD-3-Clause */
/* What the program allocates and frees (wrapped.def). Blocks have a few bytes more than asked for,
 * which belong to no object: there an access past the end is seen. */
#include "check/calls.h"
#include "check/lines.h"
#include "check/report.h"
#include "library/alloc.h"
#include "sync/lock.h"

enum { GAP = UPCR_CHECK_GAP, LARGEST_WITH_GAP = 1 << 30 };

static size_t with_gap(size_t bytes) {
    return bytes > 0 && bytes <= LARGEST_WITH_GAP ? bytes + GAP : bytes;
}

/* The bytes at the thread that has most; 0: too many for a gap. */
static size_t global_share(size_t nblocks, size_t nbytes) {
    size_t threads = upc_process.job.threads, bytes;
    size_t rows = nblocks / threads + (nblocks % threads != 0);
    bool is_large = __builtin_mul_overflow(rows, nbytes, &bytes) || bytes > LARGEST_WITH_GAP;
    return is_large ? 0 : bytes;
}

/* One block for each thread, or all of it at one. */
static upcr_pts global(upcr_pts p, size_t nblocks, size_t nbytes, uint32_t site) {
    const struct fl_space *space = &upc_process.space;
    uint64_t threads = upc_process.job.threads, address = upcr_address(p);
    uint64_t local = (nblocks + threads - 1) / threads * nbytes;
    if (address) {
        struct check_object object = {.start = fl_space_offset(space, address),
                                      .total = nblocks * nbytes,
                                      .block = nbytes,
                                      .home = CHECK_EVERYWHERE,
                                      .site = site};
        object.bytes = check_object_share(&object, (unsigned)threads - 1);
        check_object_add(address, local, &object);
    }
    return p;
}

static upcr_pts local(upcr_pts p, size_t bytes, uint32_t site) {
    const struct fl_space *space = &upc_process.space;
    uint64_t address = upcr_address(p);
    if (address) {
        check_object_add(address, bytes,
                         &(struct check_object){.start = fl_space_offset(space, address),
                                                .bytes = bytes,
                                                .total = bytes,
                                                .block = bytes,
                                                .home = fl_space_thread(space, address),
                                                .site = site});
    }
    return p;
}

static upcr_pts global_with_gap(upcr_pts (*allocate)(size_t, size_t), size_t nblocks,
                                size_t nbytes) {
    size_t bytes = global_share(nblocks, nbytes);
    return bytes ? allocate(upc_process.job.threads, bytes + GAP) : allocate(nblocks, nbytes);
}

#define ALLOCATION(function, parameters, allocate, add)                                            \
    upcr_pts __wrap_##function parameters {                                                        \
        bool checked = check_enter();                                                              \
        upcr_pts p = allocate;                                                                     \
        if (checked) {                                                                             \
            uint32_t site = check_called(#function);                                               \
            add;                                                                                   \
            check_leave();                                                                         \
        }                                                                                          \
        return p;                                                                                  \
    }
ALLOCATION(upc_global_alloc, (size_t nblocks, size_t nbytes),
           global_with_gap(__real_upc_global_alloc, nblocks, nbytes),
           global(p, nblocks, nbytes, site))
ALLOCATION(upc_alloc, (size_t nbytes), __real_upc_alloc(with_gap(nbytes)),
           local(p, nbytes, site))
ALLOCATION(upc_local_alloc, (size_t nblocks, size_t nbytes),
           __real_upc_local_alloc(nblocks, nbytes), local(p, nblocks * nbytes, site))

/* The others wait until the object is known. */
upcr_pts __wrap_upc_all_alloc(size_t nblocks, size_t nbytes) {
    bool checked = check_enter();
    if (checked) {
        upc_alloc_enter_all(nblocks, nbytes); /* its errors show sizes without a gap */
    }
    upcr_pts p = global_with_gap(__real_upc_all_alloc, nblocks, nbytes);
    if (checked) {
        if (check_self.me == 0) {
            global(p, nblocks, nbytes, check_called("upc_all_alloc"));
        }
        upc_barrier_plain(UPC_AT_ALL_ALLOC);
        check_leave();
    }
    return p;
}

/* The runtime itself refuses to free an address that is not an object's. */
static void end_object(upcr_pts p, bool may_race, const char *function) {
    const struct fl_space *space = &upc_process.space;
    uint64_t address = upcr_address(p);
    if (!check_is_here(address)) {
        return;
    }
    uint32_t site = check_called(function);
    uint64_t offset = fl_space_offset(space, address);
    uint32_t number = check_owner(address, offset);
    check_lines_record();
    struct check_object object = check_memory.objects[number];
    if (number == 0 && fl_lock_is_alive((const struct fl_lock *)address) &&
        check_is_new(FL_CODE_CHECK, site, 0)) {
        check_say(FL_CODE_CHECK, "%s: thread %u frees a lock; call upc_lock_free for it",
                  check_place_of(site).text, check_self.me);
    }
    if (!check_object_end(address, site)) {
        if (object.is_freed && object.start == offset && check_is_new(FL_CODE_CHECK, site, 0)) {
            check_say(FL_CODE_CHECK, "%s: thread %u frees %s, which was freed at %s; one thread "
                      "calls upc_free, or all call upc_all_free",
                      check_place_of(site).text, check_self.me, check_object_name(number).text,
                      check_place_of(object.freed_at).text);
        }
        return;
    }
    check_self.has_released = true; /* what the thread has accessed before is looked at again */
    bool everywhere = object.home == CHECK_EVERYWHERE;
    for (unsigned i = 0; i < (everywhere ? upc_process.job.threads : 1); i++) {
        unsigned thread = everywhere ? i : object.home;
        uint64_t part = fl_space_address(space, thread, object.start);
        uint64_t bytes = check_object_share(&object, thread);
        if (may_race) {
            check_freed_range(part, bytes, site);
        } else {
            check_shadow_clear(part, bytes);
        }
    }
}

void __wrap_upc_free(upcr_pts p) {
    bool checked = check_enter();
    if (checked) {
        end_object(p, true, "upc_free");
    }
    __real_upc_free(p);
    if (checked) {
        check_leave();
    }
}

/* The memory stays valid until all threads have come (UPC 1.3 7.2.2.5p4), whatever they did before. */
void __wrap_upc_all_free(upcr_pts p) {
    bool checked = check_enter();
    if (checked) {
        (void)upc_collective_enter(UPC_AT_ALL_FREE);
        check_lines_record();
        upc_barrier_plain(UPC_AT_ALL_FREE);
        if (check_self.me == 0) {
            end_object(p, false, "upc_all_free");
        }
    }
    __real_upc_all_free(p);
    if (checked) {
        check_leave();
    }
}
