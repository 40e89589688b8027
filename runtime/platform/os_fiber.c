/* SPDX-License-Identifier: BSD-3-Clause */
/* Fibers, by switching stacks (machine.h): some C libraries have no makecontext. Sanitizers are
 * told of each switch: they keep state for each stack. */
#include "platform/os.h"

#include "platform/machine.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

enum { STACK_BYTES = 256 << 10 };

struct side {
    void *saved; /* its saved registers */
    void *tsan;
    void *asan; /* its fake stack while it does not run */
};

struct fl_os_fiber {
    struct side inside, outside; /* outside: the thread that has entered */
    void (*run)(void *context);
    void *context;
    char *stack; /* the guard page comes first */
    const void *outside_stack;
    size_t outside_bytes;
};

static size_t guard_bytes(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

static void switch_to(struct side *from, struct side *to, const void *stack, size_t bytes) {
#if defined(__SANITIZE_THREAD__)
    from->tsan = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to->tsan, 0);
#endif
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&from->asan, stack, bytes);
#else
    (void)stack;
    (void)bytes;
#endif
    fl_os_switch_stack(&from->saved, to->saved);
}

/* Tells the address sanitizer that the switch to `side` is complete. */
static void arrived(struct fl_os_fiber *fiber, struct side *side, bool inside) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(side->asan, inside ? &fiber->outside_stack : NULL,
                                    inside ? &fiber->outside_bytes : NULL);
#else
    (void)fiber;
    (void)side;
    (void)inside;
#endif
}

static void start(void *argument) {
    struct fl_os_fiber *fiber = argument;
    arrived(fiber, &fiber->inside, true);
    fiber->run(fiber->context);
    abort();
}

static void prepare(struct fl_os_fiber *fiber) {
    fiber->inside.saved =
        fl_os_new_stack(fiber->stack + guard_bytes() + STACK_BYTES, start, fiber);
#if defined(__SANITIZE_THREAD__)
    fiber->inside.tsan = __tsan_create_fiber(0);
#endif
}

struct fl_os_fiber *fl_os_fiber_make(void (*run)(void *context), void *context) {
    size_t bytes = guard_bytes() + STACK_BYTES;
    struct fl_os_fiber *fiber = calloc(1, sizeof *fiber);
    if (!fiber) {
        return NULL;
    }
    fiber->stack = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fiber->stack == MAP_FAILED) {
        free(fiber);
        return NULL;
    }
    mprotect(fiber->stack, guard_bytes(), PROT_NONE);
    fiber->run = run;
    fiber->context = context;
    prepare(fiber);
    return fiber;
}

void fl_os_fiber_enter(struct fl_os_fiber *fiber) {
    switch_to(&fiber->outside, &fiber->inside, fiber->stack + guard_bytes(), STACK_BYTES);
    arrived(fiber, &fiber->outside, false);
}

void fl_os_fiber_leave(struct fl_os_fiber *fiber) {
    switch_to(&fiber->inside, &fiber->outside, fiber->outside_stack, fiber->outside_bytes);
    arrived(fiber, &fiber->inside, true);
}

void fl_os_fiber_release(struct fl_os_fiber *fiber) {
#if defined(__SANITIZE_THREAD__)
    __tsan_destroy_fiber(fiber->inside.tsan);
#endif
    munmap(fiber->stack, guard_bytes() + STACK_BYTES);
    free(fiber);
}
