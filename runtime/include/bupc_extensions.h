/* SPDX-License-Identifier: BSD-3-Clause */
/* <bupc_extensions.h>: the extensions of Berkeley UPC that programs use. <upc.h> includes it, as
 * there. The manual's page bupc(3) is their overview. */
#ifndef FURLONG_BUPC_EXTENSIONS_H
#define FURLONG_BUPC_EXTENSIONS_H

#include <upc.h>

#include <furlong/bupc/atomic.h>
#include <furlong/bupc/cast.h>
#include <furlong/bupc/host.h>
#include <furlong/bupc/pointer.h>
#include <furlong/bupc/semaphore.h>
#include <furlong/bupc/time.h>
#include <furlong/bupc/transfer.h>

#ifdef BUPC_USE_UPC_NAMESPACE
#include <furlong/bupc/namespace.h>
#endif

#endif
