/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See output.h. With one UPC thread per process the C library's line buffering is enough. With
 * several, stdout becomes an unbuffered stream that collects the lines of each thread separately
 * and writes whole lines, since one buffer for all would mix lines that are printed in pieces. A
 * thread that reads from a terminal shows its unfinished line first.
 */
#include "upc/output.h"

#include "core/fatal.h"
#include "platform/c_library.h"
#include "platform/os.h"
#include "upc/process.h"

#include <pthread.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LINE_MOST = 1 << 20, BUFFER_BYTES = 1 << 16, SETTLE_NS = 200000000, PATIENCE_NS = 250000000 };

struct line {
    char *text;
    size_t length, capacity;
    int fd; /* where it is written; -1: the thread has closed its stdout */
    struct line *next; /* of another thread: all are flushed at the end */
};

/* The mutex guards the list, every line's text and length, and writing: a thread that ends the
 * process writes the lines of all others. It costs nothing: threads that print hold stdio's lock of
 * stdout anyway. A signal handler that prints while its thread holds the mutex gets an error from
 * it. */
static struct {
    pthread_mutex_t mutex;
    struct line *all;
    bool collects;
    FILE *in, *out; /* the streams that have replaced stdin and stdout; null: none have */
} output;

static _Thread_local struct line *my_line;

static void prepare_mutex(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&output.mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

/* In the child of a fork: drops the lines of the other threads, which the parent prints. */
static void keep_own_line(void) {
    prepare_mutex();
    output.all = my_line;
    if (my_line) {
        my_line->next = NULL;
    }
}

static struct line *line_of_thread_locked(void) {
    if (!my_line) {
        my_line = calloc(1, sizeof *my_line);
        if (my_line) {
            my_line->fd = STDOUT_FILENO;
            my_line->next = output.all;
            output.all = my_line;
        }
    }
    return my_line;
}

static bool append_locked(struct line *line, const char *text, size_t length) {
    if (line->length + length > line->capacity) {
        size_t capacity = (line->length + length) * 2 + 256;
        char *bigger = realloc(line->text, capacity);
        if (!bigger) {
            return false;
        }
        line->text = bigger;
        line->capacity = capacity;
    }
    memcpy(line->text + line->length, text, length);
    line->length += length;
    return true;
}

/* Writes the first `length` bytes of the line, keeps the others. Whether writing succeeded. */
static bool write_front_locked(struct line *line, size_t length) {
    int error = line->fd < 0 ? 0 : fl_os_write_all_sigsafe(line->fd, line->text, length);
    line->length -= length;
    memmove(line->text, line->text + length, line->length);
    return error == 0;
}

static bool put_locked(const char *text, size_t length) {
    struct line *line = line_of_thread_locked();
    if (!line || !append_locked(line, text, length)) {
        return fl_os_write_all_sigsafe(STDOUT_FILENO, text, length) == 0;
    }
    const char *newline = memrchr(text, '\n', length);
    size_t whole = newline ? line->length - (size_t)(text + length - newline) + 1 : 0;
    if (line->length - whole > LINE_MOST || line->fd != STDOUT_FILENO) {
        whole = line->length;
    }
    return whole == 0 || write_front_locked(line, whole);
}

static ssize_t put(void *cookie, const char *text, size_t length) {
    (void)cookie;
    if (pthread_mutex_lock(&output.mutex) != 0) { /* in a signal handler that interrupted this */
        return fl_os_write_all_sigsafe(STDOUT_FILENO, text, length) == 0 ? (ssize_t)length : 0;
    }
    bool good = put_locked(text, length);
    pthread_mutex_unlock(&output.mutex);
    return good ? (ssize_t)length : 0;
}

/* Before reading from a terminal: the line may be a question to the user. */
static void show_unfinished_line(void) {
    if (my_line && isatty(STDIN_FILENO) && pthread_mutex_lock(&output.mutex) == 0) {
        write_front_locked(my_line, my_line->length);
        pthread_mutex_unlock(&output.mutex);
    }
}

static ssize_t take(void *cookie, char *text, size_t size) {
    (void)cookie;
    show_unfinished_line();
    return read(STDIN_FILENO, text, size);
}

static int move(void *cookie, off_t *offset_p, int whence) {
    (void)cookie;
    off_t offset = lseek(STDIN_FILENO, *offset_p, whence);
    *offset_p = offset;
    return offset < 0 ? -1 : 0;
}

static void collect_lines(void) {
    static const struct fl_libc_io io = {.write = put, .read = take, .seek = move};
    prepare_mutex();
    if (fl_libc_replace_streams(&io, &output.in, &output.out)) {
        output.collects = true;
        (void)pthread_atfork(NULL, NULL, keep_own_line); /* else only a child's output differs */
    }
}

bool upc_output_owns(const FILE *stream) {
    return stream && (stream == output.in || stream == output.out);
}

/* Writes the calling thread's lines to `fd` from now on. */
static bool redirect_lines(int fd) {
    if (pthread_mutex_lock(&output.mutex) != 0) {
        return false;
    }
    struct line *line = line_of_thread_locked();
    if (line) {
        write_front_locked(line, line->length);
        if (line->fd != STDOUT_FILENO) {
            (void)close(line->fd); /* -1: closed before */
        }
        line->fd = fd;
    }
    pthread_mutex_unlock(&output.mutex);
    return line;
}

int upc_output_end(const FILE *stream) {
    return stream != output.out || redirect_lines(-1) ? 0 : EOF;
}

FILE *upc_output_reopen(const char *path, const char *mode, FILE *stream) {
    if (!path) {
        return stream; /* only another mode */
    }
    FILE *file = fopen(path, mode);
    int fd = file ? dup(fileno(file)) : -1;
    if (file) {
        fclose(file);
    }
    if (fd < 0) {
        return NULL;
    }
    if (stream == output.out) {
        return redirect_lines(fd) ? stream : NULL;
    }
    bool good = dup2(fd, STDIN_FILENO) >= 0;
    close(fd);
    __fpurge(stream);
    clearerr(stream);
    return good ? stream : NULL;
}

static void choose_stream(void) {
    if (upc_process.job.count == 1) {
        static char buffer[BUFFER_BYTES];
        setvbuf(stdout, buffer, _IOLBF, sizeof buffer);
        return;
    }
    setvbuf(stdout, NULL, _IOLBF, 0); /* for users of the old stream, such as C++'s cout */
    collect_lines();
}

void upc_output_start(void) {
    if (upc_process.job.threads == 1) {
        return;
    }
    choose_stream();
    if (upc_process.job.procs > 1) {
        const int64_t *written = FL_ALLOCATED(fl_libc_count_output(), "what stdout writes");
        upc_output_written = written;
    }
}

static const int64_t nothing;
const int64_t *upc_output_written = &nothing;
_Atomic int64_t upc_output_settled;

/* Whether upcrun did not read in SETTLE_NS: it waits for its own reader, and is not waited for again
 * before it has read everything. */
static _Atomic bool reader_is_slow;

void upc_output_settle_slow(void) {
    /* Relaxed: as in upc_output_settle. */
    atomic_store_explicit(&upc_output_settled,
                          __atomic_load_n(upc_output_written, __ATOMIC_RELAXED),
                          memory_order_relaxed);
    /* Relaxed, as the flag is about time alone. */
    uint64_t patience = atomic_load_explicit(&reader_is_slow, memory_order_relaxed) ? 0 : SETTLE_NS;
    bool is_slow = false;
    int unread;
    uint64_t end = 0;
    while (!is_slow && upc_process.job.procs > 1 &&
           ioctl(STDOUT_FILENO, FIONREAD, &unread) == 0 && unread > 0) {
        uint64_t now = fl_os_now_ns();
        end = end ? end : now + patience;
        is_slow = now >= end;
        fl_os_yield();
    }
    atomic_store_explicit(&reader_is_slow, is_slow, memory_order_relaxed);
}

/* Writes the unfinished lines of all threads, a newline between each two. */
static void flush_lines_locked(void) {
    bool begun = false;
    for (struct line *line = output.all; line; line = line->next) {
        if (begun && line->length > 0) {
            (void)fl_os_write_all_sigsafe(line->fd, "\n", 1);
        }
        begun |= line->length > 0;
        (void)fl_os_write_all_sigsafe(line->fd, line->text, line->length);
        line->length = 0;
    }
}

void upc_output_flush(void) {
    fflush(stdout);
    if (output.collects && pthread_mutex_lock(&output.mutex) == 0) {
        flush_lines_locked();
        pthread_mutex_unlock(&output.mutex);
    }
}

/* May wait for ever: for a thread that writes to a reader that does not read. */
static void hold_output(void) {
    flockfile(stdout);
    if (output.collects) {
        (void)pthread_mutex_lock(&output.mutex); /* EDEADLK: held already */
    }
}

void upc_output_close(void) {
    if (fl_os_try_for_sigsafe(PATIENCE_NS, hold_output)) {
        fflush_unlocked(stdout);
        if (output.collects) {
            flush_lines_locked(); /* and keeps both locks */
        } else {
            funlockfile(stdout);
        }
    }
}
