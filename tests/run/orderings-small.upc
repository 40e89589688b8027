// SPDX-License-Identifier: BSD-3-Clause
// The same where few writes travel together, for no longer than until somebody polls, and locks are kept
// at once.
//@ mappings: 2:2x1 2:2x2 3:3x1 2:4x2 2:7x1
//@ env: FURLONG_AGGREGATE=64
//@ env: FURLONG_AGGREGATE_AGE=0
//@ env: FURLONG_LOCK_KEEP=1
//@ args: {seed}
#include "orderings.upc"
