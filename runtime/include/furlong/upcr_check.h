/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of the emitter ABI (upcr.h) that the checker has, upcc -check: what it is told, and which
 * accesses to shared memory it need not be called for. Like upcr.h it is plain C without macros.
 */
#ifndef FURLONG_UPCR_CHECK_H
#define FURLONG_UPCR_CHECK_H

/* How a static shared object is laid out, in ELF section "upcr_layouts": the bytes of an element, and
 * block size and dimensions, "4:10*THREADS,20". */
struct upcr_layout {
    void *cell;
    unsigned long element;
    const char *text;
};

/* Bytes that lie between static objects. */
enum { UPCR_CHECK_GAP = 64 };

/* A pointer-to-shared becomes a pointer of C. */
extern void *upcr_own(const volatile void *at, const char *file, int line)
    __attribute__((visibility("hidden")));

/* Before an atomic operation of C that may be on a thread's view of shared memory. */
extern void upcr_c_atomic(const volatile void *at, unsigned long bytes, int writes,
                          const char *file, int line) __attribute__((visibility("hidden")));

/* What a loop is about to access: n elements of some bytes, of which these are the addresses of the
 * first, second and last one. False if they are not as far from each other in one object: then the loop
 * has to ask for each. */
extern int upcr_sweep(unsigned long first, unsigned long second, unsigned long last,
                      unsigned long n, unsigned long bytes, int writes, const char *file, int line)
    __attribute__((visibility("hidden")));

/* The subscript i of an array of n elements that is a part of an object; the checker is told if it is
 * outside of that. */
extern void upcr_outside_dimension(long i, long n, const char *file, int line)
    __attribute__((visibility("hidden"), cold));
static inline long upcr_subscript(long i, long n, const char *file, int line) {
    if (UPCR_CHECK && __builtin_expect((unsigned long)i >= (unsigned long)n, 0)) {
        upcr_outside_dimension(i, n, file, line);
    }
    return i;
}

/* The private buffer of the transfer that is called next, with the bytes behind it as far as the C
 * compiler knows: all ones if it does not. Returns the buffer. */
extern void *upcr_buffer(const volatile void *buffer, unsigned long room)
    __attribute__((visibility("hidden")));

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
    __attribute__((visibility("hidden"), tls_model("local-exec")));

static inline unsigned long upcr_check_key(unsigned long a, int writes, int line) {
    return a / UPCR_CHECK_LINE | (unsigned long)writes << 41 | (unsigned long)line << 42;
}

/* The index of the line's entry. */
static inline unsigned long upcr_check_find(unsigned long a, int writes, int line) {
    return upcr_check_key(a, writes, line) * 0x9e3779b97f4a7c15ul >> (64 - 11);
}

/* Whether an access is one that the checker need not be asked about now. */
static inline int upcr_check_hit(const volatile void *p, unsigned long n, int writes,
                                 const char *file, int line) {
    unsigned long a = (unsigned long)p, at = a % UPCR_CHECK_LINE;
    /* Without the checker there are no lines, and -fkeep-inline-functions keeps this function. */
    if (!UPCR_CHECK || n > 32 || at + n > UPCR_CHECK_LINE) {
        return 0;
    }
    struct upcr_checked_line *known = &upcr_checked_lines[upcr_check_find(a, writes, line)];
    unsigned long bytes = ((1ul << n) - 1) << at;
    if (known->key != upcr_check_key(a, writes, line) || known->file != file ||
        (bytes & ~known->inside)) {
        return 0;
    }
    known->bytes |= bytes;
    return 1;
}

/* Copies memory of this host; a scalar as a whole, wherever a packed record has it, since other
 * threads may read it at the same time. */
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
        __builtin_memmove((void *)to, (const void *)from, n);
    }
}

#endif
