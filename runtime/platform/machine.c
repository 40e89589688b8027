/* SPDX-License-Identifier: BSD-3-Clause */
/* See machine.h. */
#include "platform/machine.h"

#include <string.h>
#include <ucontext.h>

#if defined(__x86_64__)

#include <emmintrin.h>

enum { LINE = 64 };

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

uintptr_t fl_os_fault_pc(const void *context) {
    return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
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

/* The control words of floating point are among what functions keep. */
__asm__(".pushsection .text\n"
        ".globl fl_os_switch_stack\n"
        ".hidden fl_os_switch_stack\n"
        ".type fl_os_switch_stack, @function\n"
        "fl_os_switch_stack:\n"
        "    push %rbp\n"
        "    push %rbx\n"
        "    push %r12\n"
        "    push %r13\n"
        "    push %r14\n"
        "    push %r15\n"
        "    sub $8, %rsp\n"
        "    stmxcsr (%rsp)\n"
        "    fnstcw 4(%rsp)\n"
        "    mov %rsp, (%rdi)\n"
        "    mov %rsi, %rsp\n"
        "    ldmxcsr (%rsp)\n"
        "    fldcw 4(%rsp)\n"
        "    add $8, %rsp\n"
        "    pop %r15\n"
        "    pop %r14\n"
        "    pop %r13\n"
        "    pop %r12\n"
        "    pop %rbx\n"
        "    pop %rbp\n"
        "    ret\n"
        ".size fl_os_switch_stack, . - fl_os_switch_stack\n"
        ".globl fl_os_begin_stack\n"
        ".hidden fl_os_begin_stack\n"
        ".type fl_os_begin_stack, @function\n"
        "fl_os_begin_stack:\n"
        "    .cfi_startproc\n"
        "    .cfi_undefined %rip\n" /* a backtrace ends here */
        "    mov %r12, %rdi\n"
        "    call *%r13\n"
        "    ud2\n"
        "    .cfi_endproc\n"
        ".size fl_os_begin_stack, . - fl_os_begin_stack\n"
        ".popsection");

void fl_os_begin_stack(void);

void *fl_os_new_stack(void *end, void (*start)(void *argument), void *argument) {
    enum { CONTROL, R15, R14, R13, R12, RBX, RBP, RETURN, ALIGNMENT, WORDS };
    void **saved = (void **)end - WORDS - 1; /* at the call, the stack is aligned */
    memset(saved, 0, WORDS * sizeof *saved);
    uint32_t sse;
    uint16_t x87;
    __asm__("stmxcsr %0\n\tfnstcw %1" : "=m"(sse), "=m"(x87));
    saved[CONTROL] = (void *)((uintptr_t)x87 << 32 | sse);
    saved[R13] = *(void **)&start;
    saved[R12] = argument;
    saved[RETURN] = (void *)(uintptr_t)fl_os_begin_stack;
    return saved;
}

#else

#include <asm/sigcontext.h>

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

uintptr_t fl_os_fault_pc(const void *context) {
    return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.pc;
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

__asm__(".pushsection .text\n"
        ".globl fl_os_switch_stack\n"
        ".hidden fl_os_switch_stack\n"
        ".type fl_os_switch_stack, %function\n"
        "fl_os_switch_stack:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp]\n"
        "    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n"
        "    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x9, sp\n"
        "    str x9, [x0]\n"
        "    mov sp, x1\n"
        "    ldp x19, x20, [sp]\n"
        "    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n"
        "    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    ret\n"
        ".size fl_os_switch_stack, . - fl_os_switch_stack\n"
        ".globl fl_os_begin_stack\n"
        ".hidden fl_os_begin_stack\n"
        ".type fl_os_begin_stack, %function\n"
        "fl_os_begin_stack:\n"
        "    .cfi_startproc\n"
        "    .cfi_undefined x30\n" /* a backtrace ends here */
        "    mov x0, x19\n"
        "    blr x20\n"
        "    brk #0\n"
        "    .cfi_endproc\n"
        ".size fl_os_begin_stack, . - fl_os_begin_stack\n"
        ".popsection");

void fl_os_begin_stack(void);

void *fl_os_new_stack(void *end, void (*start)(void *argument), void *argument) {
    enum { X19, X20, X30 = 11, WORDS = 20 };
    void **saved = (void **)end - WORDS;
    memset(saved, 0, WORDS * sizeof *saved);
    saved[X19] = argument;
    saved[X20] = *(void **)&start;
    saved[X30] = (void *)(uintptr_t)fl_os_begin_stack;
    return saved;
}

#endif
