/* SPDX-License-Identifier: BSD-3-Clause */
/* What unit tests are written with: checks that report in TAP, and bodies that run in several
 * threads or processes. For x_test.c files only. */
#ifndef FL_CORE_TEST_H
#define FL_CORE_TEST_H

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_THREAD__)
#define TEST_TSAN 1
#else
#define TEST_TSAN 0
#endif

static int test_number, test_failures;

/* One line of TAP. */
#define CHECK(condition, ...) test_check((condition), __FILE__, __LINE__, __VA_ARGS__)

__attribute__((format(printf, 4, 5))) static inline bool test_check(bool good, const char *file,
                                                                    int line, const char *format,
                                                                    ...) {
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    printf("%sok %d - %s\n", good ? "" : "not ", ++test_number, what);
    if (!good) {
        printf("# %s:%d\n", file, line);
        test_failures++;
    }
    fflush(stdout);
    return good;
}

/* Ends main. */
static inline int test_done(void) {
    printf("1..%d\n", test_number);
    return test_failures ? 1 : 0;
}

/* Memory that starts as zeros and stays shared after fork. */
static inline void *test_shared_memory(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    return memory;
}

/* A random number that is a function of two others. */
static inline uint64_t test_mix(uint64_t a, uint64_t b) {
    uint64_t x = (a ^ (b * 0x9e3779b97f4a7c15u)) + 0x632be59bd9b4e019u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* A body that `n` threads run; false from any of them makes the whole fail. */
typedef bool (*test_body)(unsigned me, void *context);

struct test_thread {
    test_body body;
    void *context;
    unsigned me;
    bool good;
};

static inline void *test_thread_main(void *argument) {
    struct test_thread *thread = argument;
    thread->good = thread->body(thread->me, thread->context);
    return NULL;
}

/* Whether threads have ended since test_fork last made one. */
static bool test_threads_ended;

static inline bool test_in_threads(unsigned n, test_body body, void *context) {
    struct test_thread threads[64];
    pthread_t handles[64];
    bool good = n <= 64;
    for (unsigned i = 0; good && i < n; i++) {
        threads[i] = (struct test_thread){body, context, i, false};
        good = pthread_create(&handles[i], NULL, test_thread_main, &threads[i]) == 0;
    }
    for (unsigned i = 0; good && i < n; i++) {
        pthread_join(handles[i], NULL);
        good = threads[i].good;
    }
    test_threads_ended = true;
    return good;
}

/* Whether an emulator of another machine runs the test, as CMakeLists.txt tells by this definition: a
 * step then takes some ten times as long, and what waits for another thread longer still. */
static inline bool test_is_emulated(void) {
#if defined(FURLONG_TEST_EMULATED)
    return true;
#else
    return false;
#endif
}

/* Steps for a loop that needs so many on the machine itself. */
static inline unsigned test_steps(unsigned steps) {
    return test_is_emulated() ? (steps + 3) / 4 : steps;
}

/* Seconds for what must not take longer than so many on the machine itself. */
static inline unsigned test_seconds(unsigned seconds) {
    return test_is_emulated() ? seconds * 20 : seconds;
}

static inline void *test_stay(void *running) {
    *(_Atomic bool *)running = true;
    while (pause() != 0) {
    }
    return NULL;
}

/* fork. Under QEMU a thread that ends is joined while it still holds the lock by which threads are made;
 * a child of that moment inherits it locked, and can never make a thread. One more thread, which stays,
 * is made only when that lock is free. */
static inline pid_t test_fork(void) {
    _Atomic bool running = false;
    pthread_t thread;
    if (test_is_emulated() && test_threads_ended &&
        pthread_create(&thread, NULL, test_stay, (void *)&running) == 0) {
        test_threads_ended = false;
        while (!running) {
            usleep(100);
        }
    }
    return fork();
}

static inline bool test_in_processes(unsigned n, test_body body, void *context) {
    pid_t pids[64];
    bool good = n <= 64;
    for (unsigned i = 0; good && i < n; i++) {
        pids[i] = test_fork();
        if (pids[i] == 0) {
            _exit(body(i, context) ? 0 : 1);
        }
    }
    for (unsigned i = 0; good && i < n; i++) {
        int status;
        good = waitpid(pids[i], &status, 0) == pids[i] && status == 0;
    }
    return good;
}

/* Whether the body ends its process with a message that contains `text`. */
static inline bool test_dies(test_body body, void *context, const char *text) {
    int ends[2];
    if (pipe(ends) != 0) {
        return false;
    }
    pid_t pid = test_fork();
    if (pid == 0) {
        dup2(ends[1], STDERR_FILENO);
        alarm(test_seconds(20));
        body(0, context);
        _exit(0);
    }
    close(ends[1]);
    char message[4096];
    size_t length = 0;
    ssize_t got;
    while ((got = read(ends[0], message + length, sizeof message - 1 - length)) > 0) {
        length += (size_t)got;
    }
    message[length] = '\0';
    close(ends[0]);
    int status;
    waitpid(pid, &status, 0);
    bool good = WIFEXITED(status) && WEXITSTATUS(status) == 1 && strstr(message, text);
    if (!good) {
        printf("# status %d, message: %s\n", status, message);
    }
    return good;
}

#endif
