/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <upcx_pairwise.h>: threads that wait for named others instead of for all. Each ordered pair of
 * threads has a count of signals, at first 0: a thread signals another, which takes the signals of
 * each thread one by one. An extension of UPC 1.3; the manual's page is upcx_pairwise(3).
 *
 * A signal is a strict write and taking one is a strict read (UPC 1.3 5.1.2.3): what a thread did
 * before it signals has happened for the thread that takes the signal. No function is collective.
 */
#ifndef FURLONG_UPCX_PAIRWISE_H
#define FURLONG_UPCX_PAIRWISE_H

#include <stddef.h>

/* Signals a thread, or each of `n`. Never wait for them. */
void upcx_signal(int thread);
void upcx_signal_set(const int *threads, size_t n);

/* Take a signal of the thread, or one of each of `n`: wait until it is there. upcx_try_wait does
 * not wait, and says whether there was one. */
void upcx_wait(int thread);
int upcx_try_wait(int thread);
void upcx_wait_set(const int *threads, size_t n);

/* Waits until any of `n` > 0 threads has signalled, takes one signal, and says whose. */
int upcx_wait_any(const int *threads, size_t n);

/* Signals all `n` threads, then waits for all: a barrier with those that do the same. */
void upcx_sync(const int *threads, size_t n);

#endif
