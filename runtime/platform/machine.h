/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What depends on the processor: x86-64 and arm64 (64-bit, little-endian). Only this header and
 * machine.c ask which one it is.
 */
#ifndef FL_PLATFORM_MACHINE_H
#define FL_PLATFORM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if !(defined(__x86_64__) || (defined(__aarch64__) && defined(__AARCH64EL__))) || !defined(__LP64__)
#error "Furlong supports x86-64 and arm64 (64-bit, little-endian) only; see README.md"
#endif

/* Tells the CPU that this is a waiting loop. */
static inline void fl_os_relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    /* `yield` does nothing on CPUs without hardware threads; `isb` waits for the pipeline. */
    __asm__ volatile("isb" ::: "memory");
#endif
}

/* Asks for the cache line, to write to it. */
static inline void fl_os_prefetch_write(const void *line) {
#if defined(__x86_64__)
    /* The builtin asks only to read it, unless the compiler was told of the CPU. CPUs without the
     * instruction ignore it. */
    __asm__ volatile("prefetchw %0" ::"m"(*(const char *)line));
#else
    __builtin_prefetch(line, 1);
#endif
}

/* memcpy that bypasses the caches. A release that follows covers it. */
void fl_os_copy_streaming(void *to, const void *from, size_t bytes);

/* For functions with a compare-and-swap of 16 bytes: an instruction that all x86-64 processors since
 * 2006 have and compilers use on request; on arm64 the compiler needs no request. */
#if defined(__x86_64__)
#define FL_OS_SWAPS_16_BYTES __attribute__((target("cx16")))
#else
#define FL_OS_SWAPS_16_BYTES
#endif

/* The instruction of a full fence, in assembly. */
#if defined(__x86_64__)
#define FL_OS_FENCE_INSTRUCTION "mfence"
#else
#define FL_OS_FENCE_INSTRUCTION "dmb ish"
#endif

/* Whether a signal handler has been called for a write; `context` is its third argument. True also
 * if that is not known: to take a read for a write costs time, the reverse would fault for ever. */
bool fl_os_fault_is_write(const void *context);
/* The instruction that it was called for. */
uintptr_t fl_os_fault_pc(const void *context);

/* Saves the registers that a called function must keep on the current stack, sets *old_p to where
 * they are, restores those that were saved at `next`, and returns on that stack. For fibers
 * (os_fiber.c). */
void fl_os_switch_stack(void **old_p, void *next);

/* The `next` with which fl_os_switch_stack calls start(argument), which never returns, on a stack
 * that ends at `end`, a multiple of 16. */
void *fl_os_new_stack(void *end, void (*start)(void *argument), void *argument);

/* A function and the pointers to call it with, after two others. At least FL_OS_CALL_LEAST of
 * `arguments` can be read. */
struct fl_os_call {
    void (*function)(int32_t *first, int32_t *second, ...);
    size_t n;
    void *arguments[];
};
enum { FL_OS_CALL_LEAST = 6 };

/* Calls function(first, second, arguments[0], ..., arguments[n - 1]). C has no call whose number of
 * arguments is known only at run time. */
void fl_os_call(int32_t *first, int32_t *second, const struct fl_os_call *call);

#endif
