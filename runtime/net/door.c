/* SPDX-License-Identifier: BSD-3-Clause */
/* See door.h. */
#include "net/door.h"

#include "core/assert.h"
#include "net/handshake.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    DOORS_MOST = 32,   /* network interfaces of a host */
    VISITORS_MOST = 256,
    TICK_MS = 1000,
    HELLO_TICKS = 5,   /* for the hello of one that has connected */
    PROOF_TICKS = 60,  /* for the proof: a debugger may hold the connecting process */
    PAUSE_MS = 10,     /* without descriptors for another connection */
};

/* A connection whose other end has not proven itself yet. Ticks are counted, not time: while the
 * job is stopped none pass. */
struct visitor {
    int fd;
    unsigned ticks, got; /* got: bytes of the hello, and then of the proof */
    bool answered;
    struct fl_handshake shake;
};

struct door {
    int listener, way_in; /* way_in: proven connections, as numbers of descriptors */
    unsigned n;
    struct visitor visitors[VISITORS_MOST];
    struct pollfd polls[2 + VISITORS_MOST];
};

/* Which descriptors are doors. */
static struct {
    pthread_mutex_t lock;
    struct {
        int fd, listener;
        ino_t pipe; /* while this is what `fd` is: the number may belong to another file by now */
    } all[DOORS_MOST];
    unsigned n;
} doors = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void remove_visitor(struct door *door, unsigned i) {
    fl_assert(i < door->n && door->n <= VISITORS_MOST);
    door->visitors[i] = door->visitors[--door->n];
}

static void send_away(struct door *door, unsigned i) {
    close(door->visitors[i].fd);
    remove_visitor(door, i);
}

/* Makes room for one more: the visitor that has waited longest goes, one without a hello first. */
static void make_room(struct door *door) {
    unsigned oldest = 0;
    for (unsigned i = 1; i < door->n; i++) {
        const struct visitor *a = &door->visitors[i], *b = &door->visitors[oldest];
        bool worse = a->answered != b->answered ? b->answered : a->ticks > b->ticks;
        oldest = worse ? i : oldest;
    }
    if (door->n == VISITORS_MOST) {
        send_away(door, oldest);
    }
}

/* Accepts all pending connections. False: there are no descriptors for more. */
static bool let_in(struct door *door) {
    for (;;) {
        int fd = (int)syscall(SYS_accept4, door->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            return errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM;
        }
        make_room(door);
        fl_assert(door->n < VISITORS_MOST);
        struct visitor *visitor = &door->visitors[door->n++];
        struct sockaddr_storage own = {0};
        socklen_t bytes = sizeof own;
        (void)syscall(SYS_getsockname, fd, &own, &bytes);
        *visitor = (struct visitor){.fd = fd};
        fl_handshake_set_listener(&visitor->shake, (struct sockaddr *)&own);
    }
}

enum step { WAITS, FAILED, WHOLE };

/* Reads until `size` bytes are there. */
static enum step receive(struct visitor *visitor, void *to, size_t size) {
    fl_assert(visitor->got < size);
    ssize_t got = recv(visitor->fd, (char *)to + visitor->got, size - visitor->got, MSG_DONTWAIT);
    if (got <= 0) {
        return got < 0 && (errno == EAGAIN || errno == EINTR) ? WAITS : FAILED;
    }
    visitor->got += (unsigned)got;
    return visitor->got == size ? WHOLE : WAITS;
}

/* WHOLE: it has proven itself. */
static enum step hear(struct visitor *visitor) {
    struct fl_handshake *shake = &visitor->shake;
    if (visitor->answered) {
        enum step step = receive(visitor, shake->proof, sizeof shake->proof);
        return step == WHOLE && !fl_handshake_accept(shake) ? FAILED : step;
    }
    enum step step = receive(visitor, &shake->hello, sizeof shake->hello);
    if (step != WHOLE) {
        return step;
    }
    /* An empty connection has room for an answer. */
    ssize_t size = sizeof shake->answer;
    if (!fl_handshake_answer(shake) ||
        send(visitor->fd, &shake->answer, (size_t)size, MSG_NOSIGNAL) != size) {
        return FAILED;
    }
    visitor->answered = true;
    visitor->got = visitor->ticks = 0;
    return WAITS;
}

/* Hands a connection on as `accept` returns it, without the flags of the door's own calls. */
static void hand_on(struct door *door, unsigned i) {
    struct visitor *visitor = &door->visitors[i];
    fl_assert(visitor->answered && visitor->got == sizeof visitor->shake.proof);
    fcntl(visitor->fd, F_SETFL, 0);
    if (write(door->way_in, &visitor->fd, sizeof visitor->fd) != sizeof visitor->fd) {
        close(visitor->fd);
    }
    remove_visitor(door, i);
}

static void turn(struct door *door, bool tick) {
    for (unsigned i = door->n; i-- > 0;) {
        struct visitor *visitor = &door->visitors[i];
        enum step step = door->polls[2 + i].revents ? hear(visitor) : WAITS;
        visitor->ticks += tick;
        bool late = visitor->ticks > (visitor->answered ? PROOF_TICKS : HELLO_TICKS);
        if (step == WHOLE) {
            hand_on(door, i);
        } else if (step == FAILED || late) {
            send_away(door, i);
        }
    }
}

static void forget(const struct door *door) {
    pthread_mutex_lock(&doors.lock);
    for (unsigned i = 0; i < doors.n; i++) {
        if (doors.all[i].listener == door->listener) {
            doors.all[i] = doors.all[--doors.n];
        }
    }
    pthread_mutex_unlock(&doors.lock);
}

static void *attend(void *context) {
    struct door *door = context;
    bool room = true;
    for (;;) {
        door->polls[0] = (struct pollfd){.fd = door->way_in};
        door->polls[1] = (struct pollfd){.fd = room ? door->listener : -1, .events = POLLIN};
        for (unsigned i = 0; i < door->n; i++) {
            door->polls[2 + i] = (struct pollfd){.fd = door->visitors[i].fd, .events = POLLIN};
        }
        int timeout = !room ? PAUSE_MS : door->n > 0 ? TICK_MS : -1;
        int ready = poll(door->polls, 2 + door->n, timeout);
        if (door->polls[0].revents) { /* the other end is closed: no transport takes connections */
            break;
        }
        turn(door, ready == 0 && room);
        room = !room || !door->polls[1].revents || let_in(door);
    }
    forget(door);
    while (door->n > 0) {
        send_away(door, 0);
    }
    close(door->listener);
    close(door->way_in);
    free(door);
    return NULL;
}

/* Starts the door's thread with all signals blocked: they are for the program's threads. */
static int start(struct door *door) {
    sigset_t all, before;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread, NULL, attend, door);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error ? error : pthread_detach(thread);
}

static ino_t file_of(int fd) {
    struct stat file;
    return fstat(fd, &file) == 0 ? file.st_ino : 0;
}

static bool note(int fd, int listener) {
    pthread_mutex_lock(&doors.lock);
    bool room = doors.n < DOORS_MOST;
    if (room) {
        doors.all[doors.n].fd = fd;
        doors.all[doors.n].pipe = file_of(fd);
        doors.all[doors.n++].listener = listener;
    }
    pthread_mutex_unlock(&doors.lock);
    return room;
}

int fl_door_open(int fd) {
    struct door *door = calloc(1, sizeof *door);
    int ends[2] = {-1, -1};
    if (!door || pipe2(ends, O_CLOEXEC) != 0) {
        free(door);
        return ENOMEM;
    }
    door->way_in = ends[1];
    door->listener = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    int error = door->listener < 0 ? errno : 0;
    if (!error && (fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0 ||
                   fcntl(door->listener, F_SETFL, O_NONBLOCK) != 0 || dup2(ends[0], fd) != fd)) {
        error = errno;
    }
    close(ends[0]);
    if (!error && !note(fd, door->listener)) {
        error = EMFILE;
    }
    if (!error) {
        error = start(door);
        if (!error) {
            return 0;
        }
        forget(door);
    }
    close(door->way_in);
    close(door->listener);
    free(door);
    return error;
}

int fl_door_listener(int fd) {
    int listener = -1;
    pthread_mutex_lock(&doors.lock);
    for (unsigned i = 0; i < doors.n; i++) {
        if (doors.all[i].fd == fd && doors.all[i].pipe == file_of(fd)) {
            listener = doors.all[i].listener;
        }
    }
    pthread_mutex_unlock(&doors.lock);
    return listener;
}

int fl_door_take(int fd) {
    int connection;
    ssize_t got = read(fd, &connection, sizeof connection);
    if (got == (ssize_t)sizeof connection) {
        return connection;
    }
    errno = got < 0 ? errno : EBADF;
    return -1;
}
