/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams of <stdio.h> that the program has opened are shared by all hosts. A stream belongs to the
 * host that has opened it, its owner: the C library has it at a place that is reserved on all
 * hosts, and on the others a stand-in, a stream of their C library, has the same place, which reads
 * from the owner's stream and writes to it. So the program's pointer means the same file
 * everywhere, and most functions and macros of the C library need no interposition.
 *
 * A stand-in buffers what is written to it until it is full, or its host's threads release
 * (fl_meet_settle); what it has read ahead goes back then. So what is written in order is in the
 * file in order. If the owner's stream sends lines at once, a stand-in does.
 */
#include "spread/inside.h"

#include <errno.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum {
    PLACE = 1024,  /* bytes, more than any stream of glibc has */
    PLACES = 1024, /* of a host, for files, and as many for streams that are none */
    STAND_INS = 8192,
    BUFFER = 8192,
    IS_BUFFERED = 1 << 30 /* beside how many bytes have been written: the owner's stream is */
};

static struct {
    struct fl_mutex mutex;
    bool taken[2 * PLACES]; /* of this host */
    _Atomic(FILE *) opened[PLACES];

    /* For streams of other hosts. */
    _Atomic unsigned n;
    struct stand_in {
        struct fl_mutex mutex; /* held to begin, settle or end it */
        /* Null: ended. Relaxed: a thread that uses a stream has waited for it to be opened. */
        _Atomic(FILE *) stream;
        _Atomic bool there;
        char *buffer; /* of the stream; behind it, as large: */
        char *unsent; /* whole calls' bytes, under the stream's lock, as are the next two */
        size_t n_unsent;
        bool batches;
    } stand_ins[STAND_INS];
} streams;

void _IO_un_link(FILE *stream); /* of glibc: takes it off the list of all streams */

static _Thread_local void *wanted; /* where the C library is to have its next stream */

/* ---- places ---- */

static char *place_of(unsigned host, unsigned i) {
    return (char *)FL_SPREAD_STREAMS + ((uint64_t)host * 2 * PLACES + i) * PLACE;
}

static bool is_place(const void *at) {
    return (uintptr_t)at - FL_SPREAD_STREAMS < (uint64_t)fl_spread_hosts() * 2 * PLACES * PLACE;
}

static unsigned owner_of(const void *at) {
    return (unsigned)(((uintptr_t)at - FL_SPREAD_STREAMS) / PLACE / (2 * PLACES));
}

static unsigned number_of(const void *at) {
    return (unsigned)(((uintptr_t)at - FL_SPREAD_STREAMS) / PLACE % (2 * PLACES));
}

/* Whether it is, or was, a file's, which all hosts use. */
static bool is_file(const void *at) {
    return is_place(at) && number_of(at) < PLACES;
}

bool fl_streams_is_far(const FILE *stream) {
    return is_file(stream) && owner_of(stream) != fl_spread_me();
}

void fl_streams_prepare(void) {
    uint64_t bytes = PLACES * PLACE;
    int error = fl_os_memory_reserve(FL_SPREAD_STREAMS, fl_spread_hosts() * 2 * bytes);
    for (unsigned host = 0; host < fl_spread_hosts() && !error; host++) {
        uint64_t used = host == fl_spread_me() ? 2 * bytes : bytes;
        error = fl_os_memory_protect(place_of(host, 0), used, true, true);
    }
    if (error) {
        fl_fatal(FL_CODE_ADDRESS_SPACE, "the addresses of the program's streams (0x%llx and above) "
                 "cannot be taken: %s", FL_SPREAD_STREAMS, strerror(-error));
    }
}

const char *fl_streams_name_sigsafe(uintptr_t address) {
    const void *at = (const void *)address;
    return is_place(at) && owner_of(at) != fl_spread_me()
               ? "a stream of another host that is no file (open_memstream, fmemopen, fopencookie): "
                 "only threads of the host that has opened it can use it"
               : NULL;
}

void *fl_streams_take(size_t bytes, const void *pc) {
    void *place = wanted;
    if (FL_LIKELY(!place) || bytes < sizeof(FILE) || bytes > PLACE || !fl_object_is_c_library(pc)) {
        return NULL;
    }
    wanted = NULL;
    return place;
}

static void release(const void *place) {
    fl_mutex_lock(&streams.mutex);
    streams.taken[number_of(place)] = false;
    fl_mutex_unlock(&streams.mutex);
}

bool fl_streams_give(void *block) {
    if (!is_place(block)) {
        return false;
    }
    if (owner_of(block) == fl_spread_me()) {
        release(block);
    }
    return true;
}

/* ---- the owner's streams ---- */

/* Null: all are taken, and the stream is this host's only. */
static void *find_place(unsigned first) {
    void *place = NULL;
    fl_mutex_lock(&streams.mutex);
    for (unsigned i = first; i < first + PLACES && !place; i++) {
        if (!streams.taken[i]) {
            streams.taken[i] = true;
            place = place_of(fl_spread_me(), i);
        }
    }
    fl_mutex_unlock(&streams.mutex);
    return place;
}

void *fl_streams_begin(const void *pc, bool of_file) {
    bool placed = fl_spread_phase() > FL_SPREAD_ALONE && fl_object_of(pc) >= FL_OBJECT_LIBRARY;
    return wanted = placed ? find_place(of_file ? 0 : PLACES) : NULL;
}

static bool others_are_there(void) {
    /* Relaxed: the thread that ends the program does not wait for others. */
    return fl_spread_together() && !atomic_load_explicit(&fl_spread.parted, memory_order_relaxed);
}

static int64_t ask(const FILE *stream, enum fl_proxy_number operation, uint64_t word1,
                   uint64_t word2, const void *payload, size_t bytes) {
    if (!others_are_there()) {
        errno = EIO;
        return -1;
    }
    return fl_proxy_ask(owner_of(stream), operation,
                        (uint64_t[]){(uintptr_t)stream, word1, word2}, payload, bytes, NULL, 0);
}

enum { READS = 1, WRITES = 2 };

/* All others have a stand-in when this returns. */
static void tell_others(FILE *stream) {
    uint64_t may = (__freadable(stream) ? READS : 0) | (__fwritable(stream) ? WRITES : 0);
    const uint64_t words[3] = {(uintptr_t)stream, (uint64_t)fileno(stream), may};
    for (unsigned host = 0; host < fl_spread_hosts() && others_are_there(); host++) {
        if (host != fl_spread_me()) {
            (void)fl_proxy_ask(host, FL_PROXY_STREAM_BEGIN, words, NULL, 0, NULL, 0);
        }
    }
}

FILE *fl_streams_opened(void *place, FILE *stream) {
    bool used = place && !wanted;
    wanted = NULL;
    if (place && !used) {
        release(place);
    } else if (is_file(place) && stream == place) {
        int error = errno;
        fl_descriptors_note(fileno(stream));
        /* [S1] pairs [S2]: a thread that is asked for it finds all of it. */
        atomic_store_explicit(&streams.opened[number_of(place)], stream, memory_order_release);
        tell_others(stream);
        errno = error;
    }
    return stream;
}

void fl_streams_start(void) {
    for (unsigned i = 0; fl_spread_me() == 0 && i < PLACES; i++) {
        /* Relaxed: this thread has stored it. */
        FILE *stream = atomic_load_explicit(&streams.opened[i], memory_order_relaxed);
        if (stream) {
            tell_others(stream);
        }
    }
}

/* ---- stand-ins ---- */

static FILE *stream_at(const struct stand_in *one) {
    return atomic_load_explicit(&one->stream, memory_order_relaxed);
}

/* Other writes do not come between the bytes of one message. Returns how many have been written. */
static size_t send(struct stand_in *one, const char *from, size_t bytes) {
    size_t done = 0;
    while (done < bytes) {
        size_t n = bytes - done < fl_proxy_most() ? bytes - done : fl_proxy_most();
        int64_t put = ask(stream_at(one), FL_PROXY_STREAM_WRITE, 0, 0, from + done, n);
        if (put <= 0) {
            break;
        }
        one->batches = put & IS_BUFFERED;
        done += (size_t)(put & ~IS_BUFFERED);
    }
    return done;
}

static bool send_unsent(struct stand_in *one) {
    size_t n = one->n_unsent;
    one->n_unsent = 0;
    return send(one, one->unsent, n) == n;
}

/* The C library calls it with the bytes of whole calls: of one that ends a line, and those before. */
static ssize_t write_there(void *stand_in, const char *from, size_t bytes) {
    struct stand_in *one = stand_in;
    /* Relaxed: only a program that writes to a closed stream can miss it, and loses the bytes. */
    bool there = atomic_load_explicit(&one->there, memory_order_relaxed);
    if (!there || !others_are_there()) {
        return (ssize_t)bytes;
    }
    size_t most = fl_proxy_most() < BUFFER ? fl_proxy_most() : BUFFER; /* of a message */
    if (one->n_unsent + bytes > most && !send_unsent(one)) {
        return 0;
    }
    if (!one->batches || bytes > most || !__flbf(stream_at(one))) {
        return (ssize_t)send(one, from, bytes);
    }
    memcpy(one->unsent + one->n_unsent, from, bytes);
    one->n_unsent += bytes;
    return (ssize_t)bytes;
}

static ssize_t read_there(void *stand_in, char *to, size_t bytes) {
    FILE *stream = stream_at(stand_in);
    size_t room = bytes < fl_proxy_most() ? bytes : fl_proxy_most();
    if (!others_are_there() || !send_unsent(stand_in)) {
        return 0;
    }
    /* A read that fills the buffer does not know how much is wanted: a line is enough. */
    const uint64_t words[3] = {(uintptr_t)stream, room, bytes == BUFFER};
    return fl_proxy_ask(owner_of(stream), FL_PROXY_STREAM_READ, words, NULL, 0, to, room);
}

static int seek_there(void *stand_in, off64_t *offset, int whence) {
    bool sent = send_unsent(stand_in);
    int64_t at = ask(stream_at(stand_in), FL_PROXY_STREAM_SEEK, (uint64_t)*offset,
                     (uint64_t)whence, NULL, 0);
    *offset = at;
    return at < 0 || !sent ? -1 : 0;
}

/* The stand-in of a stream; of null, a free one. Only the proxy's thread begins and ends them. */
static struct stand_in *find_stand_in(const FILE *stream) {
    unsigned n = atomic_load_explicit(&streams.n, memory_order_relaxed);
    for (unsigned i = 0; i < n; i++) {
        if (stream_at(&streams.stand_ins[i]) == stream) {
            return &streams.stand_ins[i];
        }
    }
    return stream || n == STAND_INS ? NULL : &streams.stand_ins[n];
}

/* words: the stream, its descriptor, what may be done. */
void fl_streams_serve_begin(const struct fl_proxy_request *request) {
    void *place = (void *)(uintptr_t)request->words[0];
    const char *mode = request->words[2] == WRITES ? "w" : request->words[2] == READS ? "r" : "r+";
    struct stand_in *one = find_stand_in(NULL);
    char *buffer = malloc(2 * BUFFER);
    if (!one || !buffer) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no room for a file that another host has opened; %d at "
                 "most can be open", STAND_INS);
    }
    wanted = place;
    FILE *stream = FL_NEXT(fopencookie)(one, mode, (cookie_io_functions_t){.read = read_there,
                                                                           .write = write_there,
                                                                           .seek = seek_there});
    if (stream != place) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "the C library cannot open a stream");
    }
    /* A thread that flushes all streams holds the lock of their list, for which other hosts'
     * proxies would wait. */
    _IO_un_link(stream);
    stream->_fileno = (int)request->words[1];
    (void)FL_NEXT(setvbuf)(stream, buffer, _IOLBF, BUFFER);
    fl_mutex_lock(&one->mutex);
    atomic_store_explicit(&one->stream, stream, memory_order_relaxed);
    one->buffer = buffer;
    one->unsent = buffer + BUFFER;
    one->n_unsent = 0;
    one->batches = false;
    /* Relaxed: the mutex orders it. */
    atomic_store_explicit(&one->there, true, memory_order_relaxed);
    fl_mutex_unlock(&one->mutex);
    unsigned number = (unsigned)(one - streams.stand_ins);
    if (number == atomic_load_explicit(&streams.n, memory_order_relaxed)) {
        /* Relaxed: a thread that uses the stream has waited for it to be opened. */
        atomic_store_explicit(&streams.n, number + 1, memory_order_relaxed);
    }
    fl_proxy_answer(request, 0, NULL, 0);
}

/* words: the stream. Its host closes it. */
void fl_streams_serve_end(const struct fl_proxy_request *request) {
    FILE *stream = (FILE *)(uintptr_t)request->words[0];
    struct stand_in *one = find_stand_in(stream);
    if (one) {
        fl_mutex_lock(&one->mutex);
        atomic_store_explicit(&one->there, false, memory_order_relaxed);
        (void)FL_NEXT(fclose)(stream);
        atomic_store_explicit(&one->stream, NULL, memory_order_relaxed);
        free(one->buffer);
        fl_mutex_unlock(&one->mutex);
    }
    fl_proxy_answer(request, 0, NULL, 0);
}

static void unread(FILE *stream, const char *from, const char *end) {
    if (from < end) {
        (void)ask(stream, FL_PROXY_STREAM_UNREAD, 0, 0, from, (size_t)(end - from));
    }
}

/* Returns to the owner what has been read ahead, and sends what has been written. */
static int settle(struct stand_in *one) {
    enum { IN_BACKUP = 0x100, END_SEEN = 0x10 }; /* of glibc: what was pushed back is read first */
    int result = 0;
    FILE *stream = stream_at(one);
    flockfile(stream);
    if (__fpending(stream) > 0) {
        result = FL_NEXT(fflush)(stream);
    }
    result = send_unsent(one) ? result : EOF;
    if (stream->_flags & IN_BACKUP) {
        unread(stream, stream->_IO_save_base, stream->_IO_save_end);
    }
    unread(stream, stream->_IO_read_ptr, stream->_IO_read_end);
    if (__freading(stream)) {
        __fpurge(stream);
    }
    stream->_flags &= ~END_SEEN; /* other threads may move the stream */
    stream->_offset = -1;
    funlockfile(stream);
    return result;
}

static int settle_far(const FILE *stream) {
    struct stand_in *one = find_stand_in(stream);
    return one ? settle(one) : EOF;
}

static void settle_all(bool flushes) {
    /* Relaxed: a stream that another thread has just opened is settled by that thread. */
    unsigned n = atomic_load_explicit(&streams.n, memory_order_relaxed);
    for (unsigned i = 0; i < n; i++) {
        struct stand_in *one = &streams.stand_ins[i];
        FILE *stream = NULL;
        fl_mutex_lock(&one->mutex);
        if (atomic_load_explicit(&one->there, memory_order_relaxed)) {
            stream = stream_at(one);
            (void)settle(one);
        }
        fl_mutex_unlock(&one->mutex);
        if (flushes && stream) { /* without the mutex, for which a thread that ends it may wait */
            (void)ask(stream, FL_PROXY_STREAM_FLUSH, 0, 0, NULL, 0);
        }
    }
}

void fl_streams_settle(void) {
    settle_all(false);
}

/* ---- requests to the owner: all begin with the stream ---- */

static FILE *own_stream(const struct fl_proxy_request *request) {
    const void *place = (const void *)(uintptr_t)request->words[0];
    if (!is_file(place) || owner_of(place) != fl_spread_me()) {
        return NULL;
    }
    /* [S2] pairs [S1]. */
    return atomic_load_explicit(&streams.opened[number_of(place)], memory_order_acquire);
}

int fl_streams_descriptor(const struct fl_proxy_request *request) {
    FILE *stream = own_stream(request);
    return stream ? fileno(stream) : -1;
}

/* Null, with EBADF: there is none. */
static FILE *stream_of(const struct fl_proxy_request *request) {
    FILE *stream = own_stream(request);
    errno = stream ? errno : EBADF;
    return stream;
}

static int64_t read_own(const struct fl_proxy_request *request, char *to, size_t bytes) {
    FILE *stream = stream_of(request);
    size_t n = 0;
    if (!stream) {
        return -1;
    }
    flockfile(stream);
    for (int c; n < bytes && (c = getc_unlocked(stream)) != EOF;) {
        to[n++] = (char)c;
        if (c == '\n' && request->words[2]) {
            break;
        }
    }
    bool failed = n == 0 && ferror_unlocked(stream);
    funlockfile(stream);
    return failed ? -1 : (int64_t)n;
}

/* bytes, whether a line is enough */
void fl_streams_serve_read(const struct fl_proxy_request *request) {
    size_t bytes = request->words[1];
    char *to = malloc(bytes);
    int64_t n = to ? read_own(request, to, bytes) : -1;
    fl_proxy_answer(request, n, to, n > 0 ? (size_t)n : 0);
    free(to);
}

/* Operations that only have a result. */
#define SERVE(name, result)                                                                        \
    void fl_streams_serve_##name(const struct fl_proxy_request *request) {                         \
        FILE *stream = stream_of(request);                                                         \
        fl_proxy_answer(request, stream ? (result) : -1, NULL, 0);                                 \
    }

static int64_t unread_own(FILE *stream, const struct fl_proxy_request *request) {
    size_t n = request->bytes;
    flockfile(stream);
    while (n > 0 && ungetc(request->payload[n - 1], stream) != EOF) {
        n--;
    }
    funlockfile(stream);
    return n > 0 ? -1 : 0;
}
SERVE(unread, unread_own(stream, request))

static int64_t write_own(FILE *stream, const struct fl_proxy_request *request) {
    size_t n = FL_NEXT(fwrite)(request->payload, 1, request->bytes, stream);
    bool is_buffered = !__flbf(stream) && __fbufsize(stream) > 1;
    return n > 0 ? (int64_t)n | (is_buffered ? IS_BUFFERED : 0) : -1;
}
SERVE(write, write_own(stream, request))

/* Where it is then. */
static int64_t seek_own(FILE *stream, int64_t offset, int whence) {
    flockfile(stream);
    /* A question for the position must not make the C library drop what it has read ahead. */
    bool moves = offset != 0 || whence != SEEK_CUR;
    int64_t at = moves && fseeko64(stream, offset, whence) != 0 ? -1 : ftello64(stream);
    funlockfile(stream);
    return at;
}
SERVE(seek, seek_own(stream, (int64_t)request->words[1], (int)request->words[2]))

enum { AT_END = 1, FAILED = 2 };

/* The marks that the stream had. */
static int64_t state_of(FILE *stream, bool clears) {
    int state = (FL_NEXT(feof)(stream) ? AT_END : 0) | (FL_NEXT(ferror)(stream) ? FAILED : 0);
    if (clears) {
        FL_NEXT(clearerr)(stream);
    }
    return state;
}
SERVE(state, state_of(stream, request->words[1]))
SERVE(flush, FL_NEXT(fflush)(stream))

static int close_own(FILE *stream, bool is_command) {
    fl_descriptors_closed(fileno(stream));
    if (is_file(stream)) {
        atomic_store_explicit(&streams.opened[number_of(stream)], NULL, memory_order_relaxed);
    }
    int result = is_command ? FL_NEXT(pclose)(stream) : FL_NEXT(fclose)(stream);
    if (is_command) {
        fl_output_note(STDOUT_FILENO); /* it may have printed */
    }
    return result;
}
SERVE(close, close_own(stream, request->words[1]))

/* ---- in the C library's place ---- */

/* Ends all stand-ins before the owner's stream: its place may have another stream then. */
static int close_shared(FILE *stream, bool is_command) {
    int result = fl_streams_is_far(stream) ? settle_far(stream) : 0;
    const uint64_t words[3] = {(uintptr_t)stream};
    for (unsigned host = 0; host < fl_spread_hosts() && others_are_there(); host++) {
        if (host != owner_of(stream)) {
            (void)fl_proxy_ask(host, FL_PROXY_STREAM_END, words, NULL, 0, NULL, 0);
        }
    }
    if (!fl_streams_is_far(stream)) {
        return close_own(stream, is_command);
    }
    int64_t closed = ask(stream, FL_PROXY_STREAM_CLOSE, is_command, 0, NULL, 0);
    return closed ? (int)closed : result;
}

FL_EXPORT int fclose(FILE *stream) {
    return is_file(stream) ? close_shared(stream, false) : close_own(stream, false);
}

FL_EXPORT int pclose(FILE *stream) {
    return is_file(stream) ? close_shared(stream, true) : close_own(stream, true);
}

/* A mark that the stand-in has itself need not be asked for. */
#define ASKS(name, mark)                                                                           \
    FL_EXPORT int name(FILE *stream) {                                                             \
        int here = FL_NEXT(name)(stream);                                                          \
        return here || !fl_streams_is_far(stream)                                                  \
                   ? here                                                                          \
                   : (int)ask(stream, FL_PROXY_STREAM_STATE, 0, 0, NULL, 0) & (mark);              \
    }
ASKS(feof, AT_END)
ASKS(ferror, FAILED)

FL_EXPORT void clearerr(FILE *stream) {
    FL_NEXT(clearerr)(stream);
    if (fl_streams_is_far(stream)) {
        (void)ask(stream, FL_PROXY_STREAM_STATE, true, 0, NULL, 0);
    }
}

FL_EXPORT int fflush(FILE *stream) {
    if (!stream) {
        settle_all(true);
    }
    if (!stream || !fl_streams_is_far(stream)) {
        return FL_NEXT(fflush)(stream);
    }
    return settle_far(stream) == 0 ? (int)ask(stream, FL_PROXY_STREAM_FLUSH, 0, 0, NULL, 0) : EOF;
}

FL_EXPORT FILE *tmpfile(void) {
    void *place = fl_streams_begin(__builtin_return_address(0), true);
    return fl_streams_opened(place, FL_NEXT(tmpfile)());
}

FL_EXPORT FILE *fdopen(int fd, const char *mode) {
    if (fl_descriptors_is_far(fd, __builtin_return_address(0))) {
        errno = EBADF;
        return NULL;
    }
    void *place = fl_streams_begin(__builtin_return_address(0), true);
    return fl_streams_opened(place, FL_NEXT(fdopen)(fd, mode));
}
