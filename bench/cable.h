// SPDX-License-Identifier: BSD-3-Clause
/*
 * Two processes, each on a core of its own and in a network of its own, with a cable (veth) between
 * these, which go when the processes go; and plain TCP between the two, whose ends spin and do
 * nothing else: what anything over TCP can reach. Includes what a program then measures by itself.
 */
#ifndef CABLE_H
#define CABLE_H

#include "bench.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define CABLE_INTERFACE "fl"
enum { CABLE_CHUNK = 64 << 10 };
enum cable_mode { CABLE_OTHER, CABLE_ECHO, CABLE_DRAIN };

/* Shared by the two. */
static struct cable {
    _Atomic int arrived;
    _Atomic int mode;
    _Atomic uint64_t bytes; /* to drain before one byte is sent back */
    struct sockaddr_in address;
    pid_t pids[2];
} *cable;

static inline void cable_meet(void) {
    static int meetings;
    cable->arrived++;
    while (cable->arrived < 2 * (meetings + 1)) {
        sched_yield();
    }
    meetings++;
}

/* Of both, so that neither waits for the other. */
static _Noreturn void cable_give_up(const char *why) {
    fprintf(stderr, "skipped: %s\n", why);
    kill(0, SIGTERM);
    _exit(0);
}

static inline void cable_run(const char *format, long number) {
    char command[256];
    snprintf(command, sizeof command, format, number);
    if (system(command) != 0) {
        cable_give_up(command);
    }
}

static inline void cable_lay(unsigned me) {
    /* UCX looks up interfaces in /sys, which shows those of the network that mounted it. */
    if (unshare(CLONE_NEWNET | CLONE_NEWNS) != 0 ||
        mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 || umount2("/sys", MNT_DETACH) != 0 ||
        mount("sysfs", "/sys", "sysfs", 0, NULL) != 0) {
        cable_give_up("no network of its own is allowed here");
    }
    cable_meet();
    if (me == 0) {
        cable_run("ip link add " CABLE_INTERFACE " type veth peer name " CABLE_INTERFACE
                  " netns %ld",
                  cable->pids[1]);
    }
    cable_meet();
    cable_run("ip addr add 10.77.0.%ld/24 dev " CABLE_INTERFACE " && ip link set lo up && "
              "ip link set " CABLE_INTERFACE " up && "
              "timeout 5 sh -c 'until grep -q up /sys/class/net/" CABLE_INTERFACE
              "/operstate; do sleep 0.01; done'",
              me + 1);
    cable_meet();
}

/* ---- plain TCP ---- */

static inline int cable_connect(unsigned me) {
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    struct sockaddr_in *address = &cable->address;
    socklen_t size = sizeof *address;
    if (me == 1) {
        int listener = fd;
        *address = (struct sockaddr_in){.sin_family = AF_INET};
        address->sin_addr.s_addr = inet_addr("10.77.0.2");
        if (bind(listener, (struct sockaddr *)address, size) || listen(listener, 1) ||
            getsockname(listener, (struct sockaddr *)address, &size)) {
            cable_give_up("TCP cannot listen");
        }
        cable_meet();
        fd = accept(listener, NULL, NULL);
    } else {
        cable_meet();
        if (connect(fd, (struct sockaddr *)address, size)) {
            cable_give_up("TCP cannot connect");
        }
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

static inline void cable_take(int fd, void *bytes, size_t n) {
    for (size_t got = 0; got < n;) {
        ssize_t more = recv(fd, (char *)bytes + got, n - got, MSG_DONTWAIT);
        got += more > 0 ? (size_t)more : 0;
    }
}

static inline void cable_give(int fd, const void *bytes, size_t n) {
    for (size_t given = 0; given < n;) {
        ssize_t more = send(fd, (const char *)bytes + given, n - given, MSG_NOSIGNAL);
        if (more <= 0) {
            _exit(1);
        }
        given += (size_t)more;
    }
}

/* Seconds for each of n round trips of 8 bytes, as process 0. */
static inline double cable_round_trips(int fd, long n) {
    unsigned char bytes[8] = {0};
    cable->mode = CABLE_ECHO;
    cable_give(fd, bytes, sizeof bytes);
    cable_take(fd, bytes, sizeof bytes);
    double begin = bench_now();
    for (long i = 0; i < n; i++) {
        cable_give(fd, bytes, sizeof bytes);
        cable_take(fd, bytes, sizeof bytes);
    }
    double time = bench_now() - begin;
    cable->mode = CABLE_OTHER;
    return time / (double)n;
}

/* Seconds for each of n chunks, the last one's arrival included. */
static inline double cable_stream(int fd, const unsigned char *chunk, long n) {
    unsigned char answer;
    cable->bytes = (uint64_t)n * CABLE_CHUNK;
    cable->mode = CABLE_DRAIN;
    double begin = bench_now();
    for (long i = 0; i < n; i++) {
        cable_give(fd, chunk, CABLE_CHUNK);
    }
    cable_take(fd, &answer, 1);
    double time = bench_now() - begin;
    cable->mode = CABLE_OTHER;
    return time / (double)n;
}

/* Process 1's part of these, if there is one to play. */
static inline void cable_serve(int fd) {
    static unsigned char bytes[CABLE_CHUNK];
    if (cable->mode == CABLE_ECHO) {
        while (cable->mode == CABLE_ECHO) {
            if (recv(fd, bytes, 8, MSG_DONTWAIT) == 8) {
                cable_give(fd, bytes, 8);
            }
        }
    } else if (cable->mode == CABLE_DRAIN) {
        for (uint64_t left = cable->bytes; left;) {
            ssize_t got = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
            left -= got > 0 ? (uint64_t)got : 0;
        }
        cable->mode = CABLE_OTHER;
        cable_give(fd, bytes, 1);
    }
}

/* Runs work(me) in both. */
static inline void cable_processes(void (*work)(unsigned me)) {
    setpgid(0, 0);
    signal(SIGTERM, SIG_IGN);
    cable = mmap(NULL, sizeof *cable, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (unsigned me = 0; me < 2; me++) {
        if (fork() == 0) {
            cable->pids[me] = getpid();
            signal(SIGTERM, SIG_DFL);
            cpu_set_t set;
            CPU_ZERO(&set);
            CPU_SET(me, &set);
            sched_setaffinity(0, sizeof set, &set);
            work(me);
            _exit(0);
        }
    }
    /* What one finds wrong ends the other, which would wait for it. */
    for (int status; wait(&status) > 0;) {
        if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
            kill(0, SIGTERM);
            exit(1);
        }
    }
}

#endif
