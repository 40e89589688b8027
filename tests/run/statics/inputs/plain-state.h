// SPDX-License-Identifier: BSD-3-Clause
// A C library's header: knows nothing of UPC.
extern int plain_count;
extern int *plain_address;
int plain_register(void);
int plain_read(void);
