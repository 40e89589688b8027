/* SPDX-License-Identifier: BSD-3-Clause */
/* See transfers.h. */
#include "check/transfers.h"

#include "check/buffers.h"
#include "check/calls.h"
#include "check/lines.h"
#include "check/report.h"
#include "core/fatal.h"

#include <stdlib.h>

/* What a transfer accesses: shared memory, 0: the private buffer. */
struct ranges {
    upcr_pts write, read;
    size_t bytes;
    const void *buffer;
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

static struct check_transfer begin(const struct ranges *ranges, const char *function,
                                   range_access *access) {
    struct check_transfer transfer = {.write = upcr_address(ranges->write),
                                      .read = upcr_address(ranges->read),
                                      .buffer = ranges->buffer,
                                      .bytes = ranges->bytes,
                                      .site = check_called(function)};
    check_overlap(ranges, transfer.site);
    check_buffer_begin(&transfer);
    access_ranges(transfer.write, transfer.read, transfer.bytes, transfer.site, access);
    return transfer;
}

/* What its thread has accessed is recorded before, and what it accesses then is recorded anew. */
static struct check_transfer begin_open(const struct ranges *ranges, const char *function) {
    check_lines_record();
    struct check_transfer transfer = begin(ranges, function, check_range_open);
    check_self.has_released = true;
    return transfer;
}

static void keep(void *handle, struct check_transfer transfer) {
    if (check_self.n_transfers == check_self.transfers_room) {
        unsigned room = check_self.transfers_room ? 2 * check_self.transfers_room : 16;
        struct check_transfer *more =
            FL_ALLOCATED(realloc(check_self.transfers, room * sizeof *more), "upcc -check");
        check_self.transfers = more;
        check_self.transfers_room = room;
    }
    transfer.handle = handle;
    check_buffer_keep(&transfer);
    check_self.transfers[check_self.n_transfers++] = transfer;
}

/* Blocking ones. */
#define BLOCKING(function, parameters, arguments, ...)                                             \
    void __wrap_##function parameters {                                                            \
        bool checked = check_enter();                                                              \
        if (checked) {                                                                             \
            (void)begin(&(struct ranges){__VA_ARGS__}, #function, check_range);                    \
        }                                                                                          \
        __real_##function arguments;                                                               \
        if (checked) {                                                                             \
            check_leave();                                                                         \
        }                                                                                          \
    }
BLOCKING(upc_memcpy, (upcr_pts dst, upcr_pts src, size_t n), (dst, src, n), dst, src, n, NULL)
BLOCKING(upc_memget, (void *dst, upcr_pts src, size_t n), (dst, src, n), 0, src, n, dst)
BLOCKING(upc_memput, (upcr_pts dst, const void *src, size_t n), (dst, src, n), dst, 0, n, src)
BLOCKING(upc_memset, (upcr_pts dst, int c, size_t n), (dst, c, n), dst, 0, n, NULL)

void __wrap_bupc_memput_signal(upcr_pts dst, const void *src, size_t n, struct upcr_semaphore *s,
                               size_t times) {
    bool checked = check_enter();
    if (checked) {
        (void)begin(&(struct ranges){dst, 0, n, src}, "bupc_memput_signal", check_range);
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
    struct check_transfer transfer = {0};
    if (checked) {
        transfer = begin(&(struct ranges){dst, 0, n, src}, "bupc_memput_signal_async", check_range);
        check_release((uint64_t)s);
    }
    upc_handle_t handle = __real_bupc_memput_signal_async(dst, src, n, s, times);
    if (checked) {
        /* The semaphore says that it is over: shared memory is not accessed again. */
        transfer.write = 0;
        if (handle) {
            keep(handle, transfer);
        }
        check_leave();
    }
    return handle;
}

#define EXPLICIT(function, parameters, arguments, ...)                                             \
    upc_handle_t __wrap_##function parameters {                                                    \
        bool checked = check_enter();                                                              \
        struct check_transfer transfer = {0};                                                      \
        if (checked) {                                                                             \
            transfer = begin_open(&(struct ranges){__VA_ARGS__}, #function);                       \
        }                                                                                          \
        upc_handle_t handle = __real_##function arguments;                                         \
        if (checked) {                                                                             \
            if (handle) {                                                                          \
                keep(handle, transfer);                                                            \
            }                                                                                      \
            check_leave();                                                                         \
        }                                                                                          \
        return handle;                                                                             \
    }
EXPLICIT(upc_memcpy_nb, (upcr_pts dst, upcr_pts src, size_t n), (dst, src, n), dst, src, n, NULL)
EXPLICIT(upc_memget_nb, (void *dst, upcr_pts src, size_t n), (dst, src, n), 0, src, n, dst)
EXPLICIT(upc_memput_nb, (upcr_pts dst, const void *src, size_t n), (dst, src, n), dst, 0, n, src)
EXPLICIT(upc_memset_nb, (upcr_pts dst, int c, size_t n), (dst, c, n), dst, 0, n, NULL)
EXPLICIT(bupc_memcpy_async, (upcr_pts dst, upcr_pts src, size_t n), (dst, src, n), dst, src, n, NULL)
EXPLICIT(bupc_memget_async, (void *dst, upcr_pts src, size_t n), (dst, src, n), 0, src, n, dst)
EXPLICIT(bupc_memput_async, (upcr_pts dst, const void *src, size_t n), (dst, src, n), dst, 0, n, src)
EXPLICIT(bupc_memset_async, (upcr_pts dst, int c, size_t n), (dst, c, n), dst, 0, n, NULL)

#define IMPLICIT(function, parameters, arguments, ...)                                             \
    void __wrap_##function parameters {                                                            \
        bool checked = check_enter();                                                              \
        struct check_transfer transfer = {0};                                                      \
        if (checked) {                                                                             \
            transfer = begin_open(&(struct ranges){__VA_ARGS__}, #function);                       \
        }                                                                                          \
        __real_##function arguments;                                                               \
        if (checked) {                                                                             \
            keep(NULL, transfer);                                                                  \
            check_leave();                                                                         \
        }                                                                                          \
    }
IMPLICIT(upc_memcpy_nbi, (upcr_pts dst, upcr_pts src, size_t n), (dst, src, n), dst, src, n, NULL)
IMPLICIT(upc_memget_nbi, (void *dst, upcr_pts src, size_t n), (dst, src, n), 0, src, n, dst)
IMPLICIT(upc_memput_nbi, (upcr_pts dst, const void *src, size_t n), (dst, src, n), dst, 0, n, src)
IMPLICIT(upc_memset_nbi, (upcr_pts dst, int c, size_t n), (dst, c, n), dst, 0, n, NULL)
IMPLICIT(bupc_memcpy_asynci, (upcr_pts dst, upcr_pts src, size_t n), (dst, src, n), dst, src, n, NULL)
IMPLICIT(bupc_memget_asynci, (void *dst, upcr_pts src, size_t n), (dst, src, n), 0, src, n, dst)
IMPLICIT(bupc_memput_asynci, (upcr_pts dst, const void *src, size_t n), (dst, src, n), dst, 0, n, src)
IMPLICIT(bupc_memset_asynci, (upcr_pts dst, int c, size_t n), (dst, c, n), dst, 0, n, NULL)

/* Until now it may have accessed its ranges: the places are those where it began. */
static void end_transfers(const void *handle, const char *function) {
    unsigned kept = 0;
    check_lines_record();
    check_self.is_closing = true;
    for (unsigned i = 0; i < check_self.n_transfers; i++) {
        const struct check_transfer *transfer = &check_self.transfers[i];
        if (transfer->handle == handle) {
            check_buffer_end(transfer, check_called(function));
            access_ranges(transfer->write, transfer->read, transfer->bytes, transfer->site,
                          check_range);
        } else {
            check_self.transfers[kept++] = *transfer;
        }
    }
    check_self.is_closing = false;
    check_self.n_transfers = kept;
}

#define SYNC(function)                                                                             \
    void __wrap_##function(upc_handle_t handle) {                                                  \
        bool checked = check_enter();                                                              \
        if (checked && handle) {                                                                   \
            end_transfers(handle, #function);                                                      \
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
                end_transfers(handle, #function);                                                  \
            }                                                                                      \
            check_leave();                                                                         \
        }                                                                                          \
        return over;                                                                               \
    }
TRY_SYNC(upc_sync_attempt)
TRY_SYNC(bupc_trysync)

/* The real functions make the handles of finished transfers null, so that these synchronise one handle
 * at a time. */
static bool try_one(upc_handle_t *handle, bool checked, const char *function) {
    if (!*handle || !__real_bupc_trysync(*handle)) {
        return false;
    }
    if (checked) {
        end_transfers(*handle, function);
    }
    *handle = NULL;
    return true;
}

void __wrap_bupc_waitsync_all(upc_handle_t *handles, size_t n) {
    bool checked = check_enter();
    for (size_t i = 0; i < n; i++) {
        if (checked && handles[i]) {
            end_transfers(handles[i], "bupc_waitsync_all");
        }
        __real_bupc_waitsync(handles[i]);
        handles[i] = NULL;
    }
    if (checked) {
        check_leave();
    }
}

/* Which of the handles are null then. */
struct ended {
    bool some, all;
};

static struct ended try_each(upc_handle_t *handles, size_t n, const char *function) {
    struct ended ended = {false, true};
    bool checked = check_enter();
    for (size_t i = 0; i < n; i++) {
        ended.some |= try_one(&handles[i], checked, function);
        ended.all &= !handles[i];
    }
    if (checked) {
        check_leave();
    }
    return ended;
}

int __wrap_bupc_trysync_all(upc_handle_t *handles, size_t n) {
    return try_each(handles, n, "bupc_trysync_all").all;
}

int __wrap_bupc_trysync_some(upc_handle_t *handles, size_t n) {
    struct ended ended = try_each(handles, n, "bupc_trysync_some");
    return ended.some || ended.all;
}

/* On one host every transfer is over at once. */
void __wrap_bupc_waitsync_some(upc_handle_t *handles, size_t n) {
    (void)try_each(handles, n, "bupc_waitsync_some");
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
            end_transfers(NULL, #function);                                                        \
        }                                                                                          \
        __real_##function();                                                                       \
    }
SYNC_ALL(upc_synci)
SYNC_ALL(bupc_waitsynci)

#define TRY_SYNC_ALL(function)                                                                     \
    int __wrap_##function(void) {                                                                  \
        int over = __real_##function();                                                            \
        if (check_self.on && over) {                                                               \
            end_transfers(NULL, #function);                                                        \
        }                                                                                          \
        return over;                                                                               \
    }
TRY_SYNC_ALL(upc_synci_attempt)
TRY_SYNC_ALL(bupc_trysynci)

void *upcr_buffer(const volatile void *buffer, unsigned long room) {
    check_self.room = (struct check_room){(const void *)buffer, room};
    return (void *)buffer;
}

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
