/* SPDX-License-Identifier: BSD-3-Clause */
/* See guard.h. These functions are found by UCX's libraries in place of the C library's, because
 * load.c binds a transport's libraries to the transport's own symbols first. */
#include "net/guard.h"

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
    SILENCE_S = 5,    /* after which one that says nothing is closed */
};

/* The kernel hands out a connection when its first bytes are there, and these come in one piece. */
struct greeting {
    uint64_t magic, key;
};

/* What the replaced functions have to go by: they get no context. */
static struct greeting greeting = {0x676e6f6c727566, 0};

static uint32_t unacknowledged_ms; /* 0: as long as the system pleases */

void fl_guard_setup(uint64_t key, uint32_t patience_ms) {
    greeting.key = key;
    unacknowledged_ms = patience_ms;
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

static bool greeted(int fd) {
    struct greeting heard;
    return recv(fd, &heard, sizeof heard, MSG_DONTWAIT) == sizeof heard &&
           heard.magic == greeting.magic && heard.key == greeting.key;
}

__attribute__((visibility("default"))) int listen(int fd, int backlog) {
    if (is_tcp(fd)) {
        int seconds = SILENCE_S;
        setsockopt(fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, &seconds, sizeof seconds);
    }
    return (int)syscall(SYS_listen, fd, backlog);
}

__attribute__((visibility("default"))) int accept(int fd, struct sockaddr *restrict address,
                                                  socklen_t *restrict bytes) {
    bool guarded = is_tcp(fd);
    socklen_t room = bytes ? *bytes : 0;
    for (;;) {
        int connection = (int)syscall(SYS_accept, fd, address, bytes);
        if (connection < 0 || !guarded) {
            return connection;
        }
        if (greeted(connection)) {
            limit_patience(connection);
            return connection;
        }
        close(connection);
        if (bytes) {
            *bytes = room;
        }
    }
}

static int64_t now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Waits until the connection stands, or nobody has answered; errno says which. */
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

/* Connects as often as it takes: where a link has just come up, the first attempts find no way. */
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

__attribute__((visibility("default"))) int connect(int fd, const struct sockaddr *address,
                                                   socklen_t bytes) {
    if (!is_tcp(fd)) {
        return (int)syscall(SYS_connect, fd, address, bytes);
    }
    if (!connect_patiently(fd, address, bytes)) {
        return -1;
    }
    ssize_t sent = send(fd, &greeting, sizeof greeting, MSG_NOSIGNAL);
    if (sent != sizeof greeting) {
        errno = ECONNRESET;
        return -1;
    }
    limit_patience(fd);
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
