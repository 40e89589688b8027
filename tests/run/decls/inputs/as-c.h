// SPDX-License-Identifier: BSD-3-Clause
// Included from C: it is C up to the switch.
typedef int shared;
static inline shared relaxed(shared MYTHREAD) { return MYTHREAD + 1; }
#pragma upc upc_code
shared int included_shared;
