// SPDX-License-Identifier: BSD-3-Clause
// Pointer arithmetic against a brute-force model: element i of an array with block size B is on
// thread (i / B) % THREADS with phase i % B, and everything else follows. QUALIFIERS, T, COUNT
// and BLOCK describe the array under test.
#include "../../../check.h"

QUALIFIERS T array[COUNT];
typedef QUALIFIERS T *pointer;

static void same_place(pointer p, int i)
{
    CHECK(p == &array[i]);
    CHECK_EQ(upc_threadof(p), BLOCK ? i / (BLOCK ? BLOCK : 1) % THREADS : 0);
    CHECK_EQ(upc_phaseof(p), BLOCK ? i % (BLOCK ? BLOCK : 1) : 0);
}

static void steps(int i, int k)
{
    pointer p = &array[i], q = p;
    same_place(p + (k - i), k);
    same_place((k - i) + p, k);
    same_place(p - (i - k), k);
    same_place(&p[k - i], k);
    same_place(&(k - i)[p], k);
    same_place(p + (long long)(k - i), k);
    same_place(p + (short)(k - i), k);
    if (k >= i)
        same_place(p + (unsigned char)(k - i), k);
    q += k - i;
    same_place(q, k);
    q -= k - i;
    same_place(q, i);
    CHECK_EQ(&array[k] - p, k - i);
    CHECK_EQ(p < &array[k], i < k);
    CHECK_EQ(p >= &array[k], i >= k);
    CHECK_EQ(p == &array[k], i == k);
    CHECK_EQ(p != &array[k], i != k);
}

static void walks(void)
{
    pointer p = array;
    for (int i = 0; i < COUNT - 1; i++) {
        same_place(p++, i);
        same_place(p, i + 1);
        same_place(p--, i + 1);
        same_place(++p, i + 1);
        same_place(--p, i);
        p++;
    }
    for (p = array + COUNT; p != array; p--)
        ;
    same_place(p, 0);
}

int main(void)
{
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < COUNT; k++)
            steps(i, k);
    walks();
    return check_done();
}
