/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The operating system, as far as the runtime needs it: memory files and mappings, futexes, CPUs,
 * time, processes. Nothing outside this folder makes a Linux-specific call.
 *
 * Functions that can fail return 0 or a negative errno value and do not change errno; the caller
 * decides whether that is an error and reports it. Any thread may call any of them.
 */
#ifndef FL_PLATFORM_OS_H
#define FL_PLATFORM_OS_H

#include "platform/machine.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- memory (os_memory.c) ---- */

/* Creates a sparse memory file without a name in any file system; its descriptor goes to *fd_p. */
int fl_os_memory_create(const char *name, int *fd_p);

/* Opens the memory file that another process of this user has as its descriptor `fd`. */
int fl_os_memory_open(int pid, int fd, int *fd_p);

/* Sets the file's size to `bytes`. All processes of a job may do so at once. */
int fl_os_memory_grow(int fd, uint64_t bytes);

/* Reserves [address, address + bytes): without access rights, without memory, left out of core
 * dumps. -EEXIST: something is mapped there already. */
int fl_os_memory_reserve(uintptr_t address, uint64_t bytes);

/* Maps part of the file, shared, readable and writable, over a reserved range. */
int fl_os_memory_map_at(uintptr_t address, int fd, uint64_t offset, uint64_t bytes);

/* As above, at an address that the kernel chooses. */
int fl_os_memory_map(int fd, uint64_t offset, uint64_t bytes, void **address_p);

/* Gives the memory of part of the file back; reads there yield zeros afterwards. */
int fl_os_memory_punch(int fd, uint64_t offset, uint64_t bytes);

/* Creates or empties the file, and gives it `bytes` zeros, with space allocated on the disk if the
 * file system can do so; its descriptor goes to *fd_p. */
int fl_os_file_create(const char *path, uint64_t bytes, int *fd_p);

/* Most bytes of memory that the process has had at once; 0: not known. */
uint64_t fl_os_resident_peak_sigsafe(void);

/* Maps zeros private to this process, allocated at first touch; null if there are no addresses
 * left. */
void *fl_os_memory_private(uint64_t bytes);

/* The same at a range of addresses, which nothing else may have yet (-EEXIST). */
int fl_os_memory_private_at(uintptr_t address, uint64_t bytes);

/* Asks for large pages in a range that is populated on first touch. Advice only. */
void fl_os_memory_prefer_huge(void *address, uint64_t bytes);

/* Populates a new range with large pages of zeros now. Advice only. */
void fl_os_memory_collapse(void *address, uint64_t bytes);

/* Bytes that the file occupies. */
uint64_t fl_os_memory_resident(int fd);

/* Bytes that programs on this machine, or in this control group, can still allocate. */
uint64_t fl_os_memory_available(void);

/* Whether all of a range of addresses is mapped at this moment. */
bool fl_os_memory_is_mapped(const void *address, size_t bytes);

/* Soft limit of the address space (ulimit -v), UINT64_MAX if there is none. */
uint64_t fl_os_address_space_limit(void);

/* ---- symbols (os_symbol.c) ---- */

struct fl_os_symbol {
    char name[256];
    uintptr_t begin; /* where what it names is */
    char file[256];  /* whose symbol it is */
    uintptr_t shift; /* of the file's addresses in memory */
};

/* The variable, or if `code` the function, that the address is in, by the program's files. False: they
 * name none; without a name `file` is empty, unless a file is at the address. */
bool fl_os_symbol_at(uintptr_t address, bool code, struct fl_os_symbol *symbol);

/* ---- page faults (os_fault.c) ---- */

/* From now on `resolve` is called for each access that raises SIGSEGV or SIGBUS, with the place of its
 * instruction: in its thread, on the alternate stack if it has one, all signals blocked. An access of
 * unknown kind counts as a write. If `resolve` returns true, the access is made again; if false, the
 * previous handler gets the signal. May be called once. */
int fl_os_fault_catch(bool (*resolve_sigsafe)(uintptr_t address, bool write, uintptr_t pc));
/* After code that has set handlers of its own, which are forgotten. */
void fl_os_fault_catch_again(void);

/* Sets the program's own handler of one of the two signals, for other accesses, to `action`, unless
 * that is null; the handler before goes to *before_p, unless that is null. It runs with neither of
 * the two blocked, since it may make accesses that have to be resolved, and may never return. */
struct sigaction;
void fl_os_fault_program(int number, const struct sigaction *action, struct sigaction *before_p);

struct fl_os_run {
    void *address;
    size_t bytes;
};

int fl_os_memory_protect(void *address, size_t bytes, bool readable, bool writable);

/* A descriptor through which accesses to watched mappings of memory files raise SIGBUS when the
 * page is not mapped; or is protected and gets written, but if `noting` the kernel takes the
 * protection away then. No privilege is needed; -ENOSYS, -EPERM and the like where the kernel is too
 * old or forbids it. */
int fl_os_watch_open(int *fd_p, bool noting);

/* Watches a range. Its pages are not mapped from now on, whether the file has them or not. */
int fl_os_watch(int fd, void *address, size_t bytes);

/* Has a mapping that is watched by one descriptor watched by another from now on; its pages are no
 * longer protected. No thread may access it meanwhile. */
int fl_os_watch_move(int from, int to, void *address, size_t bytes);

/* Maps pages that the file has, writable or protected. Those that are mapped already become writable,
 * or stay what they are. */
int fl_os_watch_map(int fd, void *address, size_t bytes, bool writable);

/* Protects mapped pages, or makes them writable. On return from protecting, no write is in
 * progress. */
int fl_os_watch_protect(int fd, void *address, size_t bytes, bool protected);

/* Unmaps pages of watched mappings; the file keeps them. On return no access is in progress. */
int fl_os_watch_unmap(const struct fl_os_run *runs, unsigned n);

/* Finds mapped pages, watched by a noting descriptor, that are not protected, and protects them: on
 * return no write is in progress. Scans `bytes` from `address` on, as far as *end_p; what it
 * finds goes to `runs`, at most n, and their number is returned. */
int fl_os_watch_written(void *address, size_t bytes, struct fl_os_run *runs, unsigned n,
                        void **end_p);

/* Number of faults of this process's threads that the kernel has resolved; a thread may see the
 * effect of another one's before it is counted. */
uint64_t fl_os_kernel_faults(void);

/* ---- futexes (os_futex.c); all work between processes ---- */

/* Sleeps while *word == expected. May return early: callers loop. */
void fl_os_futex_wait(_Atomic uint32_t *word, uint32_t expected);
/* The same, for a limited time. False: it has passed. */
bool fl_os_futex_wait_timeout(_Atomic uint32_t *word, uint32_t expected, uint64_t timeout_ns);

/* Wakes at most `n` sleepers. */
void fl_os_futex_wake(_Atomic uint32_t *word, int n);

/* ---- barriers of other threads (os_membarrier.c) ---- */

/* Makes fl_os_membarrier available to this process. False: the kernel does not have it. */
bool fl_os_membarrier_start(void);

/* Each thread of this process that runs executes a full memory barrier; others execute one before
 * they run. A system call and interrupts: for the rare side of a lock whose other side is to cost
 * nothing. False: it has not been made available. */
bool fl_os_membarrier(void);

/* ---- bells (os_event.c): descriptors that a thread rings to wake another ---- */

int fl_os_bell_create(int *fd_p);
void fl_os_bell_ring(int fd);

/* Sleeps until the bell has been rung since the last sleep, or `other_fd` (-1: none) is readable,
 * or the time (UINT64_MAX: for ever) has passed; may return early. Whether the bell was rung. */
bool fl_os_bell_sleep(int fd, int other_fd, uint64_t timeout_ns);

/* An alarm is a descriptor that becomes readable `ns`, at least 1, after it was last set. */
int fl_os_alarm_create(int *fd_p);
void fl_os_alarm_set(int fd, uint64_t ns);

/* ---- CPUs and time (os_cpu.c) ---- */

/* CPUs that this process may use. */
unsigned fl_os_cpu_count(void);

/* Those CPUs as a set: bit c % 64 of word c / 64 for CPU c. */
void fl_os_cpu_set(uint64_t *words, unsigned n_words);

/* A hash of the CPUs that this process may use: the same for the same CPUs of the same machine, and
 * (but for one chance in 2^64) for no others. */
uint64_t fl_os_cpu_pool(void);

/* Binds the calling thread to a set of CPUs. */
int fl_os_cpu_bind_set(const uint64_t *words, unsigned n_words);

/* Which CPUs belong together. A group is identified by its first CPU. */
enum fl_os_cpu_group {
    FL_OS_CPU_ALONE,
    FL_OS_CPU_CORE,
    FL_OS_CPU_SOCKET,
    FL_OS_CPU_CACHE, /* the last level */
    FL_OS_CPU_NUMA
};
unsigned fl_os_cpu_first_of(unsigned cpu, enum fl_os_cpu_group group);

/* Lets another runnable thread have the CPU. */
void fl_os_yield(void);

/* Sleeps as shortly as the kernel allows, some 0.1 ms. */
void fl_os_nap(void);

/* Monotonic nanoseconds. */
uint64_t fl_os_now_ns(void);

/* Nanoseconds since 1970, by a clock that may be set. */
uint64_t fl_os_real_ns(void);

/* CPU time of the calling thread. A system call. */
uint64_t fl_os_thread_cpu_ns(void);

/* ---- processes and threads (os_process.c) ---- */

/* Marks a descriptor close-on-exec. */
int fl_os_close_on_exec(int fd);

/* Sends one packet; waits for room, never raises SIGPIPE. Async-signal-safe. */
int fl_os_send_packet_sigsafe(int fd, const char *text, size_t length);

/* Waits for the next packet; *length_p: 0 if the other end is closed. */
int fl_os_receive_packet(int fd, char *text, size_t size, size_t *length_p);

/* Writes everything. Async-signal-safe. */
int fl_os_write_all_sigsafe(int fd, const char *text, size_t length);

/* Soft limit of the main thread's stack, UINT64_MAX if there is none. */
uint64_t fl_os_stack_limit(void);

/* Adds the size of the program's _Thread_local objects to the default stack size of threads, also
 * of those that libraries start: glibc places the objects in the stack, and might leave almost
 * nothing. */
void fl_os_thread_default_stack(void);

/* Starts a thread with (at least) `stack_bytes` of stack; 0 means the default. */
int fl_os_thread_start(void *(*body)(void *), void *argument, uint64_t stack_bytes);

/* Blocks the program's signals in the calling thread: other threads get them from now on. */
void fl_os_thread_block_signals(void);

/* As fl_os_thread_start, for a thread of the runtime's: the program's signals go to other
 * threads. */
int fl_os_thread_start_quiet(void *(*body)(void *), void *argument);

/* Gives the calling thread an alternate signal stack, so that a stack overflow can be reported. */
int fl_os_signal_stack(void);

/* Installs `handler` where the disposition is still the default. It runs on the alternate stack,
 * and gets the signal's number and the address whose access raised it; or FL_OS_NO_ADDRESS. */
#define FL_OS_NO_ADDRESS UINTPTR_MAX
int fl_os_signal(int number, void (*handler)(int number, uintptr_t address));

/* The instruction at which the calling thread was when the signal came that it handles. */
uintptr_t fl_os_signal_pc_sigsafe(void);

/* Runs `work`, and abandons it after `ns`: false. Locks that it holds then stay locked, so this is
 * for processes that are about to end. Async-signal-safe if `work` is. */
bool fl_os_try_for_sigsafe(uint64_t ns, void (*work)(void));

/* Whether the program was linked with -static: it cannot load shared objects. */
bool fl_os_program_is_static(void);

/* The path of the running program; false if it does not fit. */
bool fl_os_program_path(char *path, size_t size);

/* Calls `each` with the symbols that the program imports from shared libraries, some more than
 * once. There are none if it is linked statically. */
void fl_os_program_imports(void (*each)(const char *name, void *context), void *context);

/* Has libraries that are loaded from now on, and calls that others have not made yet, pass over the
 * program's functions and variables with names that POSIX has and C has not: they mean the C
 * library's. Before the program's threads run. Without effect if a sanitizer is linked in, which has
 * such functions for libraries. */
void fl_os_program_hide_names(void);

/* Whether AddressSanitizer or ThreadSanitizer is in the program. */
bool fl_os_is_sanitized(void);

/* Difference between the addresses of the program in memory and in its file. */
uintptr_t fl_os_program_shift(void);

/* Asks that the calling thread, which seldom runs and never for long, run soon after it wakes.
 * Advice only. */
void fl_os_thread_prompt(void);

/* The kernel's number of the calling thread. Async-signal-safe. */
int fl_os_thread_id(void);

/* Lets any process of this user attach to this one as a debugger, where that is restricted to
 * ancestors. Async-signal-safe. */
void fl_os_allow_tracers(void);

/* A fiber is a separate stack, on which a thread runs for a while. `run` begins at the first enter
 * and never returns; each enter returns when it leaves, and each leave when the same thread enters
 * again. Null if there is no memory. */
struct fl_os_fiber;
struct fl_os_fiber *fl_os_fiber_make(void (*run)(void *context), void *context);
void fl_os_fiber_enter(struct fl_os_fiber *fiber);
void fl_os_fiber_leave(struct fl_os_fiber *fiber);
/* Frees a fiber on which no thread runs, or will run. */
void fl_os_fiber_release(struct fl_os_fiber *fiber);

#endif
