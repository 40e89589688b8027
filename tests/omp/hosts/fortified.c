/* SPDX-License-Identifier: BSD-3-Clause */
/* As distributions compile: functions that write into memory are called by other names, with its
 * size. Pages that another host has written are not missing for them either. */
//@ mappings: 2x2 3x1
//@ flags: -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fstack-clash-protection -fcf-protection -flto=auto -Wl,-z,relro -Wl,-z,now
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PAGES = 20, BYTES = 4096 };
static char page[PAGES][BYTES] __attribute__((aligned(BYTES)));
static struct pollfd descriptors[512] __attribute__((aligned(BYTES)));
static volatile size_t most = BYTES; /* so that the compiler cannot know that all is well */
static volatile int flags = O_RDONLY;
static int bad;

static void check(int good, const char *what) {
    if (!good) {
        perror(what);
        bad++;
    }
}

/* Pages with odd numbers are written by another host than the first. */
static void write_all(int round) {
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < PAGES; i++) {
        memset(page[PAGES - 1 - i], 'a' + round, BYTES);
    }
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < 512; i++) {
        descriptors[511 - i] = (struct pollfd){.fd = -1, .events = POLLIN};
    }
}

static void read_files(void) {
    int fd = open("/dev/zero", flags);
    check(read(fd, page[0], most) == BYTES, "read");
    check(pread(fd, page[1], most, 0) == BYTES, "pread");
    check(page[0][BYTES - 1] == 0 && page[1][BYTES - 1] == 0, "what was read");
    close(fd);
    FILE *file = fopen("/dev/zero", "r");
    setvbuf(file, NULL, _IONBF, 0);
    check(fread(page[2], 1, most, file) == BYTES && page[2][BYTES - 1] == 0, "fread");
    check(fread(page[3], most, 1, file) == 1 && page[3][BYTES - 1] == 0, "fread");
    fclose(file);
}

static void receive(void) {
    int pair[2];
    check(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0, "socketpair");
    for (int i = 0; i < 4; i++) {
        check(write(pair[0], "xyz", 3) == 3, "write");
        ssize_t n = i < 2 ? recv(pair[1], page[4 + i], most, 0)
                          : recvfrom(pair[1], page[4 + i], most, 0, NULL, NULL);
        check(n == 3 && memcmp(page[4 + i], "xyz", 3) == 0, "recv");
    }
    descriptors[0].fd = pair[0];
    descriptors[511].fd = pair[1];
    check(poll(descriptors, (nfds_t)most / 8, 0) == 0, "poll");
    close(pair[0]);
    close(pair[1]);
}

static void ask_for_names(void) {
    for (int i = 8; i < 10; i++) {
        check(getcwd(page[i], most) && page[i][0] == '/', "getcwd");
        check(realpath("/dev/../dev/null", page[i + 2]) && page[i + 2][4] == '/', "realpath");
        check(readlink("/proc/self/exe", page[i + 4], most) > 0 && page[i + 4][0] == '/', "readlink");
        check(readlinkat(AT_FDCWD, "/proc/self/exe", page[i + 6], most) > 0, "readlinkat");
        check(getgroups((int)(most / sizeof(gid_t)), (gid_t *)page[i + 8]) >= 0, "getgroups");
    }
}

int main(void) {
    for (int round = 0; round < 3; round++) {
        write_all(round);
        read_files();
        write_all(round);
        receive();
        ask_for_names();
    }
    puts(bad ? "bad" : "ok");
    return bad != 0;
}
