/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ends of a connection prove that they know the job's key. This program has listen, connect
 * and accept of guard.c in place of the C library's, as UCX has; `raw_` is without them. */
#include "net/guard.h"

#include "core/test.h"
#include "net/handshake.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { DEADLINE_MS = 10000 };

static const unsigned char *const key = (const unsigned char *)"0123456789abcdef0123456789abcde!";
static const unsigned char *const other = (const unsigned char *)"0123456789abcdef0123456789abcde?";

static struct sockaddr *of(struct sockaddr_storage *address) {
    return (struct sockaddr *)address;
}

/* A socket on the loopback interface that does not listen yet. */
static int bound(int family) {
    struct sockaddr_storage address = {.ss_family = (sa_family_t)family};
    if (family == AF_INET) {
        ((struct sockaddr_in *)&address)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    } else {
        ((struct sockaddr_in6 *)&address)->sin6_addr = in6addr_loopback;
    }
    int fd = socket(family, SOCK_STREAM, 0);
    if (bind(fd, of(&address), sizeof address) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

static struct sockaddr_storage address_of(int fd) {
    struct sockaddr_storage address = {0};
    socklen_t bytes = sizeof address;
    getsockname(fd, of(&address), &bytes);
    return address;
}

static int raw_connect(const struct sockaddr_storage *to) {
    int fd = socket(to->ss_family, SOCK_STREAM, 0);
    return syscall(SYS_connect, fd, to, sizeof *to) == 0 ? fd : -1;
}

static int guarded_connect(struct sockaddr_storage *to) {
    int fd = socket(to->ss_family, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (connect(fd, of(to), sizeof *to) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Waits for a proven connection. */
static int guarded_accept(int fd) {
    struct sockaddr_storage peer;
    socklen_t bytes = sizeof peer;
    poll(&(struct pollfd){fd, POLLIN, 0}, 1, -1);
    return accept(fd, of(&peer), &bytes);
}

static bool has_none(int fd) {
    return accept(fd, NULL, NULL) == -1 && errno == EAGAIN;
}

static bool passes(int from, int to) {
    char text[5] = "";
    return send(from, "text", 5, 0) == 5 && poll(&(struct pollfd){to, POLLIN, 0}, 1, -1) == 1 &&
           recv(to, text, 5, MSG_WAITALL) == 5 && strcmp(text, "text") == 0;
}

/* Waits for the other end to close it, without a byte before. */
static bool is_closed(int fd) {
    char byte;
    bool ends = poll(&(struct pollfd){fd, POLLIN, 0}, 1, DEADLINE_MS) == 1;
    ssize_t got = ends ? recv(fd, &byte, 1, MSG_DONTWAIT) : 1;
    bool closed = got == 0 || (got < 0 && errno == ECONNRESET);
    close(fd);
    return closed;
}

static bool say_hello(int fd, struct fl_handshake *shake) {
    return send(fd, &shake->hello, sizeof shake->hello, MSG_NOSIGNAL) == sizeof shake->hello &&
           recv(fd, &shake->answer, sizeof shake->answer, MSG_WAITALL) == sizeof shake->answer;
}

static bool say_proof(int fd, const struct fl_handshake *shake) {
    return send(fd, shake->proof, sizeof shake->proof, MSG_NOSIGNAL) == sizeof shake->proof;
}

static void proven(int family, const char *what) {
    int fd = bound(family);
    if (fd < 0) {
        CHECK(true, "SKIP no %s here", what);
        return;
    }
    CHECK(listen(fd, 10) == 0 && has_none(fd), "%s: listens", what);
    struct sockaddr_storage address = address_of(fd);
    int here = guarded_connect(&address), there = guarded_accept(fd);
    CHECK(here >= 0 && there >= 0 && passes(here, there) && passes(there, here) && has_none(fd),
          "%s: two that know the key are connected", what);
    close(here);
    close(there);
    close(fd);
}

/* A process of the job as `fd` sees it, whose words a stranger has recorded. */
static void replayed(int fd) {
    struct sockaddr_storage address = address_of(fd);
    struct fl_handshake shake;
    fl_handshake_set_listener(&shake, of(&address));
    fl_handshake_begin(&shake);
    int first = raw_connect(&address);
    bool good = say_hello(first, &shake) && fl_handshake_finish(&shake) && say_proof(first, &shake);
    int there = guarded_accept(fd);
    CHECK(good && there >= 0 && passes(first, there), "a handshake as in the header");
    struct fl_handshake recorded = shake;
    int second = raw_connect(&address);
    good = say_hello(second, &shake) && say_proof(second, &recorded);
    CHECK(good && is_closed(second) && has_none(fd), "the same once more is refused");
    CHECK(memcmp(&shake.answer, &recorded.answer, sizeof shake.answer) != 0,
          "the listening end's answer cannot be recorded either");
    close(first);
    close(there);
}

/* The words of the listening end are no proof of the connecting one. */
static void reflected(int fd) {
    struct sockaddr_storage address = address_of(fd);
    struct fl_handshake shake;
    fl_handshake_set_listener(&shake, of(&address));
    fl_handshake_begin(&shake);
    int stranger = raw_connect(&address);
    bool good = say_hello(stranger, &shake);
    memcpy(shake.proof, shake.answer.proof, sizeof shake.proof);
    good = good && say_proof(stranger, &shake);
    CHECK(good && is_closed(stranger) && has_none(fd), "the listening end's own words are refused");
}

static void garbage(int fd) {
    struct sockaddr_storage address = address_of(fd);
    static const char http[] = "GET / HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n";
    int stranger = raw_connect(&address);
    (void)send(stranger, http, sizeof http, MSG_NOSIGNAL);
    CHECK(is_closed(stranger) && has_none(fd), "garbage is refused");
}

/* More than a door keeps, some without a word, some after an answer. */
static void half_open(int fd) {
    enum { N = 400 };
    int all[N];
    struct sockaddr_storage address = address_of(fd);
    struct fl_handshake shake;
    fl_handshake_begin(&shake);
    for (int i = 0; i < N; i++) {
        all[i] = raw_connect(&address);
        if (i % 2) {
            (void)send(all[i], &shake.hello, sizeof shake.hello, MSG_NOSIGNAL);
        }
    }
    int here = guarded_connect(&address), there = guarded_accept(fd);
    CHECK(here >= 0 && there >= 0 && passes(here, there), "half-open connections do no harm");
    for (int i = 0; i < N; i++) {
        close(all[i]);
    }
    close(here);
    close(there);
}

/* In a process whose key is another one. */
static bool wrong_key(unsigned me, void *context) {
    struct sockaddr_storage *address = context;
    alarm(60);
    if (fl_guard_setup(other, 0)) {
        return false;
    }
    if (me == 0) { /* learns that the other end does not know this job's key */
        return guarded_connect(address) < 0 && fl_guard_met_stranger();
    }
    struct fl_handshake shake;
    fl_handshake_set_listener(&shake, of(address));
    fl_handshake_begin(&shake);
    int fd = raw_connect(address);
    return say_hello(fd, &shake) && !fl_handshake_finish(&shake) && say_proof(fd, &shake) &&
           is_closed(fd);
}

struct impostor {
    int fd;
    struct sockaddr_storage passes_on_to;
};

/* Answers a connection in the place of a process of the job: with zeros, or with what a process of
 * the job says to the same words. */
static bool impostor(unsigned me, void *context) {
    struct impostor *it = context;
    struct fl_handshake shake = {0};
    alarm(60);
    if (me == 1) {
        struct sockaddr_storage address = address_of(it->fd);
        return !fl_guard_setup(key, 0) && guarded_connect(&address) < 0 && fl_guard_met_stranger();
    }
    int fd = (int)syscall(SYS_accept, it->fd, NULL, NULL);
    if (recv(fd, &shake.hello, sizeof shake.hello, MSG_WAITALL) != sizeof shake.hello) {
        return false;
    }
    if (it->passes_on_to.ss_family && !say_hello(raw_connect(&it->passes_on_to), &shake)) {
        return false;
    }
    return send(fd, &shake.answer, sizeof shake.answer, MSG_NOSIGNAL) == sizeof shake.answer &&
           is_closed(fd);
}

static void impostors(int fd) {
    struct impostor it = {.fd = bound(AF_INET)};
    (void)syscall(SYS_listen, it.fd, 10);
    CHECK(test_in_processes(2, impostor, &it), "a server without the key is refused");
    it.passes_on_to = address_of(fd);
    CHECK(test_in_processes(2, impostor, &it), "one that asks a process of the job, too");
    close(it.fd);
}

static bool sees_nobody(unsigned me, void *context) {
    (void)me;
    struct sockaddr_storage *address = context;
    return raw_connect(address) < 0 && errno == ECONNREFUSED;
}

/* UCX closes the descriptor that it knows; the listening socket is another one. */
static void closed_door(int fd) {
    struct sockaddr_storage address = address_of(fd);
    close(fd);
    for (int fresh; (fresh = raw_connect(&address)) >= 0;) {
        close(fresh);
        sched_yield();
    }
    CHECK(test_in_processes(1, sees_nobody, &address), "nothing listens after the end");
}

int main(void) {
    alarm(100);
    CHECK(!fl_guard_setup(key, 0), "libsodium works");
    proven(AF_INET, "IPv4");
    proven(AF_INET6, "IPv6");
    int fd = bound(AF_INET);
    CHECK(listen(fd, 100) == 0, "listens");
    struct sockaddr_storage address = address_of(fd);
    replayed(fd);
    reflected(fd);
    garbage(fd);
    half_open(fd);
    CHECK(test_in_processes(2, wrong_key, &address) && has_none(fd), "a wrong key is refused");
    impostors(fd);
    closed_door(fd);
    return test_done();
}
