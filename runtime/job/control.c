/* SPDX-License-Identifier: BSD-3-Clause */
/* See control.h. */
#include "job/control.h"

#include "core/fatal.h"
#include "platform/os.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct {
    struct fl_control_setup setup;
    int pid; /* a child that the program forks is no part of the job */
} control = {.setup.fd = -1};

static char *put_text_sigsafe(char *at, const char *text) {
    while (*text) {
        *at++ = *text++;
    }
    return at;
}

static char *put_number_sigsafe(char *at, long value) {
    char digits[24];
    int n = 0;
    unsigned long rest = value < 0 ? 0ul - (unsigned long)value : (unsigned long)value;
    do {
        digits[n++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    *at++ = ' ';
    if (value < 0) {
        *at++ = '-';
    }
    while (n > 0) {
        *at++ = digits[--n];
    }
    return at;
}

static void send_sigsafe(const char *text, const char *end) {
    if (control.setup.fd >= 0 && getpid() == control.pid) {
        (void)fl_os_send_packet_sigsafe(control.setup.fd, text, (size_t)(end - text));
    }
}

void fl_control_send0_sigsafe(const char *kind) {
    send_sigsafe(kind, kind + strlen(kind));
}

void fl_control_send1_sigsafe(const char *kind, long a) {
    char text[96];
    send_sigsafe(text, put_number_sigsafe(put_text_sigsafe(text, kind), a));
}

void fl_control_send2_sigsafe(const char *kind, long a, long b) {
    char text[96];
    char *at = put_number_sigsafe(put_text_sigsafe(text, kind), a);
    send_sigsafe(text, put_number_sigsafe(at, b));
}

void fl_control_send_global_exit_sigsafe(long thread, long status, const char *function) {
    char text[160];
    char *at = put_number_sigsafe(put_text_sigsafe(text, "global_exit"), thread);
    at = put_text_sigsafe(put_number_sigsafe(at, status), " ");
    send_sigsafe(text, put_text_sigsafe(at, function));
}

void fl_control_abort(int status) {
    if (control.setup.abort && getpid() == control.pid) {
        control.setup.abort(status);
    }
}

static void wait_for_debugger_sigsafe(void) {
    if (control.setup.fd >= 0 && control.setup.told && getpid() == control.pid) {
        control.setup.told();
    }
}

/* Without a launcher the text goes to stderr, in the launcher's form. */
static void report_fatal(enum fl_code code, const char *text) {
    unsigned me = control.setup.me();
    char place[256] = "";
    if (control.setup.called_from) {
        control.setup.called_from(code, place, sizeof place);
    }
    control.setup.last_words(false);
    if (control.setup.fd >= 0) {
        char packet[2560];
        int length = snprintf(packet, sizeof packet, "fatal %u %s %s%s", me, fl_code_text(code),
                              place, text);
        if (fl_os_send_packet_sigsafe(control.setup.fd, packet, (size_t)length) == 0) {
            wait_for_debugger_sigsafe();
            _exit(1);
        }
    }
    fprintf(stderr, "error[%s]: thread %u: %s%s\n", fl_code_text(code), me, place,
            text);
    fl_control_abort(1);
    _exit(1);
}

/* That a pointer of C led to memory of another host is what a user has to know. */
static void report_elsewhere_sigsafe(long thread) {
    char text[512];
    bool launcher = control.setup.fd >= 0;
    const char *code = fl_code_text(FL_CODE_ELSEWHERE);
    char *at = put_text_sigsafe(text, launcher ? "fatal" : "error[");
    if (launcher) {
        at = put_text_sigsafe(put_number_sigsafe(at, (long)control.setup.me()), " ");
        at = put_text_sigsafe(at, code);
    } else {
        at = put_text_sigsafe(put_text_sigsafe(at, code), "]: thread");
        at = put_text_sigsafe(put_number_sigsafe(at, (long)control.setup.me()), ":");
    }
    at = put_text_sigsafe(at, " memory of thread");
    at = put_number_sigsafe(at, thread);
    at = put_text_sigsafe(at, ", which is on another host, was accessed through a pointer of C; "
                              "only pointers-to-shared lead there, and the functions that take them");
    if (launcher) {
        send_sigsafe(text, at);
    } else {
        at = put_text_sigsafe(at, "\n");
        (void)fl_os_write_all_sigsafe(2, text, (size_t)(at - text));
        _exit(1);
    }
}

/* "signal THREAD NUMBER [ADDRESS|- [PLACE]]" */
static void report_signal_sigsafe(int number, uintptr_t address) {
    char text[512], place[256] = "";
    if (control.setup.signalled_at) {
        control.setup.signalled_at(address, place, sizeof place);
    }
    if (!*place && address == fl_os_signal_pc_sigsafe()) {
        *put_text_sigsafe(place, "no code: a pointer to a function is wrong, or leads to a library "
                                 "that dlopen has loaded in another process alone; LD_PRELOAD "
                                 "loads it in all") = '\0';
    }
    char *at = put_number_sigsafe(put_text_sigsafe(text, "signal"), (long)control.setup.me());
    at = put_number_sigsafe(at, number);
    if (address != FL_OS_NO_ADDRESS) {
        at = put_number_sigsafe(at, (long)address);
    } else if (*place) {
        at = put_text_sigsafe(at, " -");
    }
    if (*place) {
        at = put_text_sigsafe(put_text_sigsafe(at, " "), place);
    }
    send_sigsafe(text, at);
}

static void on_deadly_signal(int number, uintptr_t address) {
    fl_fatal_claim_end_sigsafe();
    control.setup.last_words(true);
    bool asks = address != FL_OS_NO_ADDRESS && control.setup.elsewhere;
    long thread = asks ? control.setup.elsewhere(address) : -1;
    if (thread >= 0) {
        report_elsewhere_sigsafe(thread);
    } else {
        report_signal_sigsafe(number, address);
    }
    wait_for_debugger_sigsafe();
    (void)signal(number, SIG_DFL); /* not before: it holds for all threads */
    raise(number);                 /* delivered when this returns */
}

void fl_control_start(const struct fl_control_setup *setup) {
    static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    control.setup = *setup;
    control.pid = getpid();
    fl_fatal_set_sink(report_fatal);
    if (setup->fd >= 0 || setup->signals || setup->abort) {
        for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++) {
            (void)fl_os_signal(deadly[i], on_deadly_signal);
        }
    }
}
