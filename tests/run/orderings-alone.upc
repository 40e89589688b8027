// SPDX-License-Identifier: BSD-3-Clause
// The same where each write is a message, no read is cached, and no lock is kept.
//@ mappings: 2:2x1 2:2x2 3:3x1
//@ env: FURLONG_AGGREGATE=0
//@ env: FURLONG_READ_CACHE=0
//@ env: FURLONG_LOCK_KEEP=0
//@ args: {seed}
#include "orderings.upc"
