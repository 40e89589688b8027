// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.9p1 7.9.3p1 7.9.3p2
// __UPC_NB__ is 1. The header, included twice and first, declares everything; UPC_COMPLETE_HANDLE
// is a upc_handle_t with all bits 0.
#include <upc_nb.h>
#include <upc_nb.h>
#include "../../check.h"

#if __UPC_NB__ != 1
#error "__UPC_NB__ is not 1"
#endif

static upc_handle_t (*copy)(shared void *, shared const void *, size_t) = upc_memcpy_nb;
static upc_handle_t (*get)(void *, shared const void *, size_t) = upc_memget_nb;
static upc_handle_t (*put)(shared void *, const void *, size_t) = upc_memput_nb;
static upc_handle_t (*set)(shared void *, int, size_t) = upc_memset_nb;
static void (*copy_implicit)(shared void *, shared const void *, size_t) = upc_memcpy_nbi;
static void (*get_implicit)(void *, shared const void *, size_t) = upc_memget_nbi;
static void (*put_implicit)(shared void *, const void *, size_t) = upc_memput_nbi;
static void (*set_implicit)(shared void *, int, size_t) = upc_memset_nbi;
static int (*attempt)(upc_handle_t) = upc_sync_attempt;
static void (*sync_one)(upc_handle_t) = upc_sync;
static int (*attempt_implicit)(void) = upc_synci_attempt;
static void (*sync_implicit)(void) = upc_synci;

int main(void)
{
    upc_handle_t complete = UPC_COMPLETE_HANDLE;
    unsigned char bits[sizeof complete];
    memcpy(bits, &complete, sizeof bits);
    for (size_t i = 0; i < sizeof bits; i++)
        CHECK_EQ(bits[i], 0);
    CHECK_EQ(sizeof UPC_COMPLETE_HANDLE, sizeof(upc_handle_t));
    CHECK(_Generic(UPC_COMPLETE_HANDLE, upc_handle_t: 1, default: 0));
    CHECK(copy && get && put && set && copy_implicit && get_implicit && put_implicit &&
          set_implicit && attempt && sync_one && attempt_implicit && sync_implicit);
    return check_done();
}
