// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1
//@ env: FURLONG_COLL=broadcast:slowly
//@ exit: 1
//@ stderr: FURLONG_COLL=broadcast:slowly: expected operation:algorithm
/* An algorithm that does not exist. */
int main(void) {
    return 0;
}
