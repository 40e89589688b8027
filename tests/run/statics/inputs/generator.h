// SPDX-License-Identifier: BSD-3-Clause
// A header of C with state: knows nothing of UPC.
static long state;

static inline void generator_seed(long seed)
{
    state = seed;
}

static inline long generator_next(void)
{
    return ++state;
}

static inline int generator_calls(void)
{
    static int calls;
    return ++calls;
}
