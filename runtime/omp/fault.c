/* SPDX-License-Identifier: BSD-3-Clause */
/* On one host, reports which thread has received SIGSEGV or SIGBUS, and at which address; over
 * several, the launcher does. Programs that handle the signals are left alone. */
#include "omp/fault.h"

#include "omp/far.h"
#include "omp/team.h"

#include <signal.h>
#include <string.h>

static char *put_sigsafe(char *at, const char *text) {
    size_t length = strlen(text);
    return (char *)memcpy(at, text, length) + length;
}

static char *put_number_sigsafe(char *at, uintptr_t value, unsigned base) {
    char digits[24];
    char *first = digits + sizeof digits;
    do {
        *--first = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    size_t length = (size_t)(digits + sizeof digits - first);
    return (char *)memcpy(at, first, length) + length;
}

static void on_fault(int number, uintptr_t address) {
    static atomic_flag told = ATOMIC_FLAG_INIT;
    char text[160];
    char *at = put_number_sigsafe(put_sigsafe(text, "thread "), fl_omp_me->number, 10);
    at = put_sigsafe(at, number == SIGSEGV ? " received SIGSEGV (signal 11, segmentation fault)"
                                           : " received SIGBUS (signal 7, bus error)");
    if (address != FL_OS_NO_ADDRESS) {
        at = put_number_sigsafe(put_sigsafe(at, " at address 0x"), address, 16);
    }
    at = put_sigsafe(at, "\n");
    /* Relaxed: it only chooses the thread that prints. */
    if (!atomic_flag_test_and_set_explicit(&told, memory_order_relaxed)) {
        (void)fl_os_write_all_sigsafe(2, text, (size_t)(at - text));
    }
    (void)signal(number, SIG_DFL);
    raise(number); /* delivered when this returns */
}

void fl_omp_fault_start(void) {
    if (!fl_omp_far_speaks) {
        (void)fl_os_signal(SIGSEGV, on_fault);
        (void)fl_os_signal(SIGBUS, on_fault);
    }
}
