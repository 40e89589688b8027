// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.4.1p2
//@ fail: E0402
// upc_lock_t is an incomplete type.
#include <upc.h>

int main(void)
{
    return sizeof(upc_lock_t); //~ error E0402
}
