// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.8p2 7.8p3 7.8.2p2 7.8.2p3
// The header alone declares the types, the macros and the functions.
#include <upc_io.h>
#include <upc_io.h>

#if __UPC_IO__ != 1
#error __UPC_IO__
#endif
#if UPC_SEEK_SET == UPC_SEEK_CUR || UPC_SEEK_CUR == UPC_SEEK_END || UPC_SEEK_SET == UPC_SEEK_END
#error origins
#endif

static upc_flag_t flags = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC;
static upc_op_t op = UPC_ADD;
static upc_file_t *(*opens)(const char *, int, size_t, struct upc_hint const *) = upc_all_fopen;
static shared void *any;
static upc_file_t *handle;

#include "../../check.h"

int main(void)
{
    CHECK((upc_off_t)-1 < 0);
    CHECK(sizeof(upc_off_t) == 8);
    CHECK(flags && op);
    any = handle; // shared, so any pointer-to-shared takes it
    CHECK(any == NULL);
    struct upc_hint hint = {"key", "value"};
    const upc_hint_t *same = &hint;
    CHECK(same->key[0] == 'k' && same->value[0] == 'v');
    struct upc_local_memvec local = {&local, 1};
    struct upc_shared_memvec spread = {NULL, 2, 3};
    struct upc_filevec file = {-4, 5};
    CHECK(local.baseaddr == &local && local.len == 1);
    CHECK(spread.baseaddr == NULL && spread.blocksize == 2 && spread.len == 3);
    CHECK(file.offset == -4 && file.len == 5);
    CHECK(opens("nowhere", UPC_RDONLY | UPC_COMMON_FP, 0, NULL) == NULL);
    return check_done();
}
