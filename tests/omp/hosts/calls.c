/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 1x1 2x2 3x1
/* What the kernel reads and writes is each on a page that another host has written last. */
#define _GNU_SOURCE
#include "../inputs/check.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGES = 24, PAGE = 4096 };
static _Alignas(PAGE) char pages[PAGES][PAGE];
extern char **environ;

/* The next page; it has `text`, by the last thread. */
static void *page(const char *text) {
    static int next;
    char *at = pages[next++ % PAGES];
#pragma omp parallel
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
        memset(at, 0, PAGE);
        strcpy(at, text);
    }
    return at;
}

static void results(void) {
    CHECK(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, page("")) == 0);
    CHECK(fstatat(AT_FDCWD, page("."), page(""), 0) == 0);
    CHECK(getitimer(ITIMER_REAL, page("")) == 0);
    CHECK(getrandom(page(""), 100, 0) == 100);
    CHECK(getrlimit(RLIMIT_NOFILE, page("")) == 0);
    CHECK(sched_getaffinity(0, sizeof(cpu_set_t), page("")) == 0);
    CHECK(sigpending(page("")) == 0);
    CHECK(statfs(page("."), page("")) == 0);
    CHECK(statvfs(page("."), page("")) == 0);
    CHECK(sysinfo(page("")) == 0);
    CHECK(times(page("")) != (clock_t)-1);
}

static void arguments(void) {
    CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, page(""), NULL) == 0);
    CHECK(close(creat(page("a"), 0600)) == 0);
    CHECK(close(openat(AT_FDCWD, page("a"), O_RDONLY)) == 0);
    CHECK(faccessat(AT_FDCWD, page("a"), R_OK, 0) == 0);
    CHECK(link(page("a"), page("b")) == 0);
    CHECK(symlink(page("a"), page("c")) == 0);
    CHECK(mkfifo(page("d"), 0600) == 0);
    CHECK(utimes("a", page("")) == 0);
    CHECK(utimensat(AT_FDCWD, "a", page(""), 0) == 0);
    CHECK(setitimer(ITIMER_VIRTUAL, page(""), page("")) == 0);
    for (const char *file = "abcd"; *file; file++) {
        CHECK(unlink((char[]){*file, 0}) == 0);
    }
    CHECK(select(0, NULL, NULL, NULL, page("")) == 0);
    CHECK(sigprocmask(SIG_UNBLOCK, page(""), page("")) == 0);
    cpu_set_t *cpus = page("");
    CHECK(sched_getaffinity(0, sizeof *cpus, cpus) == 0);
#pragma omp parallel
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
        CPU_SET(0, cpus);
    }
    CHECK(sched_setaffinity(0, sizeof *cpus, cpus) == 0);
}

/* What programs call that are compiled with _FILE_OFFSET_BITS=64. */
static void large_files(void) {
    CHECK(close(creat64(page("a"), 0600)) == 0);
    CHECK(close(openat64(AT_FDCWD, page("a"), O_RDONLY)) == 0);
    CHECK(fclose(freopen64(page("a"), page("r"), fopen64(page("a"), page("r")))) == 0);
    CHECK(truncate64(page("a"), 1) == 0);
    CHECK(stat64(page("a"), page("")) == 0 && lstat64(page("a"), page("")) == 0);
    CHECK(fstat64(STDOUT_FILENO, page("")) == 0);
    CHECK(fstatat64(AT_FDCWD, page("a"), page(""), 0) == 0);
    CHECK(statfs64(page("."), page("")) == 0 && fstatfs64(STDOUT_FILENO, page("")) == 0);
    CHECK(statvfs64(page("."), page("")) == 0);
    struct rlimit64 *limit = page("");
    CHECK(getrlimit64(RLIMIT_CORE, limit) == 0);
#pragma omp parallel
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
        limit->rlim_cur = limit->rlim_max;
    }
    CHECK(setrlimit64(RLIMIT_CORE, limit) == 0);
    CHECK(unlink("a") == 0);
}

/* What std::filesystem calls. */
static void folders(void) {
    CHECK(mkdirat(AT_FDCWD, page("a"), 0700) == 0);
    CHECK(fchmodat(AT_FDCWD, page("a"), 0755, 0) == 0);
    CHECK(chown(page("a"), (uid_t)-1, (gid_t)-1) == 0);
    CHECK(renameat(AT_FDCWD, page("a"), AT_FDCWD, page("b")) == 0);
    CHECK(unlinkat(AT_FDCWD, page("b"), AT_REMOVEDIR) == 0);
}

static void sockets(void) {
    int one = socket(AF_INET, SOCK_DGRAM, 0), other = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in *here = page("");
    socklen_t *bytes = page("");
    here->sin_family = AF_INET;
    here->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *bytes = sizeof *here;
#pragma omp parallel
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
        here->sin_port = 0;
        ++*bytes;
    }
    CHECK(bind(one, (struct sockaddr *)here, sizeof *here) == 0);
    CHECK(getsockname(one, page(""), bytes) == 0);
    CHECK(getsockname(one, (struct sockaddr *)here, bytes) == 0);
    CHECK(sendto(other, page("text"), 5, 0, (struct sockaddr *)here, sizeof *here) == 5);
    char *got = page("");
    CHECK(recvfrom(one, got, 10, MSG_DONTWAIT, page(""), bytes) == 5 && strcmp(got, "text") == 0);
    CHECK(setsockopt(one, SOL_SOCKET, SO_REUSEADDR, page(""), sizeof(int)) == 0);
    close(one);
    close(other);
}

static void messages(void) {
    int *ends = page(""), queue = epoll_create1(0);
    CHECK(pipe2(ends, 0) == 0 && close(ends[0]) == 0 && close(ends[1]) == 0);
    CHECK(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
    struct msghdr *message = page("");
    struct iovec *pieces = page("");
    message->msg_iov = pieces;
    message->msg_iovlen = 2;
    pieces[0] = (struct iovec){page("te"), 2};
    pieces[1] = (struct iovec){page("xt"), 3};
    CHECK(sendmsg(ends[0], message, 0) == 5);
    struct epoll_event *events = page("");
    events->events = EPOLLIN;
    CHECK(epoll_ctl(queue, EPOLL_CTL_ADD, ends[1], events) == 0);
    CHECK(epoll_wait(queue, page(""), 10, 0) == 1);
    struct pollfd *polled = page("");
    const int end = ends[1];
#pragma omp parallel
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
        *polled = (struct pollfd){.fd = end, .events = POLLIN};
    }
    CHECK(ppoll(polled, 1, page(""), page("")) == 1);
    CHECK(pselect(0, NULL, NULL, NULL, page(""), page("")) == 0);
    int *bytes = page("");
    CHECK(ioctl(ends[1], FIONREAD, bytes) == 0 && *bytes == 5);
    char *first = page(""), *second = page("");
    pieces[0] = (struct iovec){first, 2};
    pieces[1] = (struct iovec){second, 3};
    CHECK(recvmsg(ends[1], message, 0) == 5 && strcmp(first, "te") == 0 && strcmp(second, "xt") == 0);
    close(ends[0]);
    close(ends[1]);
    close(queue);
}

static void files(void) {
    char *path = page("aXXXXXX");
    int fd = mkstemp(path);
    CHECK(fd >= 0 && getcwd(page(""), PAGE));
    struct iovec *pieces = page("");
    *pieces = (struct iovec){page("text"), 5};
    CHECK(pwritev(fd, pieces, 1, 0) == 5);
    *pieces = (struct iovec){page(""), 5};
    CHECK(preadv(fd, pieces, 1, 0) == 5 && strcmp(pieces->iov_base, "text") == 0);
    struct flock *lock = page("");
    lock->l_type = F_WRLCK;
    CHECK(fcntl(fd, F_SETLK, lock) == 0);
    CHECK(close(fd) == 0 && unlink(path) == 0);
    char *folder = mkdtemp(page("bXXXXXX"));
    CHECK(folder && rmdir(folder) == 0);
    CHECK(sigtimedwait(page(""), page(""), page("")) == -1 && errno == EAGAIN);
}

/* Their arguments and environment are on pages that main's host has written. */
static void commands(void) {
    setenv("WHO", "main", 1);
#pragma omp parallel
    CHECK(system("test $WHO = main") == 0);
    char **words = page("");
#pragma omp parallel
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
        words[0] = strdup("test");
        words[1] = strdup("main");
        pid_t child;
        int status = -1;
        CHECK(posix_spawnp(&child, "test", NULL, NULL, words, environ) == 0 &&
              waitpid(child, &status, 0) == child && status == 0);
        setenv("WHO", "a thread", 1);
        setenv("NEW", "variable", 1);
    }
    const char *who = getenv("WHO"), *new = getenv("NEW");
    CHECK(who && strcmp(who, "a thread") == 0 && new && strcmp(new, "variable") == 0);
    pid_t child;
    CHECK(posix_spawnp(&child, "test", NULL, NULL, words, environ) == 0 &&
          waitpid(child, NULL, 0) == child);
}

/* An array of the program's own has no room behind its end. */
static void own_environment(void) {
    char **before = environ, *own[] = {"A=1", NULL, "behind"}, **array = malloc(sizeof own);
    memcpy(array, own, sizeof own);
    environ = array;
    setenv("B", "2", 1);
    setenv("C", "3", 1);
    CHECK(strcmp(array[2], "behind") == 0 && strcmp(getenv("A"), "1") == 0 &&
          strcmp(getenv("C"), "3") == 0);
    environ = before;
    free(array);
}

/* A map that grows is still everybody's, and nobody else's. */
static void maps(void) {
    char *map = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    map[1] = 'x';
    char *larger = mremap(map, PAGE, 100 * PAGE, MREMAP_MAYMOVE);
    CHECK(larger != MAP_FAILED);
    CHECK(mremap(larger, 100 * PAGE, SIZE_MAX - 1, MREMAP_MAYMOVE) == MAP_FAILED);
    char *others = malloc(100 * PAGE);
    memset(others, 'o', 100 * PAGE);
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads += larger[1] == 'x' && larger[99 * PAGE] == 0;
    CHECK(threads == omp_get_max_threads());
    CHECK(munmap(larger, 100 * PAGE) == 0);
    free(others);
}

int main(void) {
    results();
    arguments();
    large_files();
    folders();
    sockets();
    messages();
    files();
    commands();
    own_environment();
    maps();
    return result();
}
