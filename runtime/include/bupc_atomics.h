/* SPDX-License-Identifier: BSD-3-Clause */
/* <bupc_atomics.h>: the name under which older programs include Berkeley's atomic functions. */
#ifndef FURLONG_BUPC_ATOMICS_H
#define FURLONG_BUPC_ATOMICS_H

#include <furlong/bupc/atomic.h>

#endif
