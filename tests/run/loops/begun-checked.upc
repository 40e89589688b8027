// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3
//@ flags: -check
// The checker hears of such loops' accesses before they run, and leaves their index where it has begun.
#include "begun.upc"
