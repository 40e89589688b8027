/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files of this room share. The functions that stand before those of the C library have no
 * symbol versions: under a version of another library the dynamic linker would pass them over.
 */
#ifndef FL_SPREAD_INSIDE_H
#define FL_SPREAD_INSIDE_H

#include "comm/attach.h"
#include "core/fatal.h"
#include "dsm/dsm.h"
#include "omp/far.h"
#include "spread/objects.h"
#include "spread/slice.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#define FL_EXPORT __attribute__((visibility("default")))

/* The C library's function behind the one that is called so here. Resolved once. */
#define FL_NEXT(function)                                                                          \
    ({                                                                                             \
        static _Atomic(__typeof__(&function)) next_;                                               \
        /* Relaxed: all find the same. */                                                          \
        __typeof__(&function) next = atomic_load_explicit(&next_, memory_order_relaxed);           \
        if (FL_UNLIKELY(!next)) {                                                                  \
            next = (__typeof__(&function))fl_spread_next(#function);                               \
            atomic_store_explicit(&next_, next, memory_order_relaxed);                             \
        }                                                                                          \
        next;                                                                                      \
    })
void *fl_spread_next(const char *name);

enum fl_spread_phase {
    FL_SPREAD_ALONE,        /* one host, or before the program's constructors */
    FL_SPREAD_CONSTRUCTORS, /* memory of the program is where it will be, but each host's own */
    FL_SPREAD_TOGETHER,     /* it is coherent */
};

enum {
    FL_SPREAD_EARLY = 64 << 20, /* most of the heap that constructors have */
    /* Of a host. Regions inside regions have threads of their own, and so may the program; stacks that
     * nobody uses are but addresses. */
    FL_SPREAD_STACKS = FL_OMP_FAR_THREADS,
};
#define FL_SPREAD_HEAP (1ull << 44)
#define FL_SPREAD_STREAMS (FL_SPREAD_HEAP - (1ull << 40))
#define FL_SPREAD_STACK_BASE (FL_SPREAD_HEAP + (1ull << 43))

/* Messages between the hosts (FL_COMM_SPREAD): words[0]. */
enum fl_spread_message {
    FL_SPREAD_SAME,   /* ask, of host 0; marks of objects: the first that differs */
    FL_SPREAD_TAKE,   /* ask: key, total, chunk, parts: first, n */
    FL_SPREAD_POST,   /* key, value */
    FL_SPREAD_AWAIT,  /* ask: key, least: value, when it is so much */
    FL_SPREAD_COUNT,  /* ask: key, 0, what is added: what it was */
    FL_SPREAD_NAME,   /* ask, of host 0: a lock's name: its number */
    FL_SPREAD_FREE,   /* blocks of the asked host, freed in the meeting's time words[1] */
    FL_SPREAD_SIZE,   /* ask: a block of the asked host: its bytes, and those asked for */
    FL_SPREAD_LEAVE,  /* a thread of the told host, which is not joined there */
    FL_SPREAD_TOLD,   /* of the OpenMP runtime */
    FL_SPREAD_FORTRAN, /* a setting, its number, and a pointer; how options are */
    FL_SPREAD_UNIT,    /* ask: a unit of Fortran, and whose it is, or -1 */
    FL_SPREAD_PROXY,   /* ask: an operation, three words of its own, bytes: its result, and errno */
    FL_SPREAD_MESSAGES
};

struct fl_spread {
    _Atomic int phase; /* enum fl_spread_phase; changed by one thread while there are no others */
    struct fl_job job;
    struct fl_params params;
    struct fl_layout layout;
    struct fl_space space;
    struct fl_comm_attach attach;
    struct fl_wait_policy wait;
    int pid;

    int hidden_output; /* a descriptor of stdout, while constructors run; or -1 */
    int (*main)(int, char **, char **);
    int argc;
    char **argv;

    uint64_t slice_bytes, stack_bytes;
    unsigned stacks; /* of each host */
    struct fl_slice slice;
    struct fl_map_range ranges[FL_MAP_RANGES]; /* what is coherent */
    unsigned n_ranges;

    _Atomic uint64_t meeting; /* forks, joins and barriers so far, the same on all hosts */
    _Atomic uint64_t region;  /* forks */
    _Atomic bool in_region;
    _Atomic bool over;   /* some thread ends the program */
    _Atomic bool parted; /* and nobody waits for other hosts any more */
};
extern struct fl_spread fl_spread;

static inline enum fl_spread_phase fl_spread_phase(void) {
    /* Relaxed: it changes while there is one thread. */
    return (enum fl_spread_phase)atomic_load_explicit(&fl_spread.phase, memory_order_relaxed);
}

static inline bool fl_spread_together(void) {
    return fl_spread_phase() == FL_SPREAD_TOGETHER;
}

/* Whether others see what is at the address. */
static inline bool fl_spread_is_coherent(const void *address) {
    for (unsigned i = 0; fl_spread_together() && i < fl_spread.n_ranges; i++) {
        if ((uintptr_t)address - fl_spread.ranges[i].address < fl_spread.ranges[i].bytes) {
            return true;
        }
    }
    return false;
}

static inline unsigned fl_spread_me(void) {
    return fl_spread.job.host;
}

static inline unsigned fl_spread_hosts(void) {
    return fl_spread.job.hosts;
}

/* ---- heap.c ---- */

/* Where the heap is, which is private until all hosts are together. Fatal on failure. */
void fl_heap_prepare(void);
void fl_heap_go_on(void);
/* What system libraries allocate in the calling thread is this host's own. */
extern _Thread_local bool fl_heap_own;
/* Memory of the program, whoever calls. Null: there is none left. */
void *fl_heap_program(size_t bytes, size_t align);
/* Whether blocks are everybody's that code at `pc` allocates. */
bool fl_heap_is_program(const void *pc);
/* Before the host meets others, and when it has. */
void fl_heap_tell_freed(void);
void fl_heap_take_freed(void);
void fl_heap_serve_free(const struct fl_comm_call *call);
void fl_heap_serve_size(const struct fl_comm_call *call);

/* ---- stacks.c ---- */

/* Starts a thread of the program. 0 or an errno value. */
int fl_stacks_run(void *(*body)(void *), void *argument);
/* pthread_create for code at `caller`: the program's and its libraries' threads have coherent stacks. */
int fl_stacks_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
                     void *argument, const void *caller);
/* Until those have ended that the program has started on this host in the region. */
void fl_stacks_await_threads(void);
/* The program is over: threads that end no longer say so, and those that do just now have. */
void fl_stacks_close(void);
void fl_stacks_serve_leave(const struct fl_comm_call *call);

/* ---- meet.c: regions and their constructs ---- */

void fl_meet_start(void);
fl_comm_handler fl_meet_serve;
/* The others: performs parts of regions until host 0 ends. */
void fl_meet_work(void);
/* Host 0: lets the others end. */
void fl_meet_end(void);
/* Before a thread waits for what others do, as they may wait for what it has put off to say; and
 * before it lets others see what it has done, for what it has done to their files. */
void fl_meet_settle(void);
/* Counts that have addresses for names, begin as 0, and stay. Adds, and returns what it was; waits
 * for `what` until it is so much, or the time is over (false). */
uint64_t fl_meet_count(const void *name, uint64_t add);
struct fl_until;
bool fl_meet_await_count(const void *name, uint64_t least, const char *what,
                         const struct fl_until *until);

/* ---- locks.c ---- */

/* The coherent lock that a name stands for; the same on all hosts. */
unsigned fl_spread_lock_of(const void *name);
void fl_locks_serve(const struct fl_comm_call *call);
bool fl_spread_try_lock(const void *name);

/* Locks of coherent memory that have no names. */
enum {
    FL_SPREAD_LOCK_NAMES,                              /* not for names themselves */
    FL_SPREAD_LOCK_WORDS,                              /* post and await */
    FL_SPREAD_LOCK_FIRST = FL_SPREAD_LOCK_WORDS + 64,  /* the first that gets a name */
};

/* ---- atomics.c ---- */

/* `flush` without a list, for any thread while hosts are together (OpenMP 5.1 §2.19.8). Waits for hosts
 * that flush at the same time; longer if the thread does nothing else. */
void fl_spread_flush(void);
enum fl_omp_far_atomic fl_spread_atomic(struct fl_atomic_op *op);

/* ---- looks.c: threads that wait in a loop for memory to change ---- */

/* Whether the program has any. */
bool fl_looks_may_be(void);
/* The calling thread has flushed. Asks other hosts if none of this host has for a while. */
void fl_looks_flush(void);
/* The calling thread sleeps, perhaps in such a loop, if the program does at `pc`. */
void fl_looks_sleep(const void *pc);

/* ---- end.c ---- */

void fl_end_prepare(void);
/* This host's thread has nothing more to do; does not return. */
FL_COLD _Noreturn void fl_end_worker(void);

/* ---- environment.c ---- */

/* Strings and their array as memory of the program; null: there is none left. */
char **fl_environment_copy(char **from, size_t n);
void fl_environment_start(void);
void fl_environment_use(char **strings);

/* ---- mutexes.c ---- */

/* How long to wait: until a time by a clock; without a time, not at all. A null pointer: for ever. */
struct fl_until {
    clockid_t clock;
    const struct timespec *time;
};
extern const struct fl_until fl_at_once;
bool fl_mutexes_is_over(const struct fl_until *until);

/* The coherent lock that an address stands for. 0, EBUSY, ETIMEDOUT. */
int fl_mutexes_take(const void *name, const struct fl_until *until);
void fl_mutexes_give(const void *name);
/* Takes it and gives it: what others have done before they did so is seen. */
void fl_mutexes_pass(const void *name);
/* Not 0; no other thread of the job has it. */
int fl_mutexes_own_id(void);

/* ---- fortran.c ---- */

/* Before a part of a region: what host 0's main has told its library since the last one. */
void fl_fortran_set(void);
void fl_fortran_serve(const struct fl_comm_call *call);

/* ---- proxy.c: what is done with this host's files for other hosts ---- */

/* Operations, and what performs them, in a thread of the host that is asked. */
#define FL_PROXY_LIST                                                                              \
    FL_PROXY(STREAM_BEGIN, fl_streams_serve_begin)                                                 \
    FL_PROXY(STREAM_END, fl_streams_serve_end)                                                     \
    FL_PROXY(STREAM_READ, fl_streams_serve_read)                                                   \
    FL_PROXY(STREAM_UNREAD, fl_streams_serve_unread)                                               \
    FL_PROXY(STREAM_WRITE, fl_streams_serve_write)                                                 \
    FL_PROXY(STREAM_SEEK, fl_streams_serve_seek)                                                   \
    FL_PROXY(STREAM_STATE, fl_streams_serve_state)                                                 \
    FL_PROXY(STREAM_FLUSH, fl_streams_serve_flush)                                                 \
    FL_PROXY(STREAM_CLOSE, fl_streams_serve_close)                                                 \
    FL_PROXY(READ, fl_descriptors_serve_read)                                                      \
    FL_PROXY(WRITE, fl_descriptors_serve_write)                                                    \
    FL_PROXY(DESCRIPTOR, fl_descriptors_serve)                                                     \
    FL_PROXY(UNIT_BEGIN, fl_units_serve_begin)                                                     \
    FL_PROXY(UNIT_ITEMS, fl_units_serve_items)                                                     \
    FL_PROXY(UNIT_DONE, fl_units_serve_done)                                                       \
    FL_PROXY(UNIT_POSITION, fl_units_serve_position)                                               \
    FL_PROXY(PROCESS_STATE, fl_process_state_serve)                                                \
    FL_PROXY(OUTPUT, fl_output_serve)

enum fl_proxy_number {
#define FL_PROXY(name, function) FL_PROXY_##name,
    FL_PROXY_LIST
#undef FL_PROXY
    FL_PROXY_OPERATIONS
};

struct fl_proxy_request {
    struct fl_proxy_request *next;
    struct fl_comm_asker asker;
    uint64_t words[4]; /* the operation first */
    size_t bytes;
    unsigned char payload[];
};
/* Does it, and answers, once. */
typedef void fl_proxy_operation(const struct fl_proxy_request *request);
#define FL_PROXY(name, function) fl_proxy_operation function;
FL_PROXY_LIST
#undef FL_PROXY

void fl_proxy_start(void);
void fl_proxy_serve(const struct fl_comm_call *call);
/* If the result is negative, errno goes along. */
void fl_proxy_answer(const struct fl_proxy_request *request, int64_t result, const void *payload,
                     size_t bytes);
/* Blocks until it is done. What comes back is at most `room` bytes, at `to`, in private memory. */
int64_t fl_proxy_ask(unsigned host, enum fl_proxy_number operation, const uint64_t words[3],
                     const void *payload, size_t bytes, void *to, size_t room);
/* Most bytes of a request. */
size_t fl_proxy_most(void);

/* ---- streams.c: objects of <stdio.h> that the program has opened ---- */

/* Where they are, before the program's constructors. */
void fl_streams_prepare(void);
/* Host 0: the others hear of what its constructors have opened. */
void fl_streams_start(void);
/* Around a function of the C library that opens a stream, in the place of the program's call at
 * `pc`: what the first returns, and the function's result, are for the second, which returns it. */
void *fl_streams_begin(const void *pc);
FILE *fl_streams_opened(void *place, FILE *stream);
/* The memory that the C library, if it calls from `pc`, is to have for it; null: any. */
void *fl_streams_take(size_t bytes, const void *pc);
/* False: it is no stream's memory. */
bool fl_streams_give(void *block);
/* What this host's threads have written to other hosts' streams goes there. */
void fl_streams_settle(void);
/* Whether it is another host's. */
bool fl_streams_is_far(const FILE *stream);
/* Of the stream that a request is about; -1: there is none. */
int fl_streams_descriptor(const struct fl_proxy_request *request);

/* ---- descriptors.c: files by their numbers ---- */

/* From now on numbers of this host's files are not those of another's. */
void fl_descriptors_prepare(void);
/* The program has got it (-1: it has not); if so, who calls from `pc`. The second returns it. */
void fl_descriptors_note(int fd);
int fl_descriptors_opened(int fd, const void *pc);
void fl_descriptors_closed(int fd);
/* Whether it is another host's, if the program calls, perhaps from `pc`. */
bool fl_descriptors_is_far(int fd, const void *pc);
/* Whether who reads or writes it may wait for another. */
bool fl_descriptors_may_wait(int fd);
/* As pread and pwrite do; offset -1: as read and write do. */
ssize_t fl_descriptors_read(int fd, void *to, size_t bytes, int64_t offset);
ssize_t fl_descriptors_write(int fd, const void *from, size_t bytes, int64_t offset);

/* ---- units.c: Fortran's files ---- */

void fl_units_serve_open(const struct fl_comm_call *call);
/* Whether libgfortran may have kept something of what this host's threads have printed; and passes it
 * to descriptor 1, unless a statement that prints goes on for long. */
bool fl_units_have_printed(void);
void fl_units_flush_printed(void);

/* ---- output.c: what is printed ---- */

/* Other hosts than 0: descriptor 1 becomes a pipe; and a thread begins to read it. */
void fl_output_prepare(void);
void fl_output_start(void);
/* Something has been written to the descriptor, past its stream; or it has been duplicated. */
void fl_output_note(int fd);
void fl_output_note_copy(int fd);
/* Returns when all that this host's threads have printed is at host 0. */
void fl_output_settle(void);
/* The same for a program that ends where others may have; of one that fails, it goes to the launcher. */
void fl_output_end(void);
void fl_output_rescue_sigsafe(void);

/* ---- start.c ---- */

/* Whether this is host 0, or the only one; before anything else of this room has begun. */
bool fl_start_speaks(void);
/* The calling thread's number, for messages. */
unsigned fl_start_me(void);
void fl_start_serve_same(const struct fl_comm_call *call);

#endif
