/* SPDX-License-Identifier: BSD-3-Clause */
/* <upc_nb.h> (UPC 1.3 library 7.9), over the blocking transfers and the handles of nb.h. */
#include "library/nb.h"

#include "library/transfer.h"
#include "library/upc.h"

upc_handle_t upc_memcpy_nb(upcr_pts dst, upcr_pts src, size_t n) {
    upc_memcpy(dst, src, n);
    return nb_started(NB_upc_memcpy_nb);
}

upc_handle_t upc_memget_nb(void *dst, upcr_pts src, size_t n) {
    upc_memget(dst, src, n);
    return nb_started(NB_upc_memget_nb);
}

upc_handle_t upc_memput_nb(upcr_pts dst, const void *src, size_t n) {
    upc_memput(dst, src, n);
    return nb_started(NB_upc_memput_nb);
}

upc_handle_t upc_memset_nb(upcr_pts dst, int c, size_t n) {
    upc_memset(dst, c, n);
    return nb_started(NB_upc_memset_nb);
}

void upc_memcpy_nbi(upcr_pts dst, upcr_pts src, size_t n) {
    upc_memcpy(dst, src, n);
}

void upc_memget_nbi(void *dst, upcr_pts src, size_t n) {
    upc_memget(dst, src, n);
}

void upc_memput_nbi(upcr_pts dst, const void *src, size_t n) {
    upc_memput(dst, src, n);
}

void upc_memset_nbi(upcr_pts dst, int c, size_t n) {
    upc_memset(dst, c, n);
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
