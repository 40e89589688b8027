// SPDX-License-Identifier: BSD-3-Clause
int count;
int count;
int table[20];
int initialised;
extern int completed[];
int *count_address_2(void);
int *count_address_3(void);
int table_sum_2(void);
