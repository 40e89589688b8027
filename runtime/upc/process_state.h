/* SPDX-License-Identifier: BSD-3-Clause */
/* State that the C library keeps for the whole process, where a program may expect it for each
 * thread. */
#ifndef FL_UPC_PROCESS_STATE_H
#define FL_UPC_PROCESS_STATE_H

/* Warns if the program uses such functions. For processes with several UPC threads. */
void upc_process_state_warn(void);

#endif
