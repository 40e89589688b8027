/* SPDX-License-Identifier: BSD-3-Clause */
/* See debugger.h. gdb prints the backtrace, because only a debugger knows inlined calls, arguments
 * and lines; without gdb, addr2line names the places; without that, only their addresses are
 * printed. */
#include "upc/debugger.h"

#include "core/fatal.h"
#include "core/install.h"
#include "job/control.h"
#include "platform/c_library.h"
#include "platform/os.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 30000, MOST_FRAMES = 64 };

static void on_continue(int number, uintptr_t address) {
    (void)address;
    (void)number;
    /* Relaxed: the word carries no data. */
    atomic_store_explicit(&upc_process.frozen, 0, memory_order_relaxed);
}

void upc_debugger_freeze_sigsafe(void) {
    uint32_t me = upc_me_or_first(), mark = me + 1;
    fl_os_allow_tracers();
    (void)fl_os_signal(SIGCONT, on_continue);
    atomic_store_explicit(&upc_process.frozen, mark, memory_order_relaxed);
    fl_control_send1_sigsafe("frozen", (long)me);
    /* A debugger sets the word without a futex wake, hence the timeout. */
    while (atomic_load_explicit(&upc_process.frozen, memory_order_relaxed) == mark) {
        fl_os_futex_wait_timeout(&upc_process.frozen, mark, 20u * 1000 * 1000);
    }
}

void upc_debugger_wait(const struct upc_thread *self) {
    if (upc_process.job.freeze >= 0) {
        fl_os_allow_tracers(); /* furlong dap attaches to all processes */
    }
    if (upc_process.job.freeze == (int)self->me) {
        upc_debugger_freeze_sigsafe();
    }
}

/* Writes a number as text, without stdio, which a signal handler may not use. */
static char *put_number_sigsafe(char *end, unsigned long value, unsigned base) {
    *--end = '\0';
    do {
        *--end = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    return end;
}

/* Runs a program with our descriptor `out` as its descriptor `fd`, and /dev/null as the others; true
 * if it succeeded. vfork, since fork would take locks that the failed thread may hold. */
static bool run_sigsafe(char *const *arguments, int out, int fd) {
    pid_t child = vfork();
    if (child == 0) {
        dup2(out, fd); /* first: the next one opened may be `fd` */
        int null = open("/dev/null", O_RDWR);
        for (int other = 0; other < 3; other++) {
            if (other != fd) {
                dup2(null, other);
            }
        }
        execvp(arguments[0], arguments);
        _exit(127);
    }
    int status = -1;
    for (int ms = 0; child > 0 && ms < PATIENCE_MS; ms += 5) {
        if (waitpid(child, &status, WNOHANG) != 0) {
            return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        }
        (void)poll(NULL, 0, 5);
    }
    if (child > 0) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    return false;
}

/* The path, found at the start: a signal handler cannot search for it. */
static char gdb_script[PATH_MAX];

void upc_debugger_start(void) {
    if (upc_process.params.backtrace &&
        !fl_install_path("share/furlong/gdb/furlong.py", gdb_script, sizeof gdb_script)) {
        fl_warn("Furlong's installation is not found, so a backtrace has addresses only; put its "
                "bin folder into PATH");
    }
}

static bool by_gdb_sigsafe(void) {
    static char command[64] = "upc backtrace ";
    char digits[24], pid[24];
    char *own = put_number_sigsafe(pid + sizeof pid, (unsigned long)getpid(), 10);
    char *lwp = put_number_sigsafe(digits + sizeof digits,
                                   (unsigned long)fl_os_thread_id(), 10);
    strcat(strcat(command, lwp), " 3");
    char *const arguments[] = {
        (char *)"gdb", (char *)"-batch", (char *)"-nx", (char *)"-iex",
        (char *)"set auto-load python-scripts off", (char *)"-p", own, (char *)"-x",
        gdb_script, (char *)"-ex", command, NULL};
    fl_os_allow_tracers();
    return run_sigsafe(arguments, STDERR_FILENO, 3);
}

static void print_header_sigsafe(void) {
    char digits[24];
    char text[64] = "backtrace of thread ";
    strcat(strcat(text, put_number_sigsafe(digits + sizeof digits, upc_me_or_first(), 10)), ":\n");
    (void)fl_os_write_all_sigsafe(STDERR_FILENO, text, strlen(text));
}

static void by_addresses_sigsafe(void) {
    static char texts[MOST_FRAMES][24];
    char *arguments[MOST_FRAMES + 5] = {(char *)"addr2line", (char *)"-pfie"};
    static char program[4096];
    void *frames[MOST_FRAMES];
    int n = fl_libc_backtrace_sigsafe(frames, MOST_FRAMES), used = 3;
    Dl_info own, other;
    arguments[2] = program;
    if (fl_os_program_path(program, sizeof program) && dladdr(&upc_process, &own)) {
        for (int i = 0; i < n; i++) {
            if (dladdr(frames[i], &other) && other.dli_fbase == own.dli_fbase) {
                /* The byte before the return address belongs to the call. */
                uintptr_t at = (uintptr_t)frames[i] - 1;
                arguments[used++] = put_number_sigsafe(texts[i] + sizeof texts[i],
                                                       at - fl_os_program_shift(), 16);
            }
        }
        if (run_sigsafe(arguments, STDERR_FILENO, 1)) {
            return;
        }
    }
    fl_libc_print_frames_sigsafe(STDERR_FILENO, frames, n);
}

void upc_debugger_backtrace_sigsafe(void) {
    static atomic_flag begun = ATOMIC_FLAG_INIT;
    /* Relaxed: the flag only chooses the thread that prints. */
    if (!upc_process.params.backtrace || getpid() != upc_process.pid ||
        atomic_flag_test_and_set_explicit(&begun, memory_order_relaxed)) {
        return;
    }
    if (!by_gdb_sigsafe()) { /* which prints the header together with the calls */
        print_header_sigsafe();
        by_addresses_sigsafe();
    }
}

/* Of "/home/me/a.upc:7 (discriminator 3)" what follows the working folder. False: not known, or a line
 * of the runtime, whose sources have names that begin with furlong/. */
static bool shorten_sigsafe(char *text) {
    char folder[PATH_MAX];
    char *end = strpbrk(text, " \n"), *colon;
    if (!end) {
        return false;
    }
    *end = '\0';
    colon = strrchr(text, ':');
    if (!colon || colon[1] < '1' || colon[1] > '9' || strncmp(text, "furlong/", 8) == 0) {
        return false;
    }
    size_t length = getcwd(folder, sizeof folder) ? strlen(folder) : 0;
    if (length > 0 && strncmp(text, folder, length) == 0 && text[length] == '/') {
        memmove(text, text + length + 1, strlen(text + length));
    }
    return true;
}

void upc_debugger_place_sigsafe(uintptr_t address, char *text, size_t room) {
    (void)address;
    static atomic_flag begun = ATOMIC_FLAG_INIT;
    static char program[PATH_MAX];
    char digits[24];
    char *arguments[] = {(char *)"addr2line", (char *)"-e", program, NULL, NULL};
    uintptr_t pc = fl_os_signal_pc_sigsafe();
    Dl_info own, other;
    int pipe_[2];
    *text = '\0';
    /* Relaxed: the flag only chooses the thread that looks. */
    if (!upc_process.check || getpid() != upc_process.pid ||
        atomic_flag_test_and_set_explicit(&begun, memory_order_relaxed) ||
        !fl_os_program_path(program, sizeof program) || !dladdr(&upc_process, &own) ||
        !dladdr((void *)pc, &other) || other.dli_fbase != own.dli_fbase ||
        pipe2(pipe_, O_CLOEXEC) != 0) {
        return;
    }
    arguments[3] = put_number_sigsafe(digits + sizeof digits, pc - fl_os_program_shift(), 16);
    bool ran = run_sigsafe(arguments, pipe_[1], 1);
    (void)close(pipe_[1]);
    ssize_t length = read(pipe_[0], text, room - 1);
    (void)close(pipe_[0]);
    text[length > 0 ? length : 0] = '\0';
    if (!ran || !shorten_sigsafe(text)) {
        *text = '\0';
    }
}
