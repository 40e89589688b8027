/* SPDX-License-Identifier: BSD-3-Clause */
/* See machine.h. */
#include "platform/machine.h"

#include <stdatomic.h>
#include <string.h>
#include <ucontext.h>

#if defined(__x86_64__)

#include <emmintrin.h>

enum {
    LINE = 64,
    FAR_TICKS = 240 /* 70 to 120 ns: another cache of the same group takes 20 to 60, others 150 on */
};

/* Not before what stands before it, nor after what stands after it. */
static uint64_t ticks(void) {
    _mm_lfence();
    uint64_t now = __builtin_ia32_rdtsc();
    _mm_lfence();
    return now;
}

bool fl_os_line_is_far(void *address) {
    _Atomic uint32_t *word = (void *)(((uintptr_t)address + 3) & ~(uintptr_t)3);
    uint64_t begin = ticks();
    /* Relaxed: the caller's bytes are published later. An exchange waits until the line is here. */
    (void)atomic_exchange_explicit(word, 0, memory_order_relaxed);
    return ticks() - begin > FAR_TICKS;
}

void fl_os_copy_streaming(void *to, const void *from, size_t bytes) {
    char *target = to;
    const char *source = from;
    size_t head = (size_t)(-(uintptr_t)target % LINE);
    head = head < bytes ? head : bytes;
    memcpy(target, source, head);
    size_t at = head;
    for (; at + LINE <= bytes; at += LINE) {
        __m128i part[LINE / sizeof(__m128i)];
        memcpy(part, source + at, LINE);
        for (size_t i = 0; i < LINE / sizeof *part; i++) {
            _mm_stream_si128((__m128i *)(void *)(target + at) + i, part[i]);
        }
    }
    memcpy(target + at, source + at, bytes - at);
    _mm_sfence();
}

bool fl_os_fault_is_write(const void *context) {
    return ((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2;
}

/* Four arguments go into registers; the others, the last one first, onto the stack. */
__asm__(".pushsection .text\n"
        ".globl fl_os_call\n"
        ".hidden fl_os_call\n"
        ".type fl_os_call, @function\n"
        "fl_os_call:\n"
        "    .cfi_startproc\n"
        "    push %rbp\n"
        "    .cfi_def_cfa_offset 16\n"
        "    .cfi_offset %rbp, -16\n"
        "    mov %rsp, %rbp\n"
        "    .cfi_def_cfa_register %rbp\n"
        "    mov (%rdx), %r11\n"
        "    mov 8(%rdx), %rcx\n"
        "    lea 16(%rdx), %r10\n"
        "    cmp $4, %rcx\n"
        "    jbe 2f\n"
        "    test $1, %cl\n"
        "    jz 1f\n"
        "    push $0\n" /* so that the stack is aligned at the call */
        "1:  push -8(%r10,%rcx,8)\n"
        "    dec %rcx\n"
        "    cmp $4, %rcx\n"
        "    ja 1b\n"
        "2:  mov (%r10), %rdx\n"
        "    mov 8(%r10), %rcx\n"
        "    mov 16(%r10), %r8\n"
        "    mov 24(%r10), %r9\n"
        "    xor %eax, %eax\n"
        "    call *%r11\n"
        "    leave\n"
        "    .cfi_def_cfa %rsp, 8\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size fl_os_call, . - fl_os_call\n"
        ".popsection");

#else

#include <asm/sigcontext.h>

bool fl_os_line_is_far(void *address) {
    (void)address;
    return false;
}

void fl_os_copy_streaming(void *to, const void *from, size_t bytes) {
    memcpy(to, from, bytes);
}

/* The kernel adds the exception syndrome to the records, of which one of no size is the last; an
 * emulator may not. */
bool fl_os_fault_is_write(const void *context) {
    enum { WRITE_NOT_READ = 1 << 6 };
    const unsigned char *at = ((const ucontext_t *)context)->uc_mcontext.__reserved;
    const struct _aarch64_ctx *head = (const void *)at;
    while (head->size > 0 && head->magic != ESR_MAGIC) {
        at += head->size;
        head = (const void *)at;
    }
    return head->magic != ESR_MAGIC || ((const struct esr_context *)head)->esr & WRITE_NOT_READ;
}

/* Six arguments go into registers; the others onto the stack, which stays aligned to 16 bytes. */
__asm__(".pushsection .text\n"
        ".globl fl_os_call\n"
        ".hidden fl_os_call\n"
        ".type fl_os_call, %function\n"
        "fl_os_call:\n"
        "    .cfi_startproc\n"
        "    stp x29, x30, [sp, #-16]!\n"
        "    .cfi_def_cfa_offset 16\n"
        "    .cfi_offset x29, -16\n"
        "    .cfi_offset x30, -8\n"
        "    mov x29, sp\n"
        "    .cfi_def_cfa_register x29\n"
        "    ldp x9, x10, [x2]\n"
        "    add x11, x2, #16\n"
        "    subs x12, x10, #6\n"
        "    b.ls 2f\n"
        "    add x13, x12, #1\n"
        "    and x13, x13, #~1\n"
        "    sub sp, sp, x13, lsl #3\n"
        "    add x14, x11, #48\n"
        "1:  sub x12, x12, #1\n"
        "    ldr x15, [x14, x12, lsl #3]\n"
        "    str x15, [sp, x12, lsl #3]\n"
        "    cbnz x12, 1b\n"
        "2:  ldp x2, x3, [x11]\n"
        "    ldp x4, x5, [x11, #16]\n"
        "    ldp x6, x7, [x11, #32]\n"
        "    blr x9\n"
        "    mov sp, x29\n"
        "    ldp x29, x30, [sp], #16\n"
        "    .cfi_def_cfa sp, 0\n"
        "    .cfi_restore x29\n"
        "    .cfi_restore x30\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size fl_os_call, . - fl_os_call\n"
        ".popsection");

#endif
