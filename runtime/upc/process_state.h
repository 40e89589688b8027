/* SPDX-License-Identifier: BSD-3-Clause */
/* What the C library keeps for the whole process, where a program may expect it for each thread. */
#ifndef FL_UPC_PROCESS_STATE_H
#define FL_UPC_PROCESS_STATE_H

/* One remark if this process has several UPC threads and the program uses such functions. */
void upc_process_state_warn(void);

#endif
