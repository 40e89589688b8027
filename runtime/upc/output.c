/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See output.h. With one UPC thread per process glibc's line buffering is enough. With several,
 * stdout becomes an unbuffered stream that collects each thread's line apart and writes whole
 * lines, since one buffer for all would mix lines that are printed in pieces. A thread that reads
 * from a terminal shows its unfinished line first.
 */
#include "upc/output.h"

#include "platform/os.h"
#include "upc/process.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LINE_MOST = 1 << 20, BUFFER_BYTES = 1 << 16, SETTLE_NS = 10000000 };

struct line {
    char *text;
    size_t length, capacity;
    struct line *next; /* all threads', for the end */
};

static struct {
    pthread_mutex_t mutex; /* of the list, and of writing */
    struct line *all;
    bool collects;
} output = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local struct line *my_line;

static struct line *line_of_thread(void) {
    if (!my_line) {
        my_line = calloc(1, sizeof *my_line);
        if (my_line) {
            pthread_mutex_lock(&output.mutex);
            my_line->next = output.all;
            output.all = my_line;
            pthread_mutex_unlock(&output.mutex);
        }
    }
    return my_line;
}

static bool append(struct line *line, const char *text, size_t length) {
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

/* Writes the first `length` bytes that wait, keeps the others. Returns whether that went well. */
static bool write_front(struct line *line, size_t length) {
    pthread_mutex_lock(&output.mutex);
    int error = fl_os_write_all_sigsafe(STDOUT_FILENO, line->text, length);
    pthread_mutex_unlock(&output.mutex);
    line->length -= length;
    memmove(line->text, line->text + length, line->length);
    return error == 0;
}

static ssize_t put(void *cookie, const char *text, size_t length) {
    (void)cookie;
    struct line *line = line_of_thread();
    if (!line || !append(line, text, length)) {
        return fl_os_write_all_sigsafe(STDOUT_FILENO, text, length) == 0 ? (ssize_t)length : 0;
    }
    const char *newline = memrchr(text, '\n', length);
    size_t whole = newline ? line->length - (size_t)(text + length - newline) + 1 : 0;
    if (line->length - whole > LINE_MOST) {
        whole = line->length;
    }
    return whole == 0 || write_front(line, whole) ? (ssize_t)length : 0;
}

static ssize_t take(void *cookie, char *text, size_t size) {
    (void)cookie;
    if (my_line && isatty(STDIN_FILENO)) {
        write_front(my_line, my_line->length); /* a question to the user */
    }
    return read(STDIN_FILENO, text, size);
}

static int move(void *cookie, off64_t *offset_p, int whence) {
    (void)cookie;
    off64_t offset = lseek64(STDIN_FILENO, *offset_p, whence);
    *offset_p = offset;
    return offset < 0 ? -1 : 0;
}

static void collect_lines(void) {
    FILE *out = fopencookie(NULL, "w", (cookie_io_functions_t){.write = put});
    FILE *in = fopencookie(NULL, "r", (cookie_io_functions_t){.read = take, .seek = move});
    if (out && in) {
        setvbuf(out, NULL, _IONBF, 0);
        out->_fileno = STDOUT_FILENO; /* for isatty(fileno(stdout)) and the like */
        in->_fileno = STDIN_FILENO;
        stdout = out;
        stdin = in;
        output.collects = true;
    }
}

static void choose_stream(void) {
    if (upc_process.job.count == 1) {
        static char buffer[BUFFER_BYTES];
        setvbuf(stdout, buffer, _IOLBF, sizeof buffer);
        return;
    }
    setvbuf(stdout, NULL, _IOLBF, 0); /* whoever kept the old stream: C++'s cout does */
    collect_lines();
}

void upc_output_start(void) {
    if (upc_process.job.threads == 1) {
        return;
    }
    choose_stream();
    if (upc_process.job.procs > 1) {
        /* glibc counts in it what it writes, but not for pipes unless told to. */
        stdout->_offset = 0;
        upc_output_settled = 0;
    }
}

off64_t upc_output_settled = -1;

void upc_output_settle_slow(void) {
    /* Relaxed: as in upc_output_settle. */
    upc_output_settled = __atomic_load_n(&stdout->_offset, __ATOMIC_RELAXED);
    int unread;
    uint64_t end = 0;
    while (upc_process.job.procs > 1 && ioctl(STDOUT_FILENO, FIONREAD, &unread) == 0 &&
           unread > 0) {
        uint64_t now = fl_os_now_ns();
        end = end ? end : now + SETTLE_NS;
        if (now >= end) {
            return;
        }
        fl_os_yield();
    }
}

static void flush_lines(void) {
    for (struct line *line = output.all; line; line = line->next) {
        (void)fl_os_write_all_sigsafe(STDOUT_FILENO, line->text, line->length);
        line->length = 0;
    }
}

void upc_output_flush(void) {
    fflush(stdout);
    if (output.collects) {
        pthread_mutex_lock(&output.mutex);
        flush_lines();
        pthread_mutex_unlock(&output.mutex);
    }
}

void upc_output_flush_try(void) {
    if (ftrylockfile(stdout) != 0) {
        return;
    }
    fflush_unlocked(stdout);
    funlockfile(stdout);
    if (output.collects && pthread_mutex_trylock(&output.mutex) == 0) {
        flush_lines();
        pthread_mutex_unlock(&output.mutex);
    }
}
