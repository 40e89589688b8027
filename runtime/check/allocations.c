/* SPDX-License-Identifier: BSD-3-Clause */
/* What the program allocates and frees (wrapped.def). */
#include "check/calls.h"

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

#define ALLOCATION(function, parameters, arguments, add)                                           \
    upcr_pts __wrap_##function parameters {                                                        \
        bool checked = check_enter();                                                              \
        upcr_pts p = __real_##function arguments;                                                  \
        if (checked) {                                                                             \
            uint32_t site = check_called(#function);                                               \
            add;                                                                                   \
            check_leave();                                                                         \
        }                                                                                          \
        return p;                                                                                  \
    }
ALLOCATION(upc_global_alloc, (size_t nblocks, size_t nbytes), (nblocks, nbytes),
           global(p, nblocks, nbytes, site))
ALLOCATION(upc_alloc, (size_t nbytes), (nbytes), local(p, nbytes, site))
ALLOCATION(upc_local_alloc, (size_t nblocks, size_t nbytes), (nblocks, nbytes),
           local(p, nblocks * nbytes, site))

/* The others wait until the object is known. */
upcr_pts __wrap_upc_all_alloc(size_t nblocks, size_t nbytes) {
    bool checked = check_enter();
    upcr_pts p = __real_upc_all_alloc(nblocks, nbytes);
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
    struct check_object object = check_memory.objects[check_owner(address, offset)];
    if (!check_object_end(address, site)) {
        return;
    }
    check_self.has_released = true; /* what the thread has accessed before is looked at again */
    if (!may_race) {
        return;
    }
    bool everywhere = object.home == CHECK_EVERYWHERE;
    for (unsigned i = 0; i < (everywhere ? upc_process.job.threads : 1); i++) {
        unsigned thread = everywhere ? i : object.home;
        check_freed_range(fl_space_address(space, thread, object.start),
                          check_object_share(&object, thread), site);
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
