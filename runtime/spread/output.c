/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Standard output of all threads. On one host they have one stream, and what is printed in order is
 * shown in order. So host 0 prints for all: descriptor 1 of another host is a pipe, whose bytes
 * host 0 adds to its own stream, before the thread that printed them releases anything
 * (fl_meet_settle). Whole lines go at once, a part of a line after a while.
 *
 * Where the launcher tags lines with the hosts that they come from, each host prints for itself.
 */
#include "spread/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

enum { LINE_MS = 100, NAPS_MOST = 5000 };

static struct {
    FILE *stream;
    int from, direct; /* the pipe's end, and the former descriptor 1; 0: host 0 prints here */
    _Atomic bool noted;  /* bytes may have gone past the stream */
    _Atomic bool copied; /* descriptor 1; any other may be the copy */
    _Atomic unsigned settling; /* threads in fl_output_settle */
    struct fl_mutex turn;      /* held by one of them */

    struct fl_mutex mutex; /* held to empty the pipe; taken last */
    char text[FL_PROXY_PIECE];
    size_t n;
} output;

static bool forwards(void) {
    return output.direct > 0;
}

void fl_output_prepare(void) {
    int ends[2];
    output.stream = stdout;
    if (fl_spread_me() == 0 || fl_spread.job.tag) {
        return;
    }
    int direct = FL_NEXT(fcntl)(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (direct < 0 || FL_NEXT(pipe2)(ends, O_CLOEXEC) != 0) {
        fl_warn("%s prints for itself, in any order: a pipe cannot be made: %s",
                fl_job_host_name(&fl_spread.job, fl_spread_me()), strerror(errno));
        return;
    }
    (void)FL_NEXT(fcntl)(ends[0], F_SETFL, O_NONBLOCK);
    (void)FL_NEXT(dup2)(ends[1], STDOUT_FILENO);
    FL_NEXT(close)(ends[1]);
    output.from = ends[0];
    output.direct = direct;
    fl_output_rescue_sigsafe(); /* finds the functions that it calls */
    fl_mutex_unlock(&output.mutex);
}

/* ---- passing on ---- */

static size_t whole_lines(void) {
    const char *end = memrchr(output.text, '\n', output.n);
    return end ? (size_t)(end + 1 - output.text) : 0;
}

/* The caller holds the mutex, so the bytes of one host arrive in order. */
static void send(size_t bytes) {
    if (bytes > 0) {
        const uint64_t words[3] = {0};
        (void)fl_proxy_ask(0, FL_PROXY_OUTPUT, words, output.text, bytes, NULL, 0);
        output.n -= bytes;
        memmove(output.text, output.text + bytes, output.n);
    }
}

/* Sends what is in the pipe until it is empty: whole lines, or `all`. */
static void pass_on(bool all) {
    size_t most = fl_proxy_most();
    for (bool more = true; more;) {
        ssize_t got = FL_NEXT(read)(output.from, output.text + output.n, most - output.n);
        more = got > 0;
        output.n += more ? (size_t)got : 0;
        size_t lines = whole_lines();
        bool is_long = output.n == most && lines == 0;
        send(is_long || (all && !more) ? output.n : lines);
    }
}

static void *serve(void *unused) {
    (void)unused;
    for (bool left = false;;) {
        struct pollfd ready = {.fd = output.from, .events = POLLIN};
        int n = FL_NEXT(poll)(&ready, 1, left ? LINE_MS : -1);
        fl_os_nap(); /* a thread that releases something now passes on itself what it has printed */
        fl_mutex_lock(&output.mutex);
        pass_on(n == 0);
        left = output.n > 0;
        fl_mutex_unlock(&output.mutex);
    }
    return NULL;
}

void fl_output_start(void) {
    int error = forwards() ? fl_os_thread_start_quiet(serve, NULL) : 0;
    if (error) {
        fl_fatal(FL_CODE_THREAD_START, "the thread that passes on what is printed: %s",
                 strerror(error));
    }
}

/* ---- the printing host ---- */

void fl_output_note_copy(int fd) {
    if (fd == STDOUT_FILENO) {
        /* Relaxed: a thread that writes to the copy is ordered after the one that made it. */
        atomic_store_explicit(&output.copied, true, memory_order_relaxed);
    }
}

void fl_output_note(int fd) {
    if (fd == STDOUT_FILENO || atomic_load_explicit(&output.copied, memory_order_relaxed)) {
        /* Relaxed: a thread that must pass this on is this one, or ordered after it. */
        atomic_store_explicit(&output.noted, true, memory_order_relaxed);
    }
}

/* glibc's offset in the file. In a pipe it is unknown; but once set, glibc adds what it writes,
 * until a flush makes it unknown again. */
enum { NOTHING_WRITTEN = 0 };

/* Reads what other threads may be changing: each passes on what it has printed itself. */
static bool any_left(void) {
    return output.stream->_IO_write_ptr > output.stream->_IO_write_base ||
           output.stream->_mode > 0 || /* wide characters are kept elsewhere */
           atomic_load_explicit(&output.noted, memory_order_relaxed) ||
           (forwards() && output.stream->_offset != NOTHING_WRITTEN) || fl_units_have_printed();
}

static bool is_settled(void) {
    if (any_left()) {
        return false;
    }
    /* Nothing may be left only because another thread is just passing it on.
     * [O1] pairs [O2]: a thread that sees nothing left sees that thread. */
    atomic_thread_fence(memory_order_acquire);
    return atomic_load_explicit(&output.settling, memory_order_relaxed) == 0;
}

static void flush(void) {
    fl_units_flush_printed();
    atomic_store_explicit(&output.noted, false, memory_order_relaxed);
    flockfile(output.stream);
    (void)FL_NEXT(fflush)(output.stream);
    if (forwards()) {
        output.stream->_offset = NOTHING_WRITTEN;
    }
    funlockfile(output.stream);
}

void fl_output_settle(void) {
    if (FL_LIKELY(is_settled())) {
        return;
    }
    /* [O2] pairs [O1]. */
    atomic_fetch_add_explicit(&output.settling, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    fl_mutex_lock(&output.turn);
    flush();
    if (forwards()) {
        fl_mutex_lock(&output.mutex);
        pass_on(true);
        fl_mutex_unlock(&output.mutex);
    }
    fl_mutex_unlock(&output.turn);
    /* No label: what was passed on has left the process. */
    atomic_fetch_sub_explicit(&output.settling, 1, memory_order_release);
}

/* The holder of the mutex may wait for a host that has ended: so for a limited time only. */
void fl_output_end(void) {
    bool mine = false;
    for (int i = 0; forwards() && i < NAPS_MOST && !(mine = fl_mutex_try(&output.mutex)); i++) {
        fl_os_nap();
    }
    if (mine) {
        pass_on(true);
        fl_mutex_unlock(&output.mutex);
    }
}

void fl_output_rescue_sigsafe(void) {
    enum { LOOKS = 200 };
    char text[512];
    /* The holder of the mutex is nearly done, if it is not the thread that has failed. */
    for (int i = 0; forwards() && i < LOOKS; i++) {
        if (fl_mutex_try(&output.mutex)) {
            (void)FL_NEXT(write)(output.direct, output.text, output.n);
            break;
        }
        fl_os_nap();
    }
    ssize_t n = 1;
    while (forwards() && n > 0) {
        n = FL_NEXT(read)(output.from, text, sizeof text);
        n = FL_NEXT(write)(output.direct, text, n > 0 ? (size_t)n : 0);
    }
}

/* ---- host 0 ---- */

static void print(const void *text, size_t bytes) {
    if (fwide(output.stream, 0) > 0) { /* it takes wide characters only */
        (void)FL_NEXT(fflush)(output.stream);
        (void)FL_NEXT(write)(fileno(output.stream), text, bytes);
    } else {
        (void)FL_NEXT(fwrite)(text, 1, bytes, output.stream);
        (void)FL_NEXT(fflush)(output.stream);
    }
}

/* A thread that holds the stream may wait for the asker: after a while the text goes past it. */
void fl_output_serve(const struct fl_proxy_request *request) {
    bool mine = false;
    for (int i = 0; i < NAPS_MOST && !(mine = ftrylockfile(output.stream) == 0); i++) {
        fl_os_nap();
    }
    if (mine) {
        print(request->payload, request->bytes);
        funlockfile(output.stream);
    } else {
        (void)FL_NEXT(write)(STDOUT_FILENO, request->payload, request->bytes);
    }
    fl_proxy_answer(request, 0, NULL, 0);
}
