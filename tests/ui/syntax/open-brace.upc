// SPDX-License-Identifier: BSD-3-Clause
// A function that is never closed.
int main(void)
{ //~ error E0104
    if (1) {
        upc_barrier;
    return 0;
}
