/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checker (upcc -check): what its files share. It finds data races, accesses outside objects,
 * and misuse of locks and transfers, in programs whose threads are processes or pthreads of one
 * host.
 *
 * Emitted code calls the runtime before loops, for what they are going to access (sweep.c), and for
 * accesses to shared memory, as under -inst, unless the thread has accessed that line of memory
 * from the same place before (lines.h); the linker leads these calls, and those of the library, to
 * calls.c (--wrap). Programs that are linked without -check have nothing of this room, and the
 * other rooms know nothing of it.
 *
 * What the threads of the job know together stands behind the segments in the host's memory file:
 * the shadow of shared memory (shadow.c), clocks (clock.c), objects (objects.c), places in the
 * source (sites.c), and what has been reported. It is sparse, and zeros at first.
 *
 * Races are found by vector clocks and epochs, as in C. Flanagan and S. N. Freund, "FastTrack:
 * efficient and precise dynamic race detection" (PLDI 2009). The shadow is that of K. Serebryany
 * and T. Iskhodzhanov, "ThreadSanitizer: data race detection in practice" (WBIA 2009): a few of the
 * last accesses to each eight bytes. A report is therefore always about two accesses that nothing
 * orders; but of many readers of one word some are forgotten.
 */
#ifndef FL_CHECK_CHECK_H
#define FL_CHECK_CHECK_H

#include "core/mutex.h"
#include "space/heap.h"
#include "upc/process.h"

enum {
    CHECK_MAX_THREADS = 1024,
    CHECK_MAX_SITES = 1 << 16,
    CHECK_TEXT_BYTES = 16 << 20,
    CHECK_MAX_OBJECTS = 1 << 22,
    CHECK_SYNC_OBJECTS = 1 << 14,
    CHECK_PAIRS = 1 << 16,
    CHECK_LOCKS = 1 << 14, /* of more it is unknown whether they are freed */
    CHECK_PHASES = 2, /* of barriers: all threads have left one before any comes to the next but one */
};

/* A place in the source: of an access, or of a call of the function `what`. Site 0 is not known. */
struct check_site {
    uint32_t line;
    uint32_t file, what; /* where in the texts; 0: none */
    uint32_t next;       /* in the list of its hash */
};

struct check_made_lock {
    uint64_t lock; /* 0: none, and none behind it; 1: none any more */
    uint32_t site;
};

/* The lock `second` was taken while `first` was held; 0: free. */
struct check_order {
    uint64_t first, second;
    uint32_t at_first, at_second;
};

/* Where the parts of the checker's memory are. */
struct check_memory {
    struct check_shared *shared;
    struct check_granule *granules; /* of this host's segments */
    char *chunks;                   /* shadow, chunk by chunk; number 0 is none */
    struct check_object *objects;   /* number 0 is none; static ones come first */
    struct check_site *sites;
    char *texts;
    struct check_batch *batches; /* [threads] */
    _Atomic uint32_t *sync;    /* [CHECK_SYNC_OBJECTS][threads] */
    _Atomic uint32_t *barrier; /* [CHECK_PHASES][threads] */
    _Atomic uint64_t *pairs;   /* [CHECK_PAIRS]: reported pairs of lines; 0: free */
    struct check_order *orders;     /* [CHECK_PAIRS]: locks taken one within the other */
    struct check_made_lock *locks;  /* [CHECK_LOCKS]: made and not yet freed */
};

struct check_shared {
    struct fl_mutex mutex; /* of sites, objects, orders and locks */
    uint32_t site_lists[4096];
    uint32_t n_sites, text_bytes, n_orders;
    uint32_t n_objects; /* the number given last */
    _Atomic uint32_t n_chunks;
    _Atomic uint32_t findings, ended;
};

/* What is called from one line in a row is looked up once. */
struct check_known_site {
    const char *file, *what;
    int line;
    uint32_t site;
};
enum { CHECK_KNOWN_SITES = 512 };

struct check_held {
    uint64_t lock;
    uint32_t site;
};
struct check_transfer {
    void *handle; /* null: without handle */
    uint64_t write, read; /* shared memory; 0: the private buffer, if there is one */
    const void *buffer;
    uint64_t sum; /* of what the buffer holds while the transfer is under way */
    size_t bytes;
    uint32_t site;
};
/* How much there is behind the private buffer of the transfer that is called next. */
struct check_room {
    const void *buffer;
    size_t bytes;
};
enum { CHECK_HELD = 64 };

/* One UPC thread. */
struct check_thread {
    bool on;     /* in its main */
    bool inside; /* what is called now is part of what has been checked */
    bool has_released; /* the clock ticks before the next access */
    uint64_t atomic_of_c; /* acquired before the next access; 0: nothing */
    unsigned me, threads;
    uint32_t *clocks; /* the thread's vector clock */
    uint32_t *signalled, *awaited; /* [threads]: signals of upcx_signal so far */
    uint64_t word; /* its number and clock, as in a word of the shadow */
    uint32_t phase;
    uint32_t n_evicted; /* chooses */
    unsigned n_held;
    struct check_held held[CHECK_HELD];
    struct check_room room;
    bool is_closing; /* what is recorded is the end of transfers */
    struct check_transfer *transfers; /* under way */
    unsigned n_transfers, transfers_room;
    unsigned region; /* how many there were when the access region began */
    struct check_known_site known[CHECK_KNOWN_SITES];
};

extern struct check_memory check_memory;
extern _Thread_local struct check_thread check_self;

/* Maps the checker's memory; once for each process. */
void check_start(void);

/* What an access is, as bits of a shadow word (shadow.h). */
enum check_access {
    CHECK_READ = 0,
    CHECK_WRITE = 1,
    CHECK_STRICT = 2,
    CHECK_ATOMIC = 4,
    CHECK_COLLECTIVE = CHECK_STRICT | CHECK_ATOMIC, /* by any thread of the operation */
};

#endif
