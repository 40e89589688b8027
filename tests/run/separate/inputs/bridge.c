// SPDX-License-Identifier: BSD-3-Clause
// Plain C between two UPC files.
extern int upc_side(int x);

int bridge(int x)
{
    return upc_side(x);
}
