/* SPDX-License-Identifier: BSD-3-Clause */
/* Berkeley's transfers with handles (LBNL-56495), from which those of <upc_nb.h> came: the same,
 * and functions for many handles. */
#include "library/async.h"

#include "core/fatal.h"
#include "library/nb.h"
#include "library/upc.h"

upc_handle_t bupc_memcpy_async(upcr_pts dst, upcr_pts src, size_t n) {
    upc_memcpy(dst, src, n);
    return nb_started(NB_bupc_memcpy_async);
}

upc_handle_t bupc_memget_async(void *dst, upcr_pts src, size_t n) {
    upc_memget(dst, src, n);
    return nb_started(NB_bupc_memget_async);
}

upc_handle_t bupc_memput_async(upcr_pts dst, const void *src, size_t n) {
    upc_memput(dst, src, n);
    return nb_started(NB_bupc_memput_async);
}

upc_handle_t bupc_memset_async(upcr_pts dst, int c, size_t n) {
    upc_memset(dst, c, n);
    return nb_started(NB_bupc_memset_async);
}

/* Ends those of the transfers that are over, and says whether these are all. */
static int try_each(upc_handle_t *handles, size_t n, const char *by, bool *some) {
    int all = 1;
    *some = false;
    for (size_t i = 0; i < n; i++) {
        if (!handles[i]) {
            continue;
        }
        if (nb_try(handles[i], by)) {
            handles[i] = NULL;
            *some = true;
        } else {
            all = 0;
        }
    }
    return all;
}

int bupc_trysync(upc_handle_t handle) {
    return nb_try(handle, "bupc_trysync");
}

int bupc_trysync_all(upc_handle_t *handles, size_t n) {
    bool some;
    return try_each(handles, n, "bupc_trysync_all", &some);
}

/* Nonzero for nothing to wait for, too: a caller that loops until it is would hang. */
int bupc_trysync_some(upc_handle_t *handles, size_t n) {
    bool some;
    return try_each(handles, n, "bupc_trysync_some", &some) || some;
}

void bupc_waitsync(upc_handle_t handle) {
    nb_wait(handle, "bupc_waitsync");
}

void bupc_waitsync_all(upc_handle_t *handles, size_t n) {
    for (size_t i = 0; i < n; i++) {
        nb_wait(handles[i], "bupc_waitsync_all");
        handles[i] = NULL;
    }
}

void bupc_waitsync_some(upc_handle_t *handles, size_t n) {
    bool some;
    if (try_each(handles, n, "bupc_waitsync_some", &some) || some) {
        return;
    }
    size_t i = 0;
    while (!handles[i]) {
        i++;
    }
    nb_wait(handles[i], "bupc_waitsync_some");
    handles[i] = NULL;
}

void bupc_memcpy_asynci(upcr_pts dst, upcr_pts src, size_t n) {
    upc_memcpy(dst, src, n);
}

void bupc_memget_asynci(void *dst, upcr_pts src, size_t n) {
    upc_memget(dst, src, n);
}

void bupc_memput_asynci(upcr_pts dst, const void *src, size_t n) {
    upc_memput(dst, src, n);
}

void bupc_memset_asynci(upcr_pts dst, int c, size_t n) {
    upc_memset(dst, c, n);
}

void bupc_waitsynci(void) {
    nb_wait_implicit();
}

int bupc_trysynci(void) {
    return nb_try_implicit();
}

/* Whether the calling thread is in an access region. */
static _Thread_local bool in_region;

void bupc_begin_accessregion(void) {
    if (in_region) {
        fl_fatal(FL_CODE_HANDLE_MISUSE,
                 "bupc_begin_accessregion within an access region; end it with "
                 "bupc_end_accessregion first");
    }
    in_region = true;
}

upc_handle_t bupc_end_accessregion(void) {
    if (!in_region) {
        fl_fatal(FL_CODE_HANDLE_MISUSE,
                 "bupc_end_accessregion without bupc_begin_accessregion before");
    }
    in_region = false;
    return nb_started(NB_bupc_end_accessregion);
}
