/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The emitter ABI: everything that C emitted by upcc calls, and nothing else.
 *
 * upcc puts the text of upcr_check.h, this one, upcr_loops.h and upcr_counts.h at the head of every
 * translation unit, after preprocessing: plain C without macros, of which upcc drops the lines that
 * begin with '#'. Before them stand enumerators: UPCR_STATIC_THREADS, the THREADS of the static
 * environment, or 0; UPCR_NETWORK, 0 under -network=smp; UPCR_PTHREADS, 0 under -nopthreads; UPCR_DEBUG,
 * 1 under -check, and under -g without optimisation; UPCR_INST and UPCR_CHECK, which accesses a
 * performance tool and the checker hear of. LP64 and GNU C are assumed.
 *
 * Every thread's segment begins at base + thread * stride, in every process of the job. The stride
 * is 2^log2_segment and a bit: the first-level caches of AMD's processors choose the way by a hash
 * of address bits 12 to 27, and would hold only one of the lines that differ in higher bits alone.
 * A shift still gives the thread of an address, since the end of each segment is not used.
 *
 * A pointer-to-shared is that address in its low 46 bits and a phase in the high 18. Where the
 * block size is 0 or 1 the phase is always 0 and emitted code holds a plain `T *`.
 *
 * The inline functions are address arithmetic: they never block and never fail, and any UPC
 * thread may call them. `esz` is the size of the ultimate element in bytes, `b` the block size in
 * elements, `i` an offset in elements. No name here begins with upcr_at_: the cell of a shared object
 * `x` is called upcr_at_x.
 */
#ifndef FURLONG_UPCR_H
#define FURLONG_UPCR_H

/* Else gcc warns in the runtime's sources that upc_memput, which is not static, uses what is. */
#pragma GCC system_header

#include "furlong/upcr_check.h"

typedef unsigned long upcr_pts;      /* packed pointer-to-shared */
typedef unsigned __int128 upcr_wide; /* address low, phase high: block sizes over 2^18 - 1 */

enum {
    UPCR_PHASE_SHIFT = 46,
    /* Stands for a phase that did not fit when a wide pointer became `shared void *`. */
    UPCR_PHASE_UNKNOWN = (1 << 18) - 1,
    /* log2 of all segments together, and of the address where they begin. */
    UPCR_LOG2_SPACE = 45,
    /* The largest THREADS: each then has 32 MiB of the address range. */
    UPCR_MAX_THREADS = 1048576
};

/* Written before any UPC code runs; const, so that its fields stay in registers. */
struct upcr_job {
    unsigned threads;
    unsigned log2_segment; /* UPCR_LOG2_SPACE - ceil(log2(threads)) */
    int log2_threads;      /* -1: threads is not a power of two */
    unsigned long stride;           /* bytes from one thread's segment to the next one's */
    unsigned long span;             /* threads * stride */
    const unsigned long *segments;  /* of each thread t: t * stride */
    unsigned long reciprocal;       /* 2^64 / threads, rounded up */
    long bias;                      /* 2^45 / threads: makes counts of blocks positive */
    unsigned hosts;
    unsigned long here, here_bytes; /* the segments that are memory of this host */
    int mythread;                   /* of the process's first UPC thread */
};
extern const struct upcr_job upcr_job __attribute__((visibility("hidden")));

/* MYTHREAD where a process may have several UPC threads, written before UPC code runs; negative in
 * other threads. local-exec: gcc's own choice is, with AVX-512, code that the linker refuses. */
extern _Thread_local const int upcr_mythread
    __attribute__((visibility("hidden"), tls_model("local-exec")));

/* MYTHREAD. Under -nopthreads the same in all threads of the process. */
static inline int upcr_my_number(void) {
    return UPCR_PTHREADS ? upcr_mythread : upcr_job.mythread;
}

/* Ends the job: `function`, which uses MYTHREAD or thread-locals, was called in no UPC thread. */
extern void upcr_foreign_thread(const char *function, const char *file, int line)
    __attribute__((noreturn, cold, visibility("hidden")));

/* Static local objects under -nopthreads that the C compiler cannot initialise: 1 in the one thread
 * that is to do so, 0 when that has happened, for which the others wait. */
extern int upcr_once_begin_slow(int *once) __attribute__((cold, visibility("hidden")));
enum { UPCR_ONCE_DONE = 2 };

static inline int upcr_once_is_done(const int *once) {
    /* [N1] pairs [N2]: the value of the object. */
    return __atomic_load_n(once, 2) == UPCR_ONCE_DONE;
}

static inline int upcr_once_begin(int *once) {
    return !upcr_once_is_done(once) && upcr_once_begin_slow(once);
}

static inline void upcr_once_end(int *once) {
    /* [N2] pairs [N1]. */
    __atomic_store_n(once, UPCR_ONCE_DONE, 3);
}

/* Nesting of upc_forall statements with an affinity (UPC 1.3 6.6.2p11), in each thread there is. */
extern _Thread_local int upcr_forall_depth
    __attribute__((visibility("hidden"), tls_model("local-exec")));

/* nothrow: else gcc, under -fexceptions, warns of the pragma before a loop whose condition asks. */
__attribute__((nothrow)) static inline unsigned upcr_threads(void) {
    return UPCR_STATIC_THREADS ? (unsigned)UPCR_STATIC_THREADS : upcr_job.threads;
}

/* ceil(log2(n)) for n >= 1. */
static inline unsigned upcr_ceil_log2(unsigned n) {
    return n <= 1 ? 0 : 32 - (unsigned)__builtin_clz(n - 1);
}

static inline unsigned upcr_log2_segment(void) {
    return UPCR_STATIC_THREADS ? UPCR_LOG2_SPACE - upcr_ceil_log2((unsigned)UPCR_STATIC_THREADS)
                               : upcr_job.log2_segment;
}

static inline unsigned long upcr_base(void) {
    return 1ul << UPCR_LOG2_SPACE;
}

/* Rounds toward negative infinity, as UPC 1.3 6.4.2p4 wants; `b` > 0, |a| < 2^61. Where `b` is a
 * constant: a shift, or an unsigned division, after both of which compilers correct nothing. */
static inline long upcr_floordiv(long a, long b) {
    if (__builtin_constant_p(b)) {
        if ((b & (b - 1)) == 0) {
            return a >> __builtin_ctzl((unsigned long)b);
        }
        long rows = (1l << 62) / b;
        return (long)((unsigned long)(a + rows * b) / (unsigned long)b) - rows;
    }
    long q = a / b;
    return q - (a - q * b < 0);
}

/* `a` less `q` times `b`, if q is upcr_floordiv(a, b). */
static inline long upcr_within(long a, long q, long b) {
    return __builtin_constant_p(b) && (b & (b - 1)) == 0 ? a & (b - 1) : a - q * b;
}

static inline unsigned long upcr_reciprocal(void) {
    return UPCR_STATIC_THREADS ? ~0ul / upcr_threads() + 1 : upcr_job.reciprocal;
}

static inline long upcr_bias(void) {
    return UPCR_STATIC_THREADS ? (1l << 45) / (long)upcr_threads() : upcr_job.bias;
}

static inline int upcr_log2_threads(void) {
    if (UPCR_STATIC_THREADS) {
        return (UPCR_STATIC_THREADS & (UPCR_STATIC_THREADS - 1)) == 0
                   ? (int)upcr_ceil_log2((unsigned)UPCR_STATIC_THREADS)
                   : -1;
    }
    return upcr_job.log2_threads;
}

/* Splits a count of blocks into the thread that holds it and the row within that thread: rounds
 * block / THREADS toward negative infinity. A shift if THREADS is a power of two, else a
 * multiplication: division costs ten times as much. Exact for |block| < 2^45 and fewer than 2^18
 * threads, since the error, 2^46 / 2^64, is less than 1 / THREADS. */
static inline long upcr_row(long block) {
    if (__builtin_expect(upcr_log2_threads() >= 0, 1)) {
        return block >> upcr_log2_threads();
    }
    unsigned long biased = (unsigned long)(block + upcr_bias() * (long)upcr_threads());
    return (long)(((unsigned __int128)biased * upcr_reciprocal()) >> 64) - upcr_bias();
}

/* The thread that holds a block, whose row on it is known. */
static inline unsigned long upcr_owner(long block, long row) {
    if (__builtin_expect(upcr_log2_threads() >= 0, 1)) {
        return (unsigned long)block & (upcr_threads() - 1ul);
    }
    return (unsigned long)(block - row * (long)upcr_threads());
}

static inline unsigned long upcr_address(upcr_pts p) {
    return p & ((1ul << UPCR_PHASE_SHIFT) - 1);
}

static inline unsigned long upcr_phase(upcr_pts p) {
    return p >> UPCR_PHASE_SHIFT;
}

static inline upcr_pts upcr_with_phase(unsigned long address, unsigned long phase) {
    return address | phase << UPCR_PHASE_SHIFT;
}

/* upc_threadof: 0 for a null pointer (7.2.3.1). */
static inline unsigned long upcr_threadof(unsigned long address) {
    return address ? (address - upcr_base()) >> upcr_log2_segment() : 0;
}

/* upc_addrfield: the offset within the thread's segment. */
static inline unsigned long upcr_addrfield(unsigned long address) {
    return address ? address - upcr_base() - upcr_threadof(address) * upcr_job.stride : 0;
}

/* The address of the same segment offset at `thread`. */
static inline unsigned long upcr_address_on(unsigned long local, unsigned long thread) {
    return upcr_base() + thread * upcr_job.stride + local;
}

/* Is p null, or the sum of null and an integer? What is added to it would else be an address in some
 * thread's memory, where an access does not fail. The test costs a random access up to half its time. */
static inline int upcr_is_near_null(unsigned long p) {
    return UPCR_DEBUG && __builtin_expect(p < 1ul << 32, 0);
}

/* The address of p + i, if p points to element `phase` of a block of `b`. Elements are counted from
 * the begin of p's row on, so that what is added to `i` does not change in a loop. The segment of
 * the thread is looked up: a multiplication by the stride would cost more. */
static inline unsigned long upcr_moved_of(unsigned long p, unsigned long phase, long i,
                                          unsigned long esz, long b, unsigned long *home) {
    if (upcr_threads() == 1 || upcr_is_near_null(p)) {
        *home = 0;
        return p + (unsigned long)i * esz;
    }
    unsigned long thread = (p - upcr_base()) >> upcr_log2_segment();
    long element = i + (long)(phase + thread * (unsigned long)b);
    long block = upcr_floordiv(element, b), row = upcr_row(block);
    long local = row * b + upcr_within(element, block, b) - (long)phase;
    *home = upcr_owner(block, row);
    return p - thread * upcr_job.stride + (unsigned long)local * esz + upcr_job.segments[*home];
}

static inline unsigned long upcr_moved(unsigned long p, unsigned long phase, long i,
                                       unsigned long esz, long b) {
    unsigned long home;
    return upcr_moved_of(p, phase, i, esz, b, &home);
}

/* p + 1, if p points to the last element of a block. Neither result waits for the comparison. */
static inline unsigned long upcr_next_block(unsigned long p, unsigned long esz, long b) {
    if (upcr_is_near_null(p)) {
        return p + esz;
    }
    unsigned long step = upcr_job.stride + esz - (unsigned long)b * esz;
    unsigned long to_first = upcr_job.span - upcr_job.stride - esz;
    return p < upcr_base() + upcr_job.span - step ? p + step : p - to_first;
}

/* p plus a number of whole blocks. */
static inline void *upcr_next_in_column(const volatile void *p, unsigned long blocks,
                                        unsigned long block_bytes) {
    unsigned long threads = (unsigned long)upcr_threads(), a = (unsigned long)p;
    if (threads == 1) {
        return (void *)(a + blocks * block_bytes);
    }
    /* Most steps are by one block: no division, which loops over tiles would wait for. */
    a += blocks < threads ? blocks * upcr_job.stride
                          : blocks / threads * block_bytes + blocks % threads * upcr_job.stride;
    return (void *)(a < upcr_base() + upcr_job.span ? a : a - (upcr_job.span - block_bytes));
}

/* Are addresses that are whole elements from p away multiples of their size, on every thread? Then rows
 * are numbered from address 0 on, and the number of a row gives the offset in a segment without p:
 * an instruction less for each element of a loop. The elements' numbers must fit into 63 bits. */
static inline int upcr_has_row_numbers(unsigned long p, unsigned long esz) {
    return (esz & (esz - 1)) == 0 &&
           (((p | upcr_job.stride) & (esz - 1)) == 0) & ((unsigned)upcr_log2_threads() <= 16);
}

/* p + i for block size 1; `home`: the thread that it is on. */
static inline unsigned long upcr_add_cyclic_of(unsigned long p, long i, unsigned long esz,
                                               unsigned long *home) {
    if (upcr_threads() != 1 && !upcr_is_near_null(p) && upcr_has_row_numbers(p, esz)) {
        unsigned long thread = (p - upcr_base()) >> upcr_log2_segment();
        unsigned long row = (p - thread * upcr_job.stride) / esz;
        long element = i + (long)((row << upcr_log2_threads()) + thread);
        *home = upcr_owner(element, 0);
        return upcr_job.segments[*home] + (unsigned long)upcr_row(element) * esz;
    }
    return upcr_moved_of(p, 0, i, esz, 1, home);
}

static inline unsigned long upcr_add_cyclic(unsigned long p, long i, unsigned long esz) {
    if (__builtin_constant_p(i == 1) && i == 1 && upcr_threads() != 1) {
        return upcr_next_block(p, esz, 1); /* a walk: each step waits for the one before */
    }
    unsigned long home;
    return upcr_add_cyclic_of(p, i, esz, &home);
}

/* Is p + i, with p's phase, in p's block? Asked where `i` is a constant, as in a walk, of which most
 * steps are: others would be predicted wrongly. */
static inline int upcr_stays_in_block(unsigned long phase, long i, long b) {
    return __builtin_constant_p(i) && phase + (unsigned long)i < (unsigned long)b;
}

/* Address of p + i for block size b > 1, given p's phase; the new phase goes to *phase_p. */
static inline unsigned long upcr_add_blocked(unsigned long p, unsigned long phase, long i,
                                             unsigned long esz, long b, unsigned long *phase_p) {
    long pos = (long)phase + i;
    if (upcr_stays_in_block(phase, i, b)) {
        *phase_p = (unsigned long)pos;
        return p + (unsigned long)i * esz;
    }
    if (__builtin_constant_p(i == 1) && i == 1) {
        *phase_p = 0;
        return upcr_next_block(p, esz, b);
    }
    *phase_p = (unsigned long)upcr_within(pos, upcr_floordiv(pos, b), b);
    return upcr_moved(p, phase, i, esz, b);
}

/* Element `within` of block `block` of a static array: `cell` is the address of its element 0, on
 * thread 0. */
static inline unsigned long upcr_elem(unsigned long cell, unsigned long block,
                                      unsigned long within, unsigned long esz, unsigned long b) {
    if (upcr_threads() == 1) {
        return cell + (block * b + within) * esz;
    }
    long row = upcr_row((long)block);
    return cell + ((unsigned long)row * b + within) * esz +
           upcr_job.segments[upcr_owner((long)block, row)];
}

static inline void *upcr_elem_cyclic(const volatile void *cell, long i, unsigned long esz) {
    return (void *)upcr_elem((unsigned long)cell, (unsigned long)i, 0, esz, 1);
}

static inline void *upcr_elem_blocked(const volatile void *cell, long i, unsigned long esz,
                                      unsigned long b) {
    unsigned long u = (unsigned long)i;
    return (void *)upcr_elem((unsigned long)cell, u / b, u % b, esz, b);
}

/* Element `within` of row `i`, for rows of `row` elements of which `rows` make a block. */
static inline void *upcr_elem_rows(const volatile void *cell, long i, long within,
                                   unsigned long esz, unsigned long rows, unsigned long row) {
    unsigned long u = (unsigned long)i;
    return (void *)upcr_elem((unsigned long)cell, u / rows,
                             u % rows * row + (unsigned long)within, esz, rows * row);
}

static inline upcr_pts upcr_elem_packed(const volatile void *cell, long i, unsigned long esz,
                                        unsigned long b) {
    unsigned long phase = (unsigned long)i % b;
    return upcr_with_phase((unsigned long)upcr_elem_blocked(cell, i, esz, b), phase);
}

static inline upcr_wide upcr_elem_wide(const volatile void *cell, long i, unsigned long esz,
                                       unsigned long b) {
    unsigned long phase = (unsigned long)i % b;
    return (upcr_wide)phase << 64 | (unsigned long)upcr_elem_blocked(cell, i, esz, b);
}

static inline upcr_pts upcr_add_packed(upcr_pts p, long i, unsigned long esz, long b) {
    if (upcr_stays_in_block(upcr_phase(p), i, b)) {
        return p + ((unsigned long)i << UPCR_PHASE_SHIFT) + (unsigned long)i * esz;
    }
    unsigned long phase;
    unsigned long address =
        upcr_add_blocked(upcr_address(p), upcr_phase(p), i, esz, b, &phase);
    return upcr_with_phase(address, phase);
}

/* The address of p + i. */
static inline unsigned long upcr_packed_address(upcr_pts p, long i, unsigned long esz, long b) {
    if (upcr_stays_in_block(upcr_phase(p), i, b)) {
        return upcr_address(p) + (unsigned long)i * esz;
    }
    return upcr_moved(upcr_address(p), upcr_phase(p), i, esz, b);
}

static inline unsigned long upcr_wide_address(upcr_wide p, long i, unsigned long esz, long b) {
    return upcr_moved((unsigned long)p, (unsigned long)(p >> 64), i, esz, b);
}

static inline upcr_wide upcr_add_wide(upcr_wide p, long i, unsigned long esz, long b) {
    unsigned long phase;
    unsigned long address =
        upcr_add_blocked((unsigned long)p, (unsigned long)(p >> 64), i, esz, b, &phase);
    return (upcr_wide)phase << 64 | address;
}

/* p - q for block size 1. */
static inline long upcr_diff_cyclic(unsigned long p, unsigned long q, unsigned long esz) {
    long rows = ((long)upcr_addrfield(p) - (long)upcr_addrfield(q)) / (long)esz;
    return rows * (long)upcr_threads() + (long)upcr_threadof(p) - (long)upcr_threadof(q);
}

/* p - q for block size b > 1, addresses and phases given (6.4.2p8). */
static inline long upcr_diff_blocked(unsigned long p, unsigned long p_phase, unsigned long q,
                                     unsigned long q_phase, unsigned long esz, long b) {
    long elems = ((long)upcr_addrfield(p) - (long)upcr_addrfield(q)) / (long)esz;
    long phases = (long)p_phase - (long)q_phase;
    long rows = (elems - phases) / b;
    return (rows * (long)upcr_threads() + (long)upcr_threadof(p) - (long)upcr_threadof(q)) * b +
           phases;
}

static inline long upcr_diff_packed(upcr_pts p, upcr_pts q, unsigned long esz, long b) {
    return upcr_diff_blocked(upcr_address(p), upcr_phase(p), upcr_address(q), upcr_phase(q), esz,
                             b);
}

static inline long upcr_diff_wide(upcr_wide p, upcr_wide q, unsigned long esz, long b) {
    return upcr_diff_blocked((unsigned long)p, (unsigned long)(p >> 64), (unsigned long)q,
                             (unsigned long)(q >> 64), esz, b);
}

/* Negative, 0 or positive as p is before q, q itself, or behind it: what has that sign as p - q has, and
 * takes no division. Blocks in a lower row come first, of one row those of a lower thread. */
static inline long upcr_order_blocked(unsigned long p, unsigned long p_phase, unsigned long q,
                                      unsigned long q_phase, unsigned long esz) {
    long rows = (long)(upcr_addrfield(p) - p_phase * esz) -
                (long)(upcr_addrfield(q) - q_phase * esz);
    return rows == 0 || upcr_threads() == 1 ? (long)(p - q) : rows;
}

static inline long upcr_order_cyclic(unsigned long p, unsigned long q, unsigned long esz) {
    return upcr_order_blocked(p, 0, q, 0, esz);
}

static inline long upcr_order_packed(upcr_pts p, upcr_pts q, unsigned long esz) {
    return upcr_order_blocked(upcr_address(p), upcr_phase(p), upcr_address(q), upcr_phase(q), esz);
}

static inline long upcr_order_wide(upcr_wide p, upcr_wide q, unsigned long esz) {
    return upcr_order_blocked((unsigned long)p, (unsigned long)(p >> 64), (unsigned long)q,
                              (unsigned long)(q >> 64), esz);
}

/* Reports the use of an unknown phase and ends the job. */
extern void upcr_unknown_phase(void) __attribute__((noreturn, cold, visibility("hidden")));

/* upc_phaseof: the phase, which must be known (7.2.3.2). */
static inline unsigned long upcr_known_phase(upcr_pts p) {
    unsigned long phase = upcr_phase(p);
    if (__builtin_expect(phase == UPCR_PHASE_UNKNOWN, 0)) {
        upcr_unknown_phase();
    }
    return phase;
}

/* `shared void *` to a pointer with a large block. */
static inline upcr_wide upcr_widen(upcr_pts p) {
    return (upcr_wide)upcr_known_phase(p) << 64 | upcr_address(p);
}

/* A pointer with a large block to `shared void *`. */
static inline upcr_pts upcr_narrow(upcr_wide p) {
    unsigned long phase = (unsigned long)(p >> 64);
    return upcr_with_phase((unsigned long)p, phase < UPCR_PHASE_UNKNOWN ? phase
                                                                        : UPCR_PHASE_UNKNOWN);
}

/* Shared memory of other hosts. Code for one host (`upcc -network=smp`) has none of this: there
 * UPCR_NETWORK is 0. */

/* Whether a performance tool or a report is to hear of accesses (`upcc -inst`): UPCR_INST is 1 for those
 * to other threads' memory, 2 for all, else 0. The checker hears of all. A report alone wants to know of
 * accesses to this host's memory only how many there are. */
enum { UPCR_COUNTS_ARE_HEARD = 1, UPCR_EACH_IS_HEARD = 2 };
extern const int upcr_heard __attribute__((visibility("hidden")));
static inline int upcr_is_told(void) {
    return UPCR_INST && (UPCR_CHECK || __builtin_expect(upcr_heard, 0)) &&
           (UPCR_INST == 2 || upcr_threads() > 1);
}

/* Whether everything is here: then every access is a plain one, and loops need not ask again. */
static inline int upcr_one_host(void) {
    return !UPCR_NETWORK || (!upcr_is_told() && __builtin_expect(upcr_job.hosts == 1, 1));
}

/* Whether the memory at an address is this host's. Of accesses that are to be told the runtime is
 * asked. */
static inline int upcr_is_here(const volatile void *p) {
    if (upcr_is_told()) {
        return UPCR_INST == 1 && ((unsigned long)p - upcr_base()) >> upcr_log2_segment() ==
                                     (unsigned long)upcr_my_number();
    }
    return !UPCR_NETWORK ||
           __builtin_expect((unsigned long)p - upcr_job.here < upcr_job.here_bytes, 1);
}

/* Transfers of a few bytes, whose number the compiler knows, are loads and stores in place; all others
 * are the library's (upc.h declares it). All bytes are read before one is written, as there. */
extern void upcr_memput(upcr_pts to, const void *from, unsigned long n) __asm__("upc_memput");
extern void upcr_memget(void *to, upcr_pts from, unsigned long n) __asm__("upc_memget");

static inline int upcr_is_move(upcr_pts p, unsigned long n) {
    return __builtin_constant_p(n) && n <= 32 && !upcr_is_told() &&
           upcr_is_here((const void *)upcr_address(p));
}

static inline void upcr_move(void *to, const void *from, unsigned long n) {
    char bytes[32];
    __builtin_memcpy(bytes, from, n);
    __builtin_memcpy(to, bytes, n);
}

extern __inline__ __attribute__((gnu_inline, always_inline)) void
upc_memput(upcr_pts to, const void *__restrict from, unsigned long n) {
    if (upcr_is_move(to, n)) {
        upcr_move((void *)upcr_address(to), from, n);
    } else {
        upcr_memput(to, from, n);
    }
}

extern __inline__ __attribute__((gnu_inline, always_inline)) void
upc_memget(void *__restrict to, upcr_pts from, unsigned long n) {
    if (upcr_is_move(from, n)) {
        upcr_move(to, (const void *)upcr_address(from), n);
    } else {
        upcr_memget(to, from, n);
    }
}

/* Do two ranges of memory have nothing in common? */
static inline int upcr_are_apart(const volatile void *p, unsigned long p_bytes,
                                 const volatile void *q, unsigned long q_bytes) {
    unsigned long a = (unsigned long)p, b = (unsigned long)q;
    return a + p_bytes <= b || b + q_bytes <= a;
}

/* A relaxed read of memory that may be another host's: blocks until the bytes are there. `file`
 * and `line` are those of the access, for upcrun -trace. Returns `to`. */
extern void *upcr_get(void *to, const volatile void *from, unsigned long bytes, const char *file,
                      int line) __attribute__((visibility("hidden")));

/* Copies of lines of other hosts' memory that the calling thread has read since it synchronised last:
 * the runtime keeps them, and makes `epoch` another one when they are not to be used any more. `last`
 * is the address that was read last. After `left` reads the runtime is asked again: one of the same
 * address as the read before counts as UPCR_REPEAT more, since it may be a loop that waits. */
enum { UPCR_LINE = 256, UPCR_COPIES = 256, UPCR_REPEAT = 32 };
struct upcr_copy {
    unsigned long address, epoch;
    unsigned char *bytes;
};
struct upcr_copies {
    unsigned long epoch, last, left;
    struct upcr_copy of[UPCR_COPIES];
};
extern _Thread_local struct upcr_copies upcr_copies __asm__("fl_read_copies")
    __attribute__((visibility("hidden"), tls_model("local-exec")));

/* What a relaxed read finds there if the thread has a copy, to be read at once; else null. */
static inline void *upcr_copy_of(const volatile void *p, unsigned long bytes) {
    unsigned long a = (unsigned long)p, at = a % UPCR_LINE, line = a / UPCR_LINE;
    struct upcr_copy *copy = &upcr_copies.of[(line ^ line / UPCR_COPIES) % UPCR_COPIES];
    if (UPCR_INST || copy->address != a - at || copy->epoch != upcr_copies.epoch ||
        at + bytes > UPCR_LINE || --upcr_copies.left == 0) {
        return (void *)0;
    }
    if (a == upcr_copies.last) {
        if (upcr_copies.left <= UPCR_REPEAT) {
            return (void *)0;
        }
        upcr_copies.left -= UPCR_REPEAT;
    }
    upcr_copies.last = a;
    return copy->bytes + at;
}

/* upcr_get, with a copy if there is one. */
static inline void *upcr_read(void *to, const volatile void *from, unsigned long bytes,
                              const char *file, int line) {
    if (UPCR_CHECK && upcr_check_hit(from, bytes, 0, file, line)) {
        upcr_copy_whole(to, from, bytes);
        return to;
    }
    void *copy = upcr_copy_of(from, bytes);
    return copy ? __builtin_memcpy(to, copy, bytes) : upcr_get(to, from, bytes, file, line);
}

/* Where a relaxed read finds its bytes without asking another host; else null. */
static inline void *upcr_cached(const volatile void *p, unsigned long bytes) {
    return upcr_is_here(p) ? (void *)p : upcr_copy_of(p, bytes);
}

/* upcr_get, with a second copy behind the first; and a write of those bytes of the first copy that
 * differ from the second, for members that have no address. */
extern void *upcr_get_twin(void *to, const volatile void *from, unsigned long bytes,
                           const char *file, int line) __attribute__((visibility("hidden")));
extern void upcr_put_changed(volatile void *to, const void *twins, unsigned long bytes,
                             const char *file, int line) __attribute__((visibility("hidden")));

/* Relaxed reads that are under way at the same time. upcr_get_start does not wait for the bytes,
 * upcr_get_finish for those of all that were started on `reads`, which begins as zeros. */
struct upcr_reads {
    unsigned pending;
};
extern void *upcr_get_start(void *to, const volatile void *from, unsigned long bytes,
                            const char *file, int line, struct upcr_reads *reads)
    __attribute__((visibility("hidden")));
extern void upcr_get_finish(struct upcr_reads *reads, const char *file, int line)
    __attribute__((visibility("hidden")));

/* Several reads, at most UPCR_READS, at once: those from one process share a message. */
struct upcr_read {
    void *to;
    const volatile void *from;
    unsigned long bytes;
    int line;
};
enum { UPCR_READS = 32 };
extern void upcr_get_several(const struct upcr_read *reads, unsigned n, const char *file)
    __attribute__((visibility("hidden")));

/* A relaxed write: `from` may be changed on return, and the write has ended by the thread's next
 * fence, barrier or strict access, in order with its other accesses to the same address. */
extern void upcr_put(volatile void *to, const volatile void *from, unsigned long bytes,
                     const char *file, int line) __attribute__((visibility("hidden")));

/* The same where the checker hears of it. */
static inline void upcr_write(volatile void *to, const volatile void *from, unsigned long bytes,
                              const char *file, int line) {
    if (UPCR_CHECK && upcr_check_hit(to, bytes, 1, file, line)) {
        upcr_copy_whole(to, from, bytes);
    } else {
        upcr_put(to, from, bytes, file, line);
    }
}

/* Relaxed accesses to many places of `bytes` each (at most UPCR_ELEMENT), wherever they are: element i
 * of the private memory belongs to the place at[i], an address. Requests to a host travel together,
 * those to several at the same time. The list may be changed on return. A gather has ended when
 * upcr_get_finish returns for `reads`; the values of a scatter may be changed on return. A place
 * that is named twice gets the later value. */
enum { UPCR_ELEMENT = 256 };
extern void upcr_gather_start(void *to, const unsigned long *at, unsigned n, unsigned long bytes,
                              const char *file, int line, struct upcr_reads *reads)
    __attribute__((visibility("hidden")));
/* The same, blocking, by way of the copies that the thread has; at most UPCR_GATHERED elements. */
enum { UPCR_GATHERED = 4096 };
extern void upcr_gather(void *to, const unsigned long *at, unsigned n, unsigned long bytes,
                        const char *file, int line) __attribute__((visibility("hidden")));
/* The address of an element that nobody reads: of this thread's segment. */
static inline unsigned long upcr_nowhere(void) {
    return upcr_address_on(0, (unsigned long)upcr_my_number());
}

extern void upcr_scatter(const unsigned long *at, const void *from, unsigned n,
                         unsigned long bytes, const char *file, int line)
    __attribute__((visibility("hidden")));

/* A relaxed `*at op= value` of 1, 2, 4 or 8 bytes whose result nobody wants: not atomic, and in order
 * with the thread's other accesses to the place. `what` is one of UPCR_ADD to UPCR_XOR, for integers of
 * any sign but _Bool, or UPCR_ADD_FLOAT for a float or a double, where the operand has that type too.
 * `value` is the operand's bits, of which the low ones count. Has ended as upcr_put has. */
extern void upcr_update(int what, volatile void *at, unsigned long value, unsigned long bytes,
                        const char *file, int line) __attribute__((visibility("hidden")));

/* The same for many, in the order of the list: element i of `values` is the operand for the place
 * at[i]. */
extern void upcr_update_many(int what, const unsigned long *at, const void *values, unsigned n,
                             unsigned long bytes, const char *file, int line)
    __attribute__((visibility("hidden")));

/* The bits of an operand. */
static inline unsigned long upcr_bits_of_float(float value) {
    unsigned bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline unsigned long upcr_bits_of_double(double value) {
    unsigned long bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Strict ones, which begin and end by what upcr_fence does. Bytes that are a scalar are read and
 * written at once, also on this host. */
extern void *upcr_get_strict(void *to, const volatile void *from, unsigned long bytes,
                             const char *file, int line) __attribute__((visibility("hidden")));
extern void upcr_put_strict(volatile void *to, const void *from, unsigned long bytes,
                            const char *file, int line) __attribute__((visibility("hidden")));

/* Atomic operations on 1, 2, 4 or 8 bytes of other hosts, atomic with respect to the instructions
 * that their own threads use. `value` is the operand, and gets the old value, or with UPCR_GIVE_NEW
 * the new one; a store only reads it. They order nothing else: emitted code settles first. */
enum {
    UPCR_LOAD,
    UPCR_STORE,
    UPCR_EXCHANGE,
    UPCR_ADD,
    UPCR_SUB,
    UPCR_AND,
    UPCR_OR,
    UPCR_XOR,
    UPCR_NAND,
    UPCR_ADD_FLOAT, /* not of upcr_atomic */
    UPCR_GIVE_NEW = 16
};
extern void upcr_atomic(int what, const volatile void *at, void *value, unsigned long bytes,
                        const char *file, int line) __attribute__((visibility("hidden")));

/* The same where the result is not wanted: it has ended by the thread's next fence. */
extern void upcr_atomic_update(int what, volatile void *at, const void *value,
                               unsigned long bytes, const char *file, int line)
    __attribute__((visibility("hidden")));

/* Compare and swap: 1 if the bytes were those of `expected`, which gets what they were. */
extern int upcr_atomic_swap(volatile void *at, void *expected, const void *desired,
                            unsigned long bytes, const char *file, int line)
    __attribute__((visibility("hidden")));

/* Waits until the thread's relaxed writes to other hosts have ended. */
extern void upcr_quiet(void) __attribute__((visibility("hidden")));

/* Before a strict write to this host. */
static inline void upcr_settle(void) {
    if (!upcr_one_host()) {
        upcr_quiet();
    }
}

/* Before a strict access that has nothing to wait for: what was read of other hosts' memory before it
 * is not read again. */
extern void upcr_forget(void) __attribute__((visibility("hidden")));

static inline void upcr_forget_reads(void) {
    if (!upcr_one_host()) {
        upcr_forget();
    }
}

/* upc_fence, and the fence around strict accesses (5.1.2.3, B.3.1). */
static inline void upcr_fence(void) {
    upcr_settle();
    __atomic_thread_fence(5);
}

/* upc_fence where it is to be told. */
extern void upcr_fence_here(const char *file, int line) __attribute__((visibility("hidden")));

/* Stands where a strict access needs no more of a fence: a later read may still overtake an
 * earlier write. Costs nothing where processors keep to that themselves, as x86 does. */
static inline void upcr_order(void) {
    __atomic_thread_fence(4);
}

/* Barrier statements (6.6.1). `has_value` is 0 or 1; file and line are those of the statement
 * and serve the message about mismatched values. Collective; upcr_wait and upcr_barrier block. */
extern void upcr_notify(int has_value, int value, const char *file, int line)
    __attribute__((visibility("hidden")));
extern void upcr_wait(int has_value, int value, const char *file, int line)
    __attribute__((visibility("hidden")));
extern void upcr_barrier(int has_value, int value, const char *file, int line)
    __attribute__((visibility("hidden")));

/* Before a call of a function of the library, where it is: of those that are collective or take locks
 * under -g, of those that are told under -inst. `file` lives as long as the program. */
extern void upcr_called_from(const char *file, int line) __attribute__((visibility("hidden")));

/* Also with -g: before a write to the variable `name` of C, which all threads of a process share. */
extern void upcr_c_write(const void *address, const char *name, const char *file, int line)
    __attribute__((visibility("hidden")));

/* One static shared object of this translation unit, in ELF section "upcr_objects". The runtime
 * gives all descriptors with the same cell one place, at the same offset in every segment, and
 * stores the address of element 0 (thread 0's copy) in the cell before any UPC code runs. */
struct upcr_object {
    void *cell;
    unsigned long local_bytes; /* at one thread: the largest share of any thread */
    unsigned long align;
    const char *name;
};

/* In ELF section "upcr_shared_inits": run by thread 0 alone, once per job, before main. */
/* In ELF section "upcr_thread_inits": run by every thread, before main and after those. */
/* In ELF section "upcr_constructors": run before those by threads for which the loader has not. */
typedef void (*upcr_init_function)(void);

/* Ends the job if the shared array `name` has fewer than `n_values` elements in a dimension. */
extern void upcr_check_initialiser(const char *name, unsigned long n_values, unsigned long n_elems,
                                   const char *file, int line);

/* In ELF section "upcr_units", one for each translation unit. */
struct upcr_unit {
    unsigned abi;            /* UPCR_ABI */
    unsigned static_threads; /* 0: dynamic */
    unsigned debug;          /* 1: compiled with -g, so the runtime looks for misuse */
    unsigned network;        /* 0: compiled for one host (-network=smp) */
    unsigned privates;       /* enum upcr_privates */
    const char *file;
};
enum { UPCR_ABI = 5 };

/* What a translation unit has of private objects with static storage, and of MYTHREAD. The second
 * and third do not go together in one program. */
enum upcr_privates {
    UPCR_NO_PRIVATES, /* nothing */
    UPCR_OF_THREADS,  /* thread-local: any number of UPC threads in a process */
    UPCR_OF_PROCESS,  /* plain C: one UPC thread in a process (-nopthreads) */
    UPCR_ONLY_CODE    /* nothing, under -nopthreads: one UPC thread, unless others are of threads */
};

#include "furlong/upcr_loops.h"

#include "furlong/upcr_counts.h"

#endif
