/* SPDX-License-Identifier: BSD-3-Clause */
/* <upc_nb.h> (UPC 1.3 library 7.9), and the handles of nb.h. */
#include "library/nb.h"

#include "library/transfer.h"
#include "upc/trace.h"

/* Transfers without handles of the calling UPC thread; `region`: those of its access region, or
 * null. */
static _Thread_local struct {
    struct fl_comm_op op;
    struct fl_comm_op *region;
} implicit;

/* The same of all threads of the process under -nopthreads, and of foreign ones. */
static struct {
    struct fl_comm_group group;
    struct fl_comm_op *region;
} together;

static bool is_together(void) {
    return !upc_self || upc_process.nopthreads;
}

struct fl_comm_op *nb_implicit(void) {
    if (FL_UNLIKELY(is_together())) {
        return together.region ? together.region : fl_comm_group_op(&together.group);
    }
    return implicit.region ? implicit.region : &implicit.op;
}

void nb_implicit_use(struct fl_comm_op *op) {
    *(is_together() ? &together.region : &implicit.region) = op;
}

void nb_wait_implicit(void) {
    if (!fl_comm_here.one_host) {
        uint64_t since = upc_trace_begin();
        fl_comm_wait(&implicit.op);
        fl_comm_group_wait(&together.group);
        upc_trace_end_call(since, "wait", "upc_synci");
    }
}

int nb_try_implicit(void) {
    return fl_comm_here.one_host ||
           (fl_comm_test(&implicit.op) && fl_comm_group_test(&together.group));
}

void nb_begin(struct nb_start *start, enum nb_call call) {
    start->own = (struct fl_comm_op){0};
    start->op = &start->own;
    start->handle = nb_ticket_open(call, &start->op);
}

upc_handle_t nb_begun(struct nb_start *start) {
    if (!start->handle) {
        fl_comm_wait(start->op);
    }
    return start->handle;
}

/* One call that transfers from or to another host, with its time for -trace. */
struct far_call {
    struct nb_start start;
    enum nb_call call;
    uint64_t since;
};

static struct fl_comm_op *far_begin(struct far_call *far, enum nb_call call) {
    far->since = upc_trace_begin();
    far->call = call;
    nb_begin(&far->start, call);
    return far->start.op;
}

static upc_handle_t far_begun(struct far_call *far, const char *what, uint64_t at, size_t n) {
    upc_handle_t handle = nb_begun(&far->start);
    upc_trace_end_call_at(far->since, what, nb_call_name(far->call), at, n);
    return handle;
}

upc_handle_t nb_copy_far(enum nb_call call, uint64_t to, uint64_t from, size_t n) {
    struct far_call far;
    fl_comm_copy_nb(to, from, n, far_begin(&far, call));
    return far_begun(&far, "copy", fl_comm_is_here(to) ? from : to, n);
}

upc_handle_t nb_get_far(enum nb_call call, void *to, uint64_t from, size_t n) {
    struct far_call far;
    fl_comm_get_nb(to, from, n, far_begin(&far, call));
    return far_begun(&far, "read", from, n);
}

upc_handle_t nb_put_far(enum nb_call call, uint64_t to, const void *from, size_t n) {
    struct far_call far;
    fl_comm_put_nb(to, from, n, far_begin(&far, call));
    return far_begun(&far, "write", to, n);
}

upc_handle_t nb_set_far(enum nb_call call, uint64_t to, int byte, size_t n) {
    struct far_call far;
    fl_comm_set_nb(to, byte, n, far_begin(&far, call));
    return far_begun(&far, "write", to, n);
}

void nb_copy_far_implicit(uint64_t to, uint64_t from, size_t n) {
    uint64_t since = upc_trace_begin();
    fl_comm_copy_nb(to, from, n, nb_implicit());
    upc_trace_end_call_at(since, "copy", "upc_memcpy_nbi", fl_comm_is_here(to) ? from : to, n);
}

void nb_get_far_implicit(void *to, uint64_t from, size_t n) {
    uint64_t since = upc_trace_begin();
    fl_comm_get_nb(to, from, n, nb_implicit());
    upc_trace_end_call_at(since, "read", "upc_memget_nbi", from, n);
}

void nb_put_far_implicit(uint64_t to, const void *from, size_t n) {
    uint64_t since = upc_trace_begin();
    fl_comm_put_soon_nb(to, from, n, nb_implicit());
    upc_trace_end_call_at(since, "write", "upc_memput_nbi", to, n);
}

void nb_set_far_implicit(uint64_t to, int byte, size_t n) {
    uint64_t since = upc_trace_begin();
    fl_comm_set_nb(to, byte, n, nb_implicit());
    upc_trace_end_call_at(since, "write", "upc_memset_nbi", to, n);
}

void nb_wait_slow(upc_handle_t handle, const char *by) {
    uint64_t since = upc_trace_begin();
    fl_comm_wait(nb_ticket_op(handle, by));
    nb_ticket_close(handle);
    upc_trace_end_call(since, "wait", by);
}

int nb_try_slow(upc_handle_t handle, const char *by) {
    if (!fl_comm_test(nb_ticket_op(handle, by))) {
        return 0;
    }
    nb_ticket_close(handle);
    return 1;
}

upc_handle_t upc_memcpy_nb(upcr_pts dst, upcr_pts src, size_t n) {
    return nb_copy(NB_upc_memcpy_nb, dst, src, n);
}

upc_handle_t upc_memget_nb(void *dst, upcr_pts src, size_t n) {
    return nb_get(NB_upc_memget_nb, dst, src, n);
}

upc_handle_t upc_memput_nb(upcr_pts dst, const void *src, size_t n) {
    return nb_put(NB_upc_memput_nb, dst, src, n);
}

upc_handle_t upc_memset_nb(upcr_pts dst, int c, size_t n) {
    return nb_set(NB_upc_memset_nb, dst, c, n);
}

void upc_memcpy_nbi(upcr_pts dst, upcr_pts src, size_t n) {
    nb_copy_implicit(dst, src, n);
}

void upc_memget_nbi(void *dst, upcr_pts src, size_t n) {
    nb_get_implicit(dst, src, n);
}

void upc_memput_nbi(upcr_pts dst, const void *src, size_t n) {
    nb_put_implicit(dst, src, n);
}

void upc_memset_nbi(upcr_pts dst, int c, size_t n) {
    nb_set_implicit(dst, c, n);
}

void upc_sync(upc_handle_t handle) {
    nb_wait(handle, "upc_sync");
}

int upc_sync_attempt(upc_handle_t handle) {
    return nb_try(handle, "upc_sync_attempt");
}

void upc_synci(void) {
    nb_wait_implicit();
}

int upc_synci_attempt(void) {
    return nb_try_implicit();
}
