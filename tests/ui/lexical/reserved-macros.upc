// SPDX-License-Identifier: BSD-3-Clause
// Macros of the language's names. What the preprocessor skips is none, and longer names are others.
#include <upc.h>
#ifdef THREADS
#define THREADS 7
#endif
#define THREADS_PER_NODE 4
#define MYTHREAD_IS(n) (MYTHREAD == (n))
int own(void) { return MYTHREAD_IS(0) * THREADS_PER_NODE * THREADS; }
# define MYTHREAD 3 //~ warning W0108
int third(void) { return MYTHREAD; }
#undef MYTHREAD //~ warning W0108
#ifndef THREADS
	#	define	THREADS	8 /* for C */ //~ warning W0108
#endif
int share(int n) { return n / THREADS + MYTHREAD; }
