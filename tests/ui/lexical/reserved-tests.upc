// SPDX-License-Identifier: BSD-3-Clause
// Names of the language that are 0 to the preprocessor. What it skips, or asks `defined`, is none.
#include <upc.h>
#define MANY (THREADS > 8)
#define PER_THREAD(n) ((n) * THREADS)
#if defined(THREADS) && THREADS > 4
#endif
#ifdef MYTHREAD
#elif MYTHREAD == 0 //~ warning W0109
int first;
#endif
#if 0 && THREADS
#  if MYTHREAD
#  endif
#endif
#if __UPC__ && \
        THREADS % 2 //~ warning W0109
#endif
#if !MYTHREAD //~ warning W0109
shared int a[PER_THREAD(2)];
#endif
int share(int n) { return n / THREADS + MYTHREAD; }
