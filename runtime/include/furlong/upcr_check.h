/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of the emitter ABI (upcr.h) that the checker has, upcc -check: which accesses to shared
 * memory it need not be called for. Like upcr.h it is plain C without macros.
 */
#ifndef FURLONG_UPCR_CHECK_H
#define FURLONG_UPCR_CHECK_H

/* What the checker (UPCR_CHECK) keeps of the accesses that a thread has made since it synchronised last:
 * lines of its memory that one place of the source has read, or written. `key` is the line, what was
 * done (0 or 1), and the place's line; 0: nothing. Bit i stands for byte i. */
enum { UPCR_CHECK_LINE = 64, UPCR_CHECK_LINES = 1 << 11 };
struct upcr_checked_line {
    unsigned long key;
    const char *file;
    unsigned long inside; /* bytes of the object that the first access was to */
    unsigned long bytes;  /* accessed since, and not yet recorded */
};
extern _Thread_local struct upcr_checked_line upcr_checked_lines[UPCR_CHECK_LINES]
    __attribute__((visibility("hidden")));

static inline unsigned long upcr_check_key(unsigned long a, int writes, int line) {
    return a / UPCR_CHECK_LINE | (unsigned long)writes << 41 | (unsigned long)line << 42;
}

static inline struct upcr_checked_line *upcr_check_find(unsigned long a, int writes, int line) {
    unsigned long hash = upcr_check_key(a, writes, line) * 0x9e3779b97f4a7c15ul;
    return &upcr_checked_lines[hash >> (64 - 11)];
}

/* Whether an access is one that the checker need not be asked about now. */
static inline int upcr_check_hit(const volatile void *p, unsigned long n, int writes,
                                 const char *file, int line) {
    unsigned long a = (unsigned long)p, at = a % UPCR_CHECK_LINE;
    struct upcr_checked_line *known = upcr_check_find(a, writes, line);
    if (n > 32 || at + n > UPCR_CHECK_LINE) {
        return 0;
    }
    unsigned long bytes = ((1ul << n) - 1) << at;
    if (known->key != upcr_check_key(a, writes, line) || known->file != file ||
        (bytes & ~known->inside)) {
        return 0;
    }
    known->bytes |= bytes;
    return 1;
}

/* Copies a scalar at once, wherever a packed record has it, or else any bytes. */
static inline void upcr_copy_whole(volatile void *to, const volatile void *from,
                                   unsigned long n) {
    typedef unsigned short __attribute__((aligned(1), may_alias)) two;
    typedef unsigned __attribute__((aligned(1), may_alias)) four;
    typedef unsigned long __attribute__((aligned(1), may_alias)) eight;
    switch (n) {
    case 1:
        *(volatile char *)to = *(const volatile char *)from;
        break;
    case 2:
        *(volatile two *)to = *(const volatile two *)from;
        break;
    case 4:
        *(volatile four *)to = *(const volatile four *)from;
        break;
    case 8:
        *(volatile eight *)to = *(const volatile eight *)from;
        break;
    default:
        __builtin_memcpy((void *)to, (const void *)from, n);
    }
}

#endif
