// SPDX-License-Identifier: BSD-3-Clause
// A header of C with declarations only.
extern int plain_count;
extern int *plain_address;
int plain_register(void);
int plain_read(void);
