/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptors, threads and signals. POSIX, and /proc. See os.h. */
#include "platform/os.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int fl_os_close_on_exec(int fd) {
    return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 ? 0 : -errno;
}

int fl_os_send_packet_sigsafe(int fd, const char *text, size_t length) {
    for (;;) {
        if (send(fd, text, length, MSG_NOSIGNAL) >= 0) {
            return 0;
        }
        if (errno == EAGAIN) {
            struct pollfd ready = {.fd = fd, .events = POLLOUT};
            poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            return -errno;
        }
    }
}

int fl_os_receive_packet(int fd, char *text, size_t size, size_t *length_p) {
    for (;;) {
        ssize_t got = recv(fd, text, size, MSG_TRUNC);
        if (got >= 0) {
            *length_p = (size_t)got;
            return (size_t)got <= size ? 0 : -EMSGSIZE;
        }
        if (errno == EAGAIN) {
            struct pollfd ready = {.fd = fd, .events = POLLIN};
            poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            return -errno;
        }
    }
}

int fl_os_write_all_sigsafe(int fd, const char *text, size_t length) {
    while (length > 0) {
        ssize_t put = write(fd, text, length);
        if (put >= 0) {
            text += put;
            length -= (size_t)put;
        } else if (errno == EAGAIN) {
            struct pollfd ready = {.fd = fd, .events = POLLOUT};
            poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            return -errno;
        }
    }
    return 0;
}

uint64_t fl_os_stack_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return UINT64_MAX;
    }
    return limit.rlim_cur;
}

static int add_tls_bytes(struct dl_phdr_info *object, size_t size, void *sum_p) {
    (void)size;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type == PT_TLS) {
            *(uint64_t *)sum_p += object->dlpi_phdr[i].p_memsz + object->dlpi_phdr[i].p_align;
        }
    }
    return 0;
}

/* glibc places a thread's _Thread_local objects in its stack, and refuses to start it if they do
 * not fit: private statics of UPC can be larger than any usual stack. */
static uint64_t tls_bytes(void) {
    uint64_t sum = 0;
    dl_iterate_phdr(add_tls_bytes, &sum);
    return sum;
}

void fl_os_thread_default_stack(void) {
    pthread_attr_t attributes;
    size_t bytes;
    if (pthread_getattr_default_np(&attributes) == 0) {
        pthread_attr_getstacksize(&attributes, &bytes);
        pthread_attr_setstacksize(&attributes, bytes + tls_bytes());
        (void)pthread_setattr_default_np(&attributes); /* if not, the default remains */
        pthread_attr_destroy(&attributes);
    }
}

int fl_os_thread_start(void *(*body)(void *), void *argument, uint64_t stack_bytes) {
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error) {
        return -error;
    }
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    if (stack_bytes > 0) {
        stack_bytes = (stack_bytes + tls_bytes() + page - 1) / page * page;
        error = pthread_attr_setstacksize(&attributes, stack_bytes);
    }
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    if (!error) {
        error = pthread_create(&thread, &attributes, body, argument);
    }
    pthread_attr_destroy(&attributes);
    return -error;
}

static void block_signals(sigset_t *before) {
    sigset_t all;
    sigfillset(&all);
    /* Faults of the thread itself are not the program's signals. */
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        sigdelset(&all, faults[i]);
    }
    pthread_sigmask(SIG_SETMASK, &all, before);
}

void fl_os_thread_block_signals(void) {
    sigset_t before;
    block_signals(&before);
}

int fl_os_thread_start_quiet(void *(*body)(void *), void *argument) {
    sigset_t before;
    block_signals(&before);
    int error = fl_os_thread_start(body, argument, 0);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

int fl_os_signal_stack(void) {
    /* glibc's SIGSTKSZ is too small where AVX-512 state is saved; room for the handler's text. */
    size_t size = 64 * 1024;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return -errno;
    }
    stack_t stack = {.ss_sp = memory, .ss_size = size};
    return sigaltstack(&stack, NULL) == 0 ? 0 : -errno;
}

/* The handler of each signal. on_signal calls it: the kernel passes other arguments. */
static void (*handlers[NSIG])(int number, uintptr_t address);

static _Thread_local uintptr_t signal_pc;

static void on_signal(int number, siginfo_t *info, void *context) {
    signal_pc = fl_os_fault_pc(context);
    /* SI_KERNEL: the address is not canonical on x86-64, and the kernel does not report it. */
    bool by_access = (number == SIGSEGV || number == SIGBUS) && info->si_code > 0 &&
                     info->si_code != SI_KERNEL;
    handlers[number](number, by_access ? (uintptr_t)info->si_addr : FL_OS_NO_ADDRESS);
}

uintptr_t fl_os_signal_pc_sigsafe(void) {
    return signal_pc;
}

int fl_os_signal(int number, void (*handler)(int number, uintptr_t address)) {
    struct sigaction old;
    if (sigaction(number, NULL, &old) != 0) {
        return -errno;
    }
    if ((old.sa_flags & SA_SIGINFO) || old.sa_handler != SIG_DFL) {
        return 0; /* a sanitizer's or a debugger's handler reports more */
    }
    handlers[number] = handler;
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_ONSTACK | SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    return sigaction(number, &action, NULL) == 0 ? 0 : -errno;
}

static _Thread_local sigjmp_buf *given_up;

static void give_up(int number) {
    (void)number;
    if (given_up) {
        siglongjmp(*given_up, 1);
    }
}

/* The kernel's struct sigevent. C libraries call the thread by names of their own. */
struct kernel_event {
    uint64_t value;
    int signal, notify, thread, rest[11];
};

/* Uses the kernel's timer interface: that of old C libraries allocates memory. SIGRTMAX is the
 * signal that programs use least. */
static bool start_timer(uint64_t ns, int *timer_p) {
    struct sigaction action = {.sa_handler = give_up};
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGRTMAX);
    const struct kernel_event event = {
        .signal = SIGRTMAX, .notify = SIGEV_THREAD_ID, .thread = gettid()};
    const struct itimerspec after = {.it_value = {(time_t)(ns / 1000000000u),
                                                  (long)(ns % 1000000000u)}};
    return sigaction(SIGRTMAX, &action, NULL) == 0 &&
           pthread_sigmask(SIG_UNBLOCK, &signals, NULL) == 0 &&
           syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, timer_p) == 0 &&
           syscall(SYS_timer_settime, *timer_p, 0, &after, NULL) == 0;
}

bool fl_os_try_for_sigsafe(uint64_t ns, void (*work)(void)) {
    sigjmp_buf here;
    int timer;
    if (sigsetjmp(here, 1) != 0) {
        given_up = NULL;
        return false;
    }
    given_up = &here;
    if (!start_timer(ns, &timer)) {
        given_up = NULL;
        return false;
    }
    work();
    given_up = NULL;
    (void)syscall(SYS_timer_delete, timer);
    return true;
}

bool fl_os_program_is_static(void) {
    return getauxval(AT_BASE) == 0; /* no dynamic linker has been mapped */
}

bool fl_os_program_path(char *path, size_t size) {
    ssize_t length = readlink("/proc/self/exe", path, size);
    if (length < 0) {
        /* Without /proc: the name that was executed, relative to the working directory of that
         * time. */
        const char *name = (const char *)getauxval(AT_EXECFN);
        return name && size >= PATH_MAX && realpath(name, path);
    }
    if ((size_t)length >= size) {
        return false;
    }
    path[length] = '\0';
    return true;
}

static int take_shift(struct dl_phdr_info *object, size_t size, void *shift_p) {
    (void)size;
    *(uintptr_t *)shift_p = object->dlpi_addr;
    return 1; /* the program comes first */
}

uintptr_t fl_os_program_shift(void) {
    uintptr_t shift = 0;
    dl_iterate_phdr(take_shift, &shift);
    return shift;
}

void fl_os_thread_prompt(void) {
    /* struct sched_attr, in its first version; glibc has no call. */
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes = {.size = 48, .runtime = 100000 /* ns: the shortest slice */};
    (void)syscall(SYS_sched_setattr, 0, &attributes, 0); /* before Linux 6.12 without effect */
}

int fl_os_thread_id(void) {
    return gettid();
}

void fl_os_allow_tracers(void) {
#ifdef PR_SET_PTRACER
    (void)prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* fails without Yama: not needed */
#endif
}
