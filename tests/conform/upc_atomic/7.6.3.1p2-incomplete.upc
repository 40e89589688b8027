// SPDX-License-Identifier: BSD-3-Clause
//@ fail: E0402
// The type is incomplete: there are no objects of it but those behind pointers.
#include <upc_atomic.h>

int main(void)
{
    return sizeof(upc_atomicdomain_t) > 0; //~ error E0402
}
