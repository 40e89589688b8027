// SPDX-License-Identifier: BSD-3-Clause
// Called from plain C on a UPC thread.
int upc_side(int x)
{
    return x + 100 * MYTHREAD + 10000 * THREADS;
}
