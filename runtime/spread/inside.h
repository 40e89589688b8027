/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files of this room share. Functions that interpose on those of the C library have no
 * symbol versions: under a version of another library the dynamic linker would pass them over.
 */
#ifndef FL_SPREAD_INSIDE_H
#define FL_SPREAD_INSIDE_H

#include "comm/attach.h"
#include "core/fatal.h"
#include "core/message.h"
#include "dsm/dsm.h"
#include "omp/far.h"
#include "spread/objects.h"
#include "spread/slice.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#define FL_EXPORT __attribute__((visibility("default")))

/* The C library's function of a name on which this room interposes. Resolved once. */
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

/* Exports the C library's function of that name for one of its objects, with `here` in its place where
 * the object is in coherent memory: threads of several hosts may use it then. */
#define FL_SHARED(name, object, here, parameters, arguments)                                       \
    FL_EXPORT int name parameters {                                                                \
        return fl_spread_is_coherent(object) ? (here) : FL_NEXT(name) arguments;                   \
    }
/* The same for two functions that wait `until` a time: by the real-time clock, and by any. */
#define FL_SHARED_UNTIL(timed, clocked, object, here, parameters, arguments)                       \
    FL_SHARED(timed, object, FL_UNTIL(CLOCK_REALTIME, here),                                       \
              (FL_LIST parameters, const struct timespec *time), (FL_LIST arguments, time))        \
    FL_SHARED(clocked, object, FL_UNTIL(clock, here),                                              \
              (FL_LIST parameters, clockid_t clock, const struct timespec *time),                  \
              (FL_LIST arguments, clock, time))
#define FL_UNTIL(clock, here)                                                                      \
    ({                                                                                             \
        const struct fl_until *until = &(struct fl_until){clock, time};                            \
        here;                                                                                      \
    })
#define FL_LIST(...) __VA_ARGS__

enum fl_spread_phase {
    FL_SPREAD_ALONE,        /* one host, or before the program's constructors */
    FL_SPREAD_CONSTRUCTORS, /* memory of the program is where it will be, but each host's own */
    FL_SPREAD_TOGETHER,     /* it is coherent */
};

enum {
    FL_SPREAD_EARLY = 64 << 20, /* bytes of heap for constructors, at most */
    /* Stacks of a host. Nested regions have threads of their own, and so may the program; an unused
     * stack costs addresses only. */
    FL_SPREAD_STACKS = FL_OMP_FAR_THREADS,
};
#define FL_SPREAD_HEAP (1ull << 44)
#define FL_SPREAD_STREAMS (FL_SPREAD_HEAP - (1ull << 40))
#define FL_SPREAD_STACK_BASE (FL_SPREAD_HEAP + (1ull << 43))

enum fl_spread_kind {
#define FL_MESSAGE(name, ...) fl_spread_kind_##name,
#include "spread/messages.def"
#undef FL_MESSAGE
};
#define FL_MESSAGE(name, how, where, least, most, ...)                                             \
    FL_MESSAGE_PARTS(fl_spread, struct fl_comm_call, name, kind, __VA_ARGS__)
#include "spread/messages.def"
#undef FL_MESSAGE

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
    struct fl_map_range ranges[FL_MAP_RANGES]; /* coherent memory */
    unsigned n_ranges;

    _Atomic uint64_t meeting; /* forks, joins and barriers so far, the same on all hosts */
    _Atomic uint64_t region;  /* forks */
    _Atomic bool in_region;
    _Atomic bool over;   /* some thread ends the program */
    _Atomic bool parted; /* and no thread waits for other hosts any more */
};
extern struct fl_spread fl_spread;

static inline enum fl_spread_phase fl_spread_phase(void) {
    /* Relaxed: it changes while there is one thread. */
    return (enum fl_spread_phase)atomic_load_explicit(&fl_spread.phase, memory_order_relaxed);
}

static inline bool fl_spread_together(void) {
    return fl_spread_phase() == FL_SPREAD_TOGETHER;
}

/* Whether the address is in coherent memory. */
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

/* Maps the heap, which is private until all hosts are together. Fatal on failure. */
void fl_heap_prepare(void);
void fl_heap_go_on(void);
/* While set, system libraries in the calling thread allocate this host's private memory. */
extern _Thread_local bool fl_heap_own;
/* While set, the C library in the calling thread allocates the program's. */
extern _Thread_local bool fl_heap_lent;
/* Allocates the program's memory, whoever calls. Null: there is none left. */
void *fl_heap_program(size_t bytes, size_t align);
/* Whether blocks that code at `pc` allocates are the program's. */
bool fl_heap_is_program(const void *pc);
/* Whether an address is in the program's heap. */
bool fl_heap_has(const void *block);
void fl_heap_give(void *block);
/* The program's memory in whole pages, of zeros; null: there is none left. The second: whether a block
 * has as many pages as so many bytes need. */
void *fl_heap_take_pages(size_t bytes);
bool fl_heap_is_pages(void *block, size_t bytes);
/* SIZE_MAX, which cannot be allocated, where rounding up would overflow. */
size_t fl_heap_whole_pages(size_t bytes);
/* Before a meeting: sends away other hosts' blocks, freed here. After it: frees those received. */
void fl_heap_tell_freed(void);
void fl_heap_take_freed(void);

/* ---- mapped.c ---- */

/* At the end of the program: what threads have written to files that this host has mapped. */
void fl_mapped_write(void);

/* ---- stacks.c ---- */

/* Starts a thread of the program. 0 or an errno value. */
int fl_stacks_run(void *(*body)(void *), void *argument);
/* pthread_create for code at `caller`: threads of the program and its libraries get coherent
 * stacks. */
int fl_stacks_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
                     void *argument, const void *caller);
/* For fl_process_report; null: the address is in no stack's guard. */
const char *fl_stacks_name_sigsafe(uintptr_t address);
/* Waits for the threads that the program has started on this host in the region. */
void fl_stacks_await_threads(void);
/* At the end of the program: threads that end from now on do not tell other hosts. Waits for those
 * that are telling them. */
void fl_stacks_close(void);

/* ---- meet.c: regions and their constructs ---- */

void fl_meet_start(void);
fl_comm_handler fl_meet_serve;
/* Hosts other than 0: performs parts of regions until host 0 ends. */
void fl_meet_work(void);
/* Host 0: lets the others end. */
void fl_meet_end(void);
/* Sends what the calling thread has put off: a post, output, and changes of other hosts' files.
 * Before the thread waits for others, which may wait for the post, and before it releases. */
void fl_meet_settle(void);
/* Counters of the job, keyed by address, initially 0; they stay. fl_meet_count adds, and returns
 * the old value; fl_meet_await_count waits, for `what`, until the counter is no less (true), or the
 * time is over. */
uint64_t fl_meet_count(const void *name, uint64_t add);
struct fl_until;
bool fl_meet_await_count(const void *name, uint64_t least, const char *what,
                         const struct fl_until *until);

/* ---- locks.c ---- */

/* The coherent lock that a name stands for; the same on all hosts. */
unsigned fl_spread_lock_of(const void *name);

/* Locks of coherent memory that have no names. */
enum {
    FL_SPREAD_LOCK_NAMES,                              /* not for names themselves */
    FL_SPREAD_LOCK_WORDS,                              /* post and await */
    FL_SPREAD_LOCK_FIRST = FL_SPREAD_LOCK_WORDS + 64,  /* the first that gets a name */
};

/* ---- looks.c: threads that wait in a loop for memory to change ---- */

/* Whether the program may have such loops. */
bool fl_looks_may_be(void);
/* The calling thread has flushed: fl_dsm_look, unless a thread of this host just has. */
void fl_looks_flush(void);
/* The calling thread sleeps, perhaps in such a loop, if the program does at `pc`. */
void fl_looks_sleep(const void *pc);

/* ---- end.c ---- */

void fl_end_prepare(void);
/* Ends a host other than 0, which has no more parts to perform. */
FL_COLD _Noreturn void fl_end_worker(void);

/* ---- environment.c ---- */

/* Strings and their array as memory of the program; null: there is none left. */
char **fl_environment_copy(char **from, size_t n);
void fl_environment_start(void);
void fl_environment_use(char **strings);

/* ---- mutexes.c ---- */

/* How long to wait: until a time by a clock; without a time, not at all; null: no limit. */
struct fl_until {
    clockid_t clock;
    const struct timespec *time;
};
extern const struct fl_until fl_at_once;
bool fl_mutexes_is_over(const struct fl_until *until);

/* The coherent lock that an address stands for. 0, EBUSY, ETIMEDOUT. */
int fl_mutexes_take(const void *name, const struct fl_until *until);
void fl_mutexes_give(const void *name);
/* Acquires and releases the lock: the calling thread sees what former holders have written. */
void fl_mutexes_pass(const void *name);
/* The calling thread's number, unique in the job, not 0. */
int fl_mutexes_own_id(void);

/* ---- process_state.c ---- */

/* Before a part of a region: takes over what is each thread's. */
void fl_process_state_take(void);

/* ---- proxy.c: operations on this host's files for other hosts ---- */

/* Operations, and the functions that perform them, in a thread of the host that is asked. */
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
    uint64_t operation, words[3];
    size_t bytes;
    unsigned char payload[];
};
/* Performs the request, and answers it once. */
typedef void fl_proxy_operation(const struct fl_proxy_request *request);
#define FL_PROXY(name, function) fl_proxy_operation function;
FL_PROXY_LIST
#undef FL_PROXY

void fl_proxy_start(void);
/* If the result is negative, errno goes with it. */
void fl_proxy_answer(const struct fl_proxy_request *request, int64_t result, const void *payload,
                     size_t bytes);
/* Blocks until the host has answered: at most `room` bytes, to `to`, in private memory. */
int64_t fl_proxy_ask(unsigned host, enum fl_proxy_number operation, const uint64_t words[3],
                     const void *payload, size_t bytes, void *to, size_t room);
/* Most bytes of a request, at most FL_PROXY_PIECE. */
enum { FL_PROXY_PIECE = 32 << 10 };
size_t fl_proxy_most(void);
/* Requests that this host has sent so far. */
uint64_t fl_proxy_sent(void);

/* ---- state.c ---- */

void fl_state_start(void); /* by the thread that will execute main, or regions */
/* The calling thread leaves a state with this host. */
void fl_state_note(void);
/* Before a join: tells host 0 of that. */
void fl_state_tell(void);
/* Whether the function of that name notes it. */
bool fl_state_has(const char *name);

/* ---- streams.c: objects of <stdio.h> that the program has opened ---- */

/* Maps their places, before the program's constructors run. */
void fl_streams_prepare(void);
/* Host 0: tells the others of streams that its constructors have opened. */
void fl_streams_start(void);
/* Around the C library's function that opens a stream for the program's call at `pc`: the second
 * gets the result of the first, and the stream, which it returns. One that is no file is of this host. */
void *fl_streams_begin(const void *pc, bool of_file);
FILE *fl_streams_opened(void *place, FILE *stream);
/* For fl_process_report; null: the address is in no stream of another host. */
const char *fl_streams_name_sigsafe(uintptr_t address);
/* The place for that stream, if the C library allocates it from `pc`; null: it may be anywhere. */
void *fl_streams_take(size_t bytes, const void *pc);
/* Frees a stream's place. False: the block is none. */
bool fl_streams_give(void *block);
/* Sends what this host's threads have written to other hosts' streams. */
void fl_streams_settle(void);
/* Whether another host has opened the stream. */
bool fl_streams_is_far(const FILE *stream);
/* The descriptor of the stream that a request is about; -1: there is none. */
int fl_streams_descriptor(const struct fl_proxy_request *request);

/* ---- descriptors.c: files by their numbers ---- */

/* From now on this host's files have other numbers than those of other hosts. */
void fl_descriptors_prepare(void);
/* The program has opened `fd` (-1: failed). The second: if it called from `pc`; returns `fd`. */
void fl_descriptors_note(int fd);
int fl_descriptors_opened(int fd, const void *pc);
void fl_descriptors_closed(int fd);
/* Whether `fd` is another host's file, if the program calls, perhaps from `pc`. */
bool fl_descriptors_is_far(int fd, const void *pc);
/* Whether a read or write of it may block until another process acts. */
bool fl_descriptors_may_wait(int fd);
/* As pread and pwrite do; offset -1: as read and write do. */
ssize_t fl_descriptors_read(int fd, void *to, size_t bytes, int64_t offset);
ssize_t fl_descriptors_write(int fd, const void *from, size_t bytes, int64_t offset);

/* ---- units.c: Fortran's files ---- */

/* Whether libgfortran may still buffer what this host's threads have printed. The second writes
 * that to descriptor 1, unless a statement that prints goes on for long. */
bool fl_units_have_printed(void);
void fl_units_flush_printed(void);

/* ---- output.c: standard output ---- */

/* Hosts other than 0: descriptor 1 becomes a pipe; and a thread begins to read it. */
void fl_output_prepare(void);
void fl_output_start(void);
/* The descriptor has been written to, past its stream; or it has been duplicated. */
void fl_output_note(int fd);
void fl_output_note_copy(int fd);
/* Returns when all that this host's threads have printed is at host 0. */
void fl_output_settle(void);
/* The same at the end of a program, when other hosts may have ended. If it fails, the second prints
 * what is left to the former descriptor 1. */
void fl_output_end(void);
void fl_output_rescue_sigsafe(void);

/* ---- pages.c: what the report has of pages ---- */

/* Whether one is wanted; then the second is for fl_dsm_setup. */
bool fl_pages_start(void);
void fl_pages_note_sigsafe(const struct fl_dsm_event *event);

/* ---- races.c: what omprun -check finds ---- */

/* For fl_dsm_setup. */
void fl_races_note(const struct fl_dsm_race *race);
/* Host 0, at the end: sums up; the program's status, or if it is 0 another one for races. */
int fl_races_end(int status);

/* ---- signals.c ---- */

/* Before main: hosts other than 0 survive signals that omprun passes on. */
void fl_signals_start(void);

/* ---- start.c ---- */

/* The calling thread's number, for messages. */
unsigned fl_start_me(void);

#endif
