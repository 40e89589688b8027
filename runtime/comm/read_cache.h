/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The read cache: what a thread has fetched of other hosts' memory since its last synchronisation.
 *
 * UPC lets a relaxed read return any value that the place has had since the thread's last strict
 * access, fence, barrier or lock (UPC 1.3 5.1.2.3, B.3.2). So a read of 8 bytes fetches the line
 * around them, reads that go on in a direction or by a stride fetch several lines at once, and
 * the lines serve later reads until the thread synchronises.
 *
 * Programs wait for relaxed flags, although nothing promises that they will see them: reads of one
 * place again and again fetch anew, as often as leaves half of the time to the thread (a loop may also read
 * a bound, or the pointer to a row, in each iteration), and so does a read of a line that is as old as
 * the setting says. A loop that polls a flag therefore ends soon after the flag is set.
 *
 * For the same reason an atomic operation whose result the thread waits for drops the cache, although
 * a relaxed one orders nothing.
 *
 * The thread's own writes are seen at once: small puts change the cached copy, others drop it.
 */
#ifndef FL_COMM_READ_CACHE_H
#define FL_COMM_READ_CACHE_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct fl_read_cache;

/* The calling thread's; null: its reads are not cached. */
extern _Thread_local struct fl_read_cache *fl_read_cache;

/*
 * Where compiled code finds lines itself (furlong/upcr.h has the same struct): those that the calling
 * thread has read one by one of late. `epoch` counts its synchronisations: what was fetched in an
 * earlier one is not used.
 */
enum { FL_READ_LINE = 256, FL_READ_COPIES = 256 };
struct fl_read_copy {
    uint64_t address, epoch;
    unsigned char *bytes;
};
struct fl_read_copies {
    uint64_t epoch;
    uint64_t last;  /* address of the last read */
    uint64_t left; /* reads by compiled code, until one comes here again and looks how old the line is;
                    * one of the address read last counts as many */
    struct fl_read_copy of[FL_READ_COPIES];
};
extern _Thread_local struct fl_read_copies fl_read_copies;

/* From now on the calling thread's relaxed reads are cached, for at most so long. Without memory
 * for it they are not. */
void fl_read_cache_start(uint64_t max_age_ns);

/* From now on each of the calling thread's reads comes here: compiled code finds no line. */
void fl_read_cache_show_all(void);

/* The calling thread has synchronised, or is about to and reads nothing in between. */
static inline void fl_read_cache_drop(void) {
    fl_read_copies.epoch++;
}

/* The most bytes of a cached read; longer ones are gets. */
enum { FL_READ_CACHED = 1024 };

/* Relaxed reads, of at most FL_READ_CACHED bytes each, of other hosts' memory: what is not in the
 * cache is fetched together. Blocks. */
struct fl_comm_piece;
void fl_read_cache_get(const struct fl_comm_piece *reads, unsigned n);

/* A relaxed read of more bytes, at most FL_READ_RUN, that goes on where one of the last ones ended, or
 * ends where one began, give or take a few lines: blocks of an array, one after the other. A line's neighbours are fetched ahead then
 * as for short reads. False if it does not go on; nothing is read then. Blocks. */
enum { FL_READ_RUN = 16384 };
bool fl_read_cache_get_run(void *to, uint64_t from, size_t bytes);

/* Relaxed reads of n places of `bytes` each, at most FL_READ_GATHERED, wherever they are: element i is
 * of at[i]. What is not cached is fetched at once, if it is few lines or lies close together. False if
 * not: then nothing is known of the elements. Blocks. */
enum { FL_READ_GATHERED = 4096 };
bool fl_read_cache_gather(void *to, const uint64_t *at, unsigned n, size_t bytes);

/* The calling thread writes there: `bytes` at `from`, or if that is null, it is not known what. */
void fl_read_cache_note_write(uint64_t to, const void *from, size_t bytes);

static inline struct fl_read_copy *fl_read_copy_of(uint64_t line) {
    uint64_t number = line / FL_READ_LINE;
    return &fl_read_copies.of[(number ^ number / FL_READ_COPIES) % FL_READ_COPIES];
}

/* Where compiled code finds the bytes at the address, which are of one line; null: nowhere. */
static inline unsigned char *fl_read_copied(uint64_t at, size_t bytes) {
    uint64_t within = at % FL_READ_LINE, line = at - within;
    const struct fl_read_copy *copy = fl_read_copy_of(line);
    return copy->address == line && copy->epoch == fl_read_copies.epoch &&
                   within + bytes <= FL_READ_LINE
               ? copy->bytes + within
               : NULL;
}

static inline void fl_read_cache_write(uint64_t to, const void *from, size_t bytes) {
    unsigned char *copied = from ? fl_read_copied(to, bytes) : NULL;
    if (copied) {
        fl_read_copies.last = 0;
        memcpy(copied, from, bytes);
    } else if (fl_read_cache) {
        fl_read_cache_note_write(to, from, bytes);
    }
}

/* The calling thread changes what is there: a <what>= operand, of a type (comm.h). */
void fl_read_cache_note_update(uint64_t to, unsigned what, unsigned type, uint64_t operand);

static inline void fl_read_cache_update(uint64_t to, unsigned what, unsigned type,
                                        uint64_t operand) {
    if (fl_read_cache) {
        fl_read_cache_note_update(to, what, type, operand);
    }
}

#endif
