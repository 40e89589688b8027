/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The private buffers of transfers. Of accesses to private memory the checker does not hear; so a
 * buffer is looked at when a transfer begins, and when it is synchronised: whether it is large enough,
 * whether another transfer under way has it, and whether somebody has changed it meanwhile. On one
 * host every transfer has moved its bytes when the call that begins it returns.
 */
#ifndef FL_CHECK_BUFFERS_H
#define FL_CHECK_BUFFERS_H

#include "check/check.h"

/* Before a transfer, whatever it moves: `room` is used up. */
void check_buffer_begin(const struct check_transfer *transfer);
/* When its bytes have been moved. */
void check_buffer_keep(struct check_transfer *transfer);
/* `site` is that of the synchronisation. */
void check_buffer_end(const struct check_transfer *transfer, uint32_t site);

#endif
