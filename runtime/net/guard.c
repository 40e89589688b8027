/* SPDX-License-Identifier: BSD-3-Clause */
/* See guard.h. These functions are found by UCX's libraries in place of the C library's, because
 * load.c binds a transport's libraries to the transport's own symbols first. */
#include "net/guard.h"

#include "core/assert.h"
#include "net/door.h"
#include "net/handshake.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    ANSWER_MS = 4000, /* for a host to answer a connection, or for its network to come up */
    AGAIN_MOST_MS = 400, /* between attempts to connect */
    SILENCE_S = 5,    /* for the first bytes of a connection to arrive */
};

/* What the replaced functions have to go by: they get no context. */
static uint32_t unacknowledged_ms; /* 0: as long as the system pleases */

static _Atomic bool met_stranger;

const char *fl_guard_setup(const unsigned char *key, uint32_t patience_ms) {
    unacknowledged_ms = patience_ms;
    return fl_handshake_setup(key) ? NULL : "libsodium cannot be used here";
}

/* Relaxed: it says nothing about other memory. */
bool fl_guard_met_stranger(void) {
    return atomic_load_explicit(&met_stranger, memory_order_relaxed);
}

static void limit_patience(int fd) {
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unacknowledged_ms, sizeof unacknowledged_ms);
}

static bool is_tcp(int fd) {
    int type = 0, family = 0;
    socklen_t size = sizeof type;
    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM &&
           getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size) == 0 &&
           (family == AF_INET || family == AF_INET6);
}

__attribute__((visibility("default"))) int listen(int fd, int backlog) {
    if (!is_tcp(fd)) {
        return (int)syscall(SYS_listen, fd, backlog);
    }
    int seconds = SILENCE_S;
    setsockopt(fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, &seconds, sizeof seconds);
    if (syscall(SYS_listen, fd, backlog) != 0) {
        return -1;
    }
    errno = fl_door_open(fd);
    return errno ? -1 : 0;
}

__attribute__((visibility("default"))) int getsockname(int fd, struct sockaddr *restrict address,
                                                       socklen_t *restrict bytes) {
    int listener = fl_door_listener(fd);
    return (int)syscall(SYS_getsockname, listener < 0 ? fd : listener, address, bytes);
}

__attribute__((visibility("default"))) int accept(int fd, struct sockaddr *restrict address,
                                                  socklen_t *restrict bytes) {
    if (fl_door_listener(fd) < 0) {
        return (int)syscall(SYS_accept, fd, address, bytes);
    }
    int connection = fl_door_take(fd);
    if (connection >= 0) {
        limit_patience(connection);
        if (address) { /* one that has broken since is noticed when it is read */
            (void)syscall(SYS_getpeername, connection, address, bytes);
        }
    }
    return connection;
}

static int64_t now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Waits until the connection is established, or no answer has come; errno says which. */
static bool await(int fd, int64_t until) {
    struct pollfd wait = {fd, POLLOUT, 0};
    int error = ETIMEDOUT;
    socklen_t size = sizeof error;
    int64_t left = until - now_ms();
    if (poll(&wait, 1, left > 0 ? (int)left : 0) == 1) {
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
    }
    errno = error;
    return error == 0;
}

/* Tries to connect again and again: where a link has just come up, the first attempts find no
 * route. */
static bool connect_patiently(int fd, const struct sockaddr *address, socklen_t bytes) {
    int64_t until = now_ms() + ANSWER_MS;
    for (int pause_ms = 20;; pause_ms = pause_ms < AGAIN_MOST_MS ? 2 * pause_ms : AGAIN_MOST_MS) {
        if (syscall(SYS_connect, fd, address, bytes) == 0) {
            return true;
        }
        if (errno == EINPROGRESS && await(fd, until)) {
            return true;
        }
        bool has_no_way = errno == EHOSTUNREACH || errno == ENETUNREACH || errno == ENETDOWN;
        if (!has_no_way || now_ms() + pause_ms > until) {
            return false;
        }
        poll(NULL, 0, pause_ms);
    }
}

/* Switches keepalive on or off: TCP probes whether the other host is alive while its process is
 * silent. */
static void watch_silence(int fd, int on) {
    int second = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &second, sizeof second);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &second, sizeof second);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
}

/* Waits as long as the host acknowledges, as for any message: a debugger may hold the process. */
static bool receive(int fd, void *to, size_t size) {
    for (size_t got = 0; got < size;) {
        ssize_t more = recv(fd, (char *)to + got, size - got, MSG_DONTWAIT);
        if (more > 0) {
            got += (size_t)more;
            fl_assert(got <= size);
        } else if (more == 0) {
            return false;
        } else if (errno == EAGAIN) {
            poll(&(struct pollfd){fd, POLLIN, 0}, 1, -1);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

static bool say(int fd, const void *text, size_t size) {
    return send(fd, text, size, MSG_NOSIGNAL) == (ssize_t)size;
}

static bool shake_hands(int fd, const struct sockaddr *listener) {
    struct fl_handshake shake;
    fl_handshake_set_listener(&shake, listener);
    fl_handshake_begin(&shake);
    if (!say(fd, &shake.hello, sizeof shake.hello) ||
        !receive(fd, &shake.answer, sizeof shake.answer)) {
        return false;
    }
    if (!fl_handshake_finish(&shake)) {
        atomic_store_explicit(&met_stranger, true, memory_order_relaxed);
        return false;
    }
    return say(fd, shake.proof, sizeof shake.proof);
}

__attribute__((visibility("default"))) int connect(int fd, const struct sockaddr *address,
                                                   socklen_t bytes) {
    if (!is_tcp(fd)) {
        return (int)syscall(SYS_connect, fd, address, bytes);
    }
    if (!connect_patiently(fd, address, bytes)) {
        return -1;
    }
    limit_patience(fd);
    watch_silence(fd, 1);
    bool proven = shake_hands(fd, address);
    watch_silence(fd, 0);
    if (!proven) {
        errno = ECONNRESET;
        return -1;
    }
    return 0;
}

/* To UCX a connection that was reset has timed out, like one on which nothing is acknowledged.
 * Relaxed: it is looked at after the loss, by the thread that has seen the reset. */
static atomic_bool was_reset;

bool fl_guard_was_reset(void) {
    return atomic_load_explicit(&was_reset, memory_order_relaxed);
}

static ssize_t noted(ssize_t result) {
    if (__builtin_expect(result < 0, 0) &&
        (errno == ECONNRESET || errno == ECONNABORTED || errno == EPIPE)) {
        atomic_store_explicit(&was_reset, true, memory_order_relaxed);
    }
    return result;
}

__attribute__((visibility("default"))) ssize_t send(int fd, const void *bytes, size_t n,
                                                    int flags) {
    return noted(syscall(SYS_sendto, fd, bytes, n, flags, NULL, 0));
}

__attribute__((visibility("default"))) ssize_t recv(int fd, void *bytes, size_t n, int flags) {
    return noted(syscall(SYS_recvfrom, fd, bytes, n, flags, NULL, NULL));
}
