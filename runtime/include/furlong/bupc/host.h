/* SPDX-License-Identifier: BSD-3-Clause */
/* Berkeley's functions about threads and their hosts: bupc_poll(3), bupc_thread_distance(3),
 * bupc_getenv(3). */
#ifndef FURLONG_BUPC_HOST_H
#define FURLONG_BUPC_HOST_H

/* For loops that wait for another thread: lets it have the CPU if it may need it. */
void bupc_poll(void);
void upc_poll(void) __asm__("bupc_poll");

/* How far the memory of one thread is from another. Farther ones have larger values, of which
 * these are the most that each word allows. */
#define BUPC_THREADS_SAME 0u
#define BUPC_THREADS_VERYNEAR 10u
#define BUPC_THREADS_NEAR 20u
#define BUPC_THREADS_FAR 30u
#define BUPC_THREADS_VERYFAR 40u
unsigned bupc_thread_distance(int thread, int other);

/* The C library's own: every thread has the environment of upcrun, and may run commands. */
char *bupc_getenv(const char *name) __asm__("getenv");
int bupc_system(const char *command) __asm__("system");

#endif
