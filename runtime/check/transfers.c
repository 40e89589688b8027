/* SPDX-License-Identifier: BSD-3-Clause */
/* See transfers.h. */
#include "check/transfers.h"

#include "check/calls.h"
#include "check/report.h"
#include "core/fatal.h"

#include <stdlib.h>

/* What a transfer accesses; 0: private memory. */
struct ranges {
    upcr_pts write, read;
    size_t bytes;
};

typedef void range_access(uint64_t address, uint64_t bytes, unsigned access, uint32_t site);

static void access_ranges(uint64_t write, uint64_t read, size_t bytes, uint32_t site,
                          range_access *access) {
    if (read) {
        access(read, bytes, CHECK_READ, site);
    }
    if (write) {
        access(write, bytes, CHECK_WRITE, site);
    }
}

/* The runtime copies such ranges as memmove does, and so do not all. */
static void check_overlap(const struct ranges *ranges, uint32_t site) {
    uint64_t to = upcr_address(ranges->write), from = upcr_address(ranges->read);
    uint64_t apart = to > from ? to - from : from - to;
    if (to && from && apart < ranges->bytes && check_is_new(FL_CODE_CHECK, site, 0)) {
        check_say(FL_CODE_CHECK,
                  "%s: thread %u copies %zu bytes between ranges that overlap in %llu bytes, from "
                  "%s on; what these then hold is undefined",
                  check_place_of(site).text, check_self.me, ranges->bytes,
                  (unsigned long long)(ranges->bytes - apart),
                  check_name_of(to > from ? to : from).text);
    }
}

static uint32_t begin(const struct ranges *ranges, const char *function, range_access *access) {
    uint32_t site = check_called(function);
    check_overlap(ranges, site);
    access_ranges(upcr_address(ranges->write), upcr_address(ranges->read), ranges->bytes, site,
                  access);
    return site;
}

static void keep(void *handle, const struct ranges *ranges, uint32_t site) {
    if (check_self.n_transfers == check_self.transfers_room) {
        unsigned room = check_self.transfers_room ? 2 * check_self.transfers_room : 16;
        struct check_transfer *more = realloc(check_self.transfers, room * sizeof *more);
        if (!more) {
            fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for upcc -check");
        }
        check_self.transfers = more;
        check_self.transfers_room = room;
    }
    check_self.transfers[check_self.n_transfers++] = (struct check_transfer){
        handle, upcr_address(ranges->write), upcr_address(ranges->read), ranges->bytes, site};
}

#define BEGUN(handle, ranges, site)                                                                \
    if (handle) {                                                                                  \
        keep(handle, ranges, site);                                                                \
    }

/* A function without result: `record` is said of its `ranges` before. */
#define TRANSFER(function, parameters, arguments, record, ...)                                     \
    void __wrap_##function parameters {                                                            \
        bool checked = check_enter();                                                              \
        struct ranges ranges = {__VA_ARGS__};                                                      \
        if (checked) {                                                                             \
            record;                                                                                \
        }                                                                                          \
        __real_##function arguments;                                                               \
        if (checked) {                                                                             \
            check_leave();                                                                         \
        }                                                                                          \
    }
#define BLOCKING(function, parameters, arguments, ...)                                             \
    TRANSFER(function, parameters, arguments, (void)begin(&ranges, #function, check_range),        \
             __VA_ARGS__)
BLOCKING(upc_memcpy, (upcr_pts dst, upcr_pts src, size_t n), (dst, src, n), dst, src, n)
BLOCKING(upc_memget, (void *dst, upcr_pts src, size_t n), (dst, src, n), 0, src, n)
BLOCKING(upc_memput, (upcr_pts dst, const void *src, size_t n), (dst, src, n), dst, 0, n)
BLOCKING(upc_memset, (upcr_pts dst, int c, size_t n), (dst, c, n), dst, 0, n)

void __wrap_bupc_memput_signal(upcr_pts dst, const void *src, size_t n, struct upcr_semaphore *s,
                               size_t times) {
    bool checked = check_enter();
    if (checked) {
        (void)begin(&(struct ranges){dst, 0, n}, "bupc_memput_signal", check_range);
        check_release((uint64_t)s);
    }
    __real_bupc_memput_signal(dst, src, n, s, times);
    if (checked) {
        check_leave();
    }
}

upc_handle_t __wrap_bupc_memput_signal_async(upcr_pts dst, const void *src, size_t n,
                                             struct upcr_semaphore *s, size_t times) {
    bool checked = check_enter();
    struct ranges ranges = {dst, 0, n};
    uint32_t site = checked ? begin(&ranges, "bupc_memput_signal_async", check_range) : 0;
    if (checked) {
        check_release((uint64_t)s);
    }
    upc_handle_t handle = __real_bupc_memput_signal_async(dst, src, n, s, times);
    if (checked) {
        /* The semaphore says that it is over: it is not accessed again. */
        ranges = (struct ranges){0};
        BEGUN(handle, &ranges, site)
        check_leave();
    }
    return handle;
}

#define EXPLICIT(function, parameters, arguments, ...)                                             \
    upc_handle_t __wrap_##function parameters {                                                    \
        bool checked = check_enter();                                                              \
        struct ranges ranges = {__VA_ARGS__};                                                      \
        uint32_t site = checked ? begin(&ranges, #function, check_range_open) : 0;                 \
        upc_handle_t handle = __real_##function arguments;                                         \
        if (checked) {                                                                             \
            BEGUN(handle, &ranges, site)                                                           \
            check_leave();                                                                         \
        }                                                                                          \
        return handle;                                                                             \
    }
EXPLICIT(upc_memcpy_nb, (upcr_pts dst, upcr_pts src, size_t n), (dst, src, n), dst, src, n)
EXPLICIT(upc_memget_nb, (void *dst, upcr_pts src, size_t n), (dst, src, n), 0, src, n)
EXPLICIT(upc_memput_nb, (upcr_pts dst, const void *src, size_t n), (dst, src, n), dst, 0, n)
EXPLICIT(upc_memset_nb, (upcr_pts dst, int c, size_t n), (dst, c, n), dst, 0, n)
EXPLICIT(bupc_memcpy_async, (upcr_pts dst, upcr_pts src, size_t n), (dst, src, n), dst, src, n)
EXPLICIT(bupc_memget_async, (void *dst, upcr_pts src, size_t n), (dst, src, n), 0, src, n)
EXPLICIT(bupc_memput_async, (upcr_pts dst, const void *src, size_t n), (dst, src, n), dst, 0, n)
EXPLICIT(bupc_memset_async, (upcr_pts dst, int c, size_t n), (dst, c, n), dst, 0, n)

#define IMPLICIT(function, parameters, arguments, ...)                                             \
    TRANSFER(function, parameters, arguments,                                                      \
             keep(NULL, &ranges, begin(&ranges, #function, check_range_open)), __VA_ARGS__)
IMPLICIT(upc_memcpy_nbi, (upcr_pts dst, upcr_pts src, size_t n), (dst, src, n), dst, src, n)
IMPLICIT(upc_memget_nbi, (void *dst, upcr_pts src, size_t n), (dst, src, n), 0, src, n)
IMPLICIT(upc_memput_nbi, (upcr_pts dst, const void *src, size_t n), (dst, src, n), dst, 0, n)
IMPLICIT(upc_memset_nbi, (upcr_pts dst, int c, size_t n), (dst, c, n), dst, 0, n)
IMPLICIT(bupc_memcpy_asynci, (upcr_pts dst, upcr_pts src, size_t n), (dst, src, n), dst, src, n)
IMPLICIT(bupc_memget_asynci, (void *dst, upcr_pts src, size_t n), (dst, src, n), 0, src, n)
IMPLICIT(bupc_memput_asynci, (upcr_pts dst, const void *src, size_t n), (dst, src, n), dst, 0, n)
IMPLICIT(bupc_memset_asynci, (upcr_pts dst, int c, size_t n), (dst, c, n), dst, 0, n)

/* Until now it may have accessed its ranges: the places are those where it began. */
static void end_transfers(const void *handle) {
    unsigned kept = 0;
    for (unsigned i = 0; i < check_self.n_transfers; i++) {
        const struct check_transfer *transfer = &check_self.transfers[i];
        if (transfer->handle == handle) {
            access_ranges(transfer->write, transfer->read, transfer->bytes, transfer->site,
                          check_range);
        } else {
            check_self.transfers[kept++] = *transfer;
        }
    }
    check_self.n_transfers = kept;
}

#define SYNC(function)                                                                             \
    void __wrap_##function(upc_handle_t handle) {                                                  \
        bool checked = check_enter();                                                              \
        if (checked && handle) {                                                                   \
            end_transfers(handle);                                                                 \
        }                                                                                          \
        __real_##function(handle);                                                                 \
        if (checked) {                                                                             \
            check_leave();                                                                         \
        }                                                                                          \
    }
SYNC(upc_sync)
SYNC(bupc_waitsync)

#define TRY_SYNC(function)                                                                         \
    int __wrap_##function(upc_handle_t handle) {                                                   \
        bool checked = check_enter();                                                              \
        int over = __real_##function(handle);                                                      \
        if (checked) {                                                                             \
            if (over && handle) {                                                                  \
                end_transfers(handle);                                                             \
            }                                                                                      \
            check_leave();                                                                         \
        }                                                                                          \
        return over;                                                                               \
    }
TRY_SYNC(upc_sync_attempt)
TRY_SYNC(bupc_trysync)

/* The real function makes the handles of finished transfers null, so that these calls synchronise one
 * handle at a time. */
void __wrap_bupc_waitsync_all(upc_handle_t *handles, size_t n) {
    for (size_t i = 0; i < n; i++) {
        __wrap_bupc_waitsync(handles[i]);
        handles[i] = NULL;
    }
}

int __wrap_bupc_trysync_all(upc_handle_t *handles, size_t n) {
    int all = 1;
    for (size_t i = 0; i < n; i++) {
        if (handles[i] && __wrap_bupc_trysync(handles[i])) {
            handles[i] = NULL;
        }
        all = all && !handles[i];
    }
    return all;
}

int __wrap_bupc_trysync_some(upc_handle_t *handles, size_t n) {
    bool some = false, all = true;
    for (size_t i = 0; i < n; i++) {
        if (handles[i] && __wrap_bupc_trysync(handles[i])) {
            handles[i] = NULL;
            some = true;
        }
        all = all && !handles[i];
    }
    return some || all;
}

/* On one host every transfer is over at once. */
void __wrap_bupc_waitsync_some(upc_handle_t *handles, size_t n) {
    (void)__wrap_bupc_trysync_some(handles, n);
}

void __wrap_bupc_begin_accessregion(void) {
    check_self.region = check_self.n_transfers;
    __real_bupc_begin_accessregion();
}

/* Transfers that have begun in the region without a handle have this one. */
upc_handle_t __wrap_bupc_end_accessregion(void) {
    upc_handle_t handle = __real_bupc_end_accessregion();
    for (unsigned i = check_self.region; i < check_self.n_transfers; i++) {
        struct check_transfer *transfer = &check_self.transfers[i];
        transfer->handle = transfer->handle ? transfer->handle : handle;
    }
    return handle;
}

#define SYNC_ALL(function)                                                                         \
    void __wrap_##function(void) {                                                                 \
        if (check_self.on) {                                                                       \
            end_transfers(NULL);                                                                   \
        }                                                                                          \
        __real_##function();                                                                       \
    }
SYNC_ALL(upc_synci)
SYNC_ALL(bupc_waitsynci)

#define TRY_SYNC_ALL(function)                                                                     \
    int __wrap_##function(void) {                                                                  \
        int over = __real_##function();                                                            \
        if (check_self.on && over) {                                                               \
            end_transfers(NULL);                                                                   \
        }                                                                                          \
        return over;                                                                               \
    }
TRY_SYNC_ALL(upc_synci_attempt)
TRY_SYNC_ALL(bupc_trysynci)

void check_transfers_end(void) {
    for (unsigned i = 0; i < check_self.n_transfers; i++) {
        uint32_t site = check_self.transfers[i].site;
        if (check_is_new(FL_CODE_CHECK, site, 0)) {
            check_say(FL_CODE_CHECK,
                      "thread %u ends without waiting for the transfer begun at %s; call %s",
                      check_self.me, check_place_of(site).text,
                      check_self.transfers[i].handle ? "upc_sync with its handle" : "upc_synci");
        }
    }
}
