// SPDX-License-Identifier: BSD-3-Clause
// Layouts through chains of typedefs: of elements, arrays, pointers, structures.
#include "../../check.h"

typedef int word;
typedef shared [3] word shared_word;
typedef shared_word *word_pointer;
typedef word_pointer pair[2];
typedef const shared_word const_word;
typedef shared_word row[4];
typedef struct { word_pointer p; } box;
typedef shared box shared_box;
typedef shared [] char *text;
typedef text shared text_slot;

shared_word a[6 * THREADS];
row m[3 * THREADS];
shared_box boxes[THREADS];
text_slot slot;

int main(void)
{
    pair both = {&a[1], a + 5};
    const_word *reader = a;
    row *second = m + 1;
    CHECK_EQ(both[1] - both[0], 4);
    CHECK_EQ(upc_phaseof(both[1]), 2);
    CHECK_EQ(upc_blocksizeof(a), 3);
    CHECK_EQ(upc_blocksizeof(m), 3);
    CHECK_EQ(upc_threadof(&(*second)[2]), 6 / 3 % THREADS);
    boxes[MYTHREAD].p = &a[MYTHREAD];
    *boxes[MYTHREAD].p = 9;
    CHECK_EQ(reader[MYTHREAD], 9);
    if (MYTHREAD == 0) {
        slot = upc_alloc(3);
        slot[1] = 'q';
    }
    upc_barrier;
    CHECK_EQ(slot[1], 'q');
    return check_done();
}
