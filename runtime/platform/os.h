/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The operating system, as far as the runtime needs it: memory files and mappings, futexes, CPUs,
 * time, processes. Nothing outside this folder makes a Linux-specific call.
 *
 * Functions that can fail return 0 or a negative errno value and leave errno alone; the caller
 * decides whether that is an error and says so. Any thread may call any of them.
 */
#ifndef FL_PLATFORM_OS_H
#define FL_PLATFORM_OS_H

#include "platform/machine.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- memory (os_memory.c) ---- */

/* Creates a sparse memory file that no file system shows; its descriptor goes to *fd_p. */
int fl_os_memory_create(const char *name, int *fd_p);

/* The memory file that another process of this user has as its descriptor `fd`. */
int fl_os_memory_open(int pid, int fd, int *fd_p);

/* Lets the file have `bytes` bytes. All processes of a job may do so at once. */
int fl_os_memory_grow(int fd, uint64_t bytes);

/* Takes [address, address + bytes) without access rights, backing, or part in core dumps.
 * -EEXIST: something is mapped there already. */
int fl_os_memory_reserve(uintptr_t address, uint64_t bytes);

/* Maps part of the file, shared, readable and writable, over a reserved range. */
int fl_os_memory_map_at(uintptr_t address, int fd, uint64_t offset, uint64_t bytes);

/* As above, wherever there is room. */
int fl_os_memory_map(int fd, uint64_t offset, uint64_t bytes, void **address_p);

/* Gives the pages behind part of the file back; reads there yield zeros afterwards. */
int fl_os_memory_punch(int fd, uint64_t offset, uint64_t bytes);

/* Creates the file, or empties it, with `bytes` zeros that have their room on the disk where the file
 * system can promise it; its descriptor goes to *fd_p. */
int fl_os_file_create(const char *path, uint64_t bytes, int *fd_p);

/* Most bytes of memory that the process has had at once; 0: not known. */
uint64_t fl_os_resident_peak_sigsafe(void);

/* Zeros of this process alone, taken when they are touched; null if there are no addresses left. */
void *fl_os_memory_private(uint64_t bytes);

/* The same at a range of addresses, which nothing else may have yet (-EEXIST). */
int fl_os_memory_private_at(uintptr_t address, uint64_t bytes);

/* Asks for large pages behind a range that is populated on first touch. Advice only. */
void fl_os_memory_prefer_huge(void *address, uint64_t bytes);

/* Puts large pages behind a new range now, populating it with zeros. Advice only. */
void fl_os_memory_collapse(void *address, uint64_t bytes);

/* Bytes that the file occupies. */
uint64_t fl_os_memory_resident(int fd);

/* Bytes that programs on this machine, or in this control group, can still use. */
uint64_t fl_os_memory_available(void);

/* Soft limit of the address space (ulimit -v), UINT64_MAX if there is none. */
uint64_t fl_os_address_space_limit(void);

/* ---- page faults (os_fault.c) ---- */

/* From now on `resolve` is called for each access that raises SIGSEGV or SIGBUS: in its thread, on
 * the alternate stack if it has one, all signals blocked. An access of
 * unknown kind counts as a write. If `resolve` returns true, the access is made again; if false, the
 * previous handler gets the signal. May be called once. */
int fl_os_fault_catch(bool (*resolve_sigsafe)(uintptr_t address, bool write));
/* After code that has set handlers of its own, which are forgotten. */
void fl_os_fault_catch_again(void);

/* The program's own handler of one of the two signals, for other accesses: `action` from now on,
 * unless it is null; what it was goes to *before_p, unless that is null. It runs with neither of the
 * two blocked, since it may access what has to be resolved, and may never return. */
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

/* The pages are not mapped from now on, whether the file has them or not. */
int fl_os_watch(int fd, void *address, size_t bytes);

/* The mapping, watched by one descriptor, is from now on by another; its pages that were protected
 * are no longer. Nobody may access it meanwhile. */
int fl_os_watch_move(int from, int to, void *address, size_t bytes);

/* Maps pages that the file has, writable or protected. Those that are mapped already become writable,
 * or stay what they are. */
int fl_os_watch_map(int fd, void *address, size_t bytes, bool writable);

/* Of mapped pages. No write is under way any more when they have been protected. */
int fl_os_watch_protect(int fd, void *address, size_t bytes, bool protected);

/* Takes pages of watched mappings away; the file keeps them. No access is under way any more. */
int fl_os_watch_unmap(const struct fl_os_run *runs, unsigned n);

/* Of mapped pages, watched by a noting descriptor: those that are not protected, which they are then,
 * and no write is under way any more. Looks at `bytes` from `address` on, as far as *end_p; what it has
 * found goes to `runs`, at most n, and how many is returned. */
int fl_os_watch_written(void *address, size_t bytes, struct fl_os_run *runs, unsigned n,
                        void **end_p);

/* Faults of this process's threads that the kernel has resolved; a thread may see the effect of another
 * one's before it is counted. */
uint64_t fl_os_kernel_faults(void);

/* ---- futexes (os_futex.c); all work between processes ---- */

/* Sleeps while *word == expected. May return early: callers loop. */
void fl_os_futex_wait(_Atomic uint32_t *word, uint32_t expected);
/* False: the time has passed. */
bool fl_os_futex_wait_timeout(_Atomic uint32_t *word, uint32_t expected, uint64_t timeout_ns);

/* Wakes at most `n` sleepers. */
void fl_os_futex_wake(_Atomic uint32_t *word, int n);

/* ---- bells (os_event.c): descriptors that a thread rings to wake another ---- */

int fl_os_bell_create(int *fd_p);
void fl_os_bell_ring(int fd);

/* Sleeps until the bell has been rung since the last sleep, or `other_fd` (-1: none) is readable,
 * or the time (UINT64_MAX: for ever) is over; may return early. Whether it was the bell. */
bool fl_os_bell_sleep(int fd, int other_fd, uint64_t timeout_ns);

/* Descriptors that are readable from a time on: `ns`, at least 1, after they were last set. */
int fl_os_alarm_create(int *fd_p);
void fl_os_alarm_set(int fd, uint64_t ns);

/* ---- CPUs and time (os_cpu.c) ---- */

/* CPUs that this process may use. */
unsigned fl_os_cpu_count(void);

/* The same as a set: bit c % 64 of word c / 64 for CPU c. */
void fl_os_cpu_set(uint64_t *words, unsigned n_words);

/* A number for the CPUs that this process may use: the same where the same CPUs of the same machine
 * are meant, and (but for one chance in 2^64) nowhere else. */
uint64_t fl_os_cpu_pool(void);

/* Binds the calling thread to a set of CPUs. */
int fl_os_cpu_bind_set(const uint64_t *words, unsigned n_words);

/* Which CPUs belong together: what tells them is the first of them. */
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

/* What the calling thread has had of a CPU. A system call. */
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

/* Adds the _Thread_local objects of the program to the default stack of threads that anybody starts,
 * of libraries too: glibc takes them out of the stack, and would leave next to nothing. */
void fl_os_thread_default_stack(void);

/* Starts a thread with (at least) `stack_bytes` of stack; 0 means the default. */
int fl_os_thread_start(void *(*body)(void *), void *argument, uint64_t stack_bytes);

/* The program's signals go to other threads than the calling one from now on. */
void fl_os_thread_block_signals(void);

/* As fl_os_thread_start, for the runtime's own affairs: the program's signals go to other threads. */
int fl_os_thread_start_quiet(void *(*body)(void *), void *argument);

/* Gives the calling thread an alternate signal stack, so that a stack overflow can be reported. */
int fl_os_signal_stack(void);

/* Installs `handler` where the disposition is still the default. It runs on the alternate stack,
 * and gets the signal's number and the address whose access raised it; or FL_OS_NO_ADDRESS. */
#define FL_OS_NO_ADDRESS UINTPTR_MAX
int fl_os_signal(int number, void (*handler)(int number, uintptr_t address));

/* Runs `work`, and gives up after `ns`: false. What it has locked by then stays locked, so this is
 * for processes that are about to end. Async-signal-safe if `work` is. */
bool fl_os_try_for_sigsafe(uint64_t ns, void (*work)(void));

/* Whether the program was linked with -static: it cannot load shared objects. */
bool fl_os_program_is_static(void);

/* The path of the running program; false if it does not fit. */
bool fl_os_program_path(char *path, size_t size);

/* Calls `each` with the names that the program takes from shared libraries, some more than once.
 * None if it is linked statically. */
void fl_os_program_imports(void (*each)(const char *name, void *context), void *context);

/* How far from the addresses in its file the program is loaded. */
uintptr_t fl_os_program_shift(void);

/* Asks that the calling thread, which seldom runs and never for long, run soon after it wakes.
 * Advice only. */
void fl_os_thread_prompt(void);

/* The kernel's number of the calling thread. Async-signal-safe. */
int fl_os_thread_id(void);

/* Lets any process of this user attach to this one as a debugger, where that is restricted to
 * ancestors. Async-signal-safe. */
void fl_os_allow_tracers(void);

/* A stack of its own on which a thread runs for a while. `run` begins at the first enter and never
 * returns; each enter returns when it leaves, and each leave when the same thread enters again. Null
 * if there is no memory. Never freed: they are used again. */
struct fl_os_fiber;
struct fl_os_fiber *fl_os_fiber_make(void (*run)(void *context), void *context);
void fl_os_fiber_enter(struct fl_os_fiber *fiber);
void fl_os_fiber_leave(struct fl_os_fiber *fiber);
/* Nobody is on it, or will be. */
void fl_os_fiber_release(struct fl_os_fiber *fiber);

#endif
