/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic operations and fences of programs over several hosts. */
#include "spread/inside.h"

/* Relaxed: the calling thread is in the region, or not, since it was forked. */
static bool in_region(void) {
    return atomic_load_explicit(&fl_spread.in_region, memory_order_relaxed);
}

/* Operations of the calling thread, and about what each takes longer than an instruction, besides
 * waiting: less than reading a clock twice would. */
enum { OPERATION_NS = 100 };
static _Thread_local uint64_t operations;

uint64_t fl_omp_far_spent_ns(void) {
    return fl_dsm_spent_ns() + operations * OPERATION_NS;
}

enum fl_omp_far_atomic fl_omp_far_atomic_begin(struct fl_atomic_op *op) {
    /* This host alone runs between distributed regions, and in a region that is kept: an atomic
     * instruction is a write like its others then. */
    if (!in_region() || !fl_spread_is_coherent(op->at)) {
        return FL_OMP_FAR_PLAIN;
    }
    operations++;
    fl_meet_settle();
    return fl_dsm_atomic(op) ? FL_OMP_FAR_PERFORMED : FL_OMP_FAR_BEGUN;
}

void fl_omp_far_atomic_end(const struct fl_atomic_op *op) {
    fl_dsm_atomic_end(op);
}

enum {
    AT_ONCE_NS = 1000, /* from a flush to the next one in a row, at most */
    FAR_NS = 5000,     /* of a flush that has asked another host, at least */
    WAITS = 16         /* flushes in a row of a thread that probably waits for another */
};

/* A thread that waits by flushes yields the CPU; and naps where they go to another host, whose
 * thread needs the lock of flushes too. */
void fl_omp_far_flush(void) {
    static _Thread_local struct {
        uint64_t ended_ns;
        unsigned in_a_row;
        bool far;
    } last;
    uint64_t now = fl_os_now_ns();
    last.in_a_row = now - last.ended_ns < AT_ONCE_NS ? last.in_a_row + 1 : 0;
    if (last.in_a_row >= WAITS && last.far) {
        fl_os_nap();
    } else if (last.in_a_row % WAITS == WAITS - 1) {
        fl_os_yield();
    }
    fl_meet_settle();
    now = fl_os_now_ns();
    fl_dsm_fence();
    fl_looks_flush();
    last.ended_ns = fl_os_now_ns();
    last.far = last.ended_ns - now > FAR_NS;
}

void fl_spread_fence(void);
void fl_spread_fence(void) {
    if (fl_spread_together()) {
        fl_omp_far_flush();
    } else {
        /* No label: it is the program's. */
        atomic_thread_fence(memory_order_seq_cst);
    }
}

/* Around an instruction that the calling thread executes. */
static _Thread_local struct {
    struct fl_atomic_op op;
    bool begun;
} entered;

void fl_spread_enter(const void *address);
void fl_spread_enter(const void *address) {
    entered.op = (struct fl_atomic_op){.at = (void *)(uintptr_t)address};
    entered.begun = fl_spread_together() && fl_omp_far_atomic_begin(&entered.op) == FL_OMP_FAR_BEGUN;
}

void fl_spread_leave(void);
void fl_spread_leave(void) {
    if (entered.begun) {
        fl_dsm_atomic_end(&entered.op);
    }
}

/* Bytes that xsave stores, the same in all threads; 0: not known. CPUID may take microseconds. */
__attribute__((used, visibility("hidden"))) unsigned fl_spread_saved;

/* Functions for calls that `ompcc` puts where the compiler expects an instruction: they preserve
 * all registers. The argument is in rax. */
#define SAVING(name, function)                                                                     \
    __asm__(".text\n"                                                                              \
            ".globl " name "\n"                                                                    \
            ".type " name ", @function\n" name ":\n"                                               \
            "    pushfq\n"                                                                         \
            "    push %rbp\n"                                                                      \
            "    mov %rsp, %rbp\n"                                                                 \
            "    push %rax\n"                                                                      \
            "    push %rbx\n"                                                                      \
            "    push %rcx\n"                                                                      \
            "    push %rdx\n"                                                                      \
            "    push %rsi\n"                                                                      \
            "    push %rdi\n"                                                                      \
            "    push %r8\n"                                                                       \
            "    push %r9\n"                                                                       \
            "    push %r10\n"                                                                      \
            "    push %r11\n"                                                                      \
            "    mov %rax, %r8\n"                                                                  \
            "    xor %ecx, %ecx\n"                                                                 \
            "    mov fl_spread_saved(%rip), %ebx\n"                                                \
            "    test %ebx, %ebx\n"                                                                \
            "    jne 1f\n"                                                                         \
            "    mov $13, %eax\n" /* CPUID leaf 13: ebx is the size of what xsave saves */         \
            "    cpuid\n"                                                                          \
            "    mov %ebx, fl_spread_saved(%rip)\n"                                                \
            "1:  mov %rsp, %rsi\n"                                                                 \
            "    sub %rbx, %rsp\n"                                                                 \
            "    and $-64, %rsp\n"                                                                 \
            "    xor %eax, %eax\n"                                                                 \
            "    mov $64, %ecx\n" /* the area's header: zeros */                                   \
            "    lea 512(%rsp), %rdi\n"                                                            \
            "    cld\n"                                                                            \
            "    rep stosb\n"                                                                      \
            "    mov $-1, %eax\n"                                                                  \
            "    mov $-1, %edx\n"                                                                  \
            "    xsave64 (%rsp)\n"                                                                 \
            "    mov %rsi, %rbx\n"                                                                 \
            "    mov %r8, %rdi\n"                                                                  \
            "    call " function "\n"                                                              \
            "    mov $-1, %eax\n"                                                                  \
            "    mov $-1, %edx\n"                                                                  \
            "    xrstor64 (%rsp)\n"                                                                \
            "    mov %rbx, %rsp\n"                                                                 \
            "    pop %r11\n"                                                                       \
            "    pop %r10\n"                                                                       \
            "    pop %r9\n"                                                                        \
            "    pop %r8\n"                                                                        \
            "    pop %rdi\n"                                                                       \
            "    pop %rsi\n"                                                                       \
            "    pop %rdx\n"                                                                       \
            "    pop %rcx\n"                                                                       \
            "    pop %rbx\n"                                                                       \
            "    pop %rax\n"                                                                       \
            "    pop %rbp\n"                                                                       \
            "    popfq\n"                                                                          \
            "    ret\n"                                                                            \
            ".size " name ", . - " name "\n")

SAVING("fl_omp_fence", "fl_spread_fence");
SAVING("fl_omp_atomic_enter", "fl_spread_enter");
SAVING("fl_omp_atomic_leave", "fl_spread_leave");
SAVING("fl_omp_look", "fl_spread_look"); /* looks.c */
SAVING("fl_omp_seen", "fl_spread_seen");
