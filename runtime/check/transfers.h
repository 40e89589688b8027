/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers: their ranges are accessed when they begin, and until they are synchronised. */
#ifndef FL_CHECK_TRANSFERS_H
#define FL_CHECK_TRANSFERS_H

/* The calling thread ends: it has transfers under way no more. */
void check_transfers_end(void);

#endif
