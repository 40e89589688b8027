// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 1x3
//@ flags: -g
//@ exit: 1
//@ stderr: the hint cb_nodes is 1 in thread 0 (tests/run/io/hint-differs.upc:13), but 2 in thread 2
// The contents of hints are single-valued; with this one, differing ones would leave holes.
#include <upc.h>
#include <upc_io.h>

int main(void)
{
    struct upc_hint hint = {"cb_nodes", MYTHREAD == 2 ? "2" : "1"};
    upc_all_fopen("file", UPC_RDWR | UPC_CREATE | UPC_COMMON_FP, 1, &hint);
    return 0;
}
/* stdout:
*/
