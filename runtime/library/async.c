/* SPDX-License-Identifier: BSD-3-Clause */
/* Berkeley's transfers with handles (LBNL-56495), from which those of <upc_nb.h> were derived: the
 * same, and functions for many handles. */
#include "library/async.h"

#include "core/fatal.h"
#include "library/nb.h"
#include "upc/foreign.h"

upc_handle_t bupc_memcpy_async(upcr_pts dst, upcr_pts src, size_t n) {
    return nb_copy(NB_bupc_memcpy_async, dst, src, n);
}

upc_handle_t bupc_memget_async(void *dst, upcr_pts src, size_t n) {
    return nb_get(NB_bupc_memget_async, dst, src, n);
}

upc_handle_t bupc_memput_async(upcr_pts dst, const void *src, size_t n) {
    return nb_put(NB_bupc_memput_async, dst, src, n);
}

upc_handle_t bupc_memset_async(upcr_pts dst, int c, size_t n) {
    return nb_set(NB_bupc_memset_async, dst, c, n);
}

/* Ends those of the transfers that are complete. Whether all are. */
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

/* Nonzero also if there is nothing to wait for: a caller that loops until it is nonzero would
 * hang. */
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
    nb_copy_implicit(dst, src, n);
}

void bupc_memget_asynci(void *dst, upcr_pts src, size_t n) {
    nb_get_implicit(dst, src, n);
}

void bupc_memput_asynci(upcr_pts dst, const void *src, size_t n) {
    nb_put_implicit(dst, src, n);
}

void bupc_memset_asynci(upcr_pts dst, int c, size_t n) {
    nb_set_implicit(dst, c, n);
}

void bupc_waitsynci(void) {
    nb_wait_implicit();
}

int bupc_trysynci(void) {
    return nb_try_implicit();
}

/* The UPC thread's access region: its transfers without handles, and under -nopthreads those of all
 * threads of its process, get one handle together. */
static _Thread_local struct {
    bool open;
    struct nb_start start;
} region;

void bupc_begin_accessregion(void) {
    upc_itself("bupc_begin_accessregion");
    if (region.open) {
        fl_fatal(FL_CODE_HANDLE_MISUSE,
                 "bupc_begin_accessregion within an access region; end it with "
                 "bupc_end_accessregion first");
    }
    region.open = true;
    if (!fl_comm_here.one_host) {
        nb_begin(&region.start, NB_bupc_end_accessregion);
        nb_implicit_use(region.start.op);
    }
}

upc_handle_t bupc_end_accessregion(void) {
    upc_itself("bupc_end_accessregion");
    if (!region.open) {
        fl_fatal(FL_CODE_HANDLE_MISUSE,
                 "bupc_end_accessregion without bupc_begin_accessregion before");
    }
    region.open = false;
    nb_implicit_use(NULL);
    return fl_comm_here.one_host ? nb_over(NB_bupc_end_accessregion) : nb_begun(&region.start);
}
