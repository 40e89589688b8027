// SPDX-License-Identifier: BSD-3-Clause
// What the two files of two-upc-files.upc share.
#include <upc_relaxed.h>

typedef struct {
    int id;
    char name[9];
} item;
extern shared [4] item items[4 * THREADS];
extern shared int hits;
extern upc_lock_t *shared guard;
extern shared [2] int matrix[2][2 * THREADS];
void fill(shared void *where, int id);
int sum_ids(void);
shared [4] item *find(int id);
void record_hit(void);
