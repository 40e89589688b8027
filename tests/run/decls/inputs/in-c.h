// SPDX-License-Identifier: BSD-3-Clause
// Included as UPC: a part of it is C.
shared int header_shared;
#pragma upc c_code
struct in_c {
    int shared, strict, THREADS;
};
