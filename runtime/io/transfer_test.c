/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers between a real file and memory cut in all ways: large and small ranges, several
 * extents, the end of the file, errors. */
#include "core/test.h"
#include "io/file.h"
#include "io/transfer.h"
#include "io/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 3 << 20 };
static char file_bytes[SIZE], memory[SIZE];

/* Memory in ranges of `step` bytes, last range first. */
struct backwards {
    size_t step, done;
};

static size_t ranges_of(const void *state, struct iovec *ranges, size_t most, uint64_t bytes) {
    struct backwards b = *(const struct backwards *)state;
    size_t n = 0;
    while (n < most && bytes > 0) {
        size_t within = b.done % b.step;
        size_t length = b.step - within < bytes ? b.step - within : bytes;
        ranges[n++] =
            (struct iovec){memory + SIZE - (b.done / b.step + 1) * b.step + within, length};
        b.done += length;
        bytes -= length;
    }
    return n;
}

static void advance(void *state, uint64_t bytes) {
    ((struct backwards *)state)->done += bytes;
}

static void copy(void *state, char *buffer, uint64_t bytes, bool to_buffer) {
    struct iovec range;
    for (; bytes > 0; bytes -= range.iov_len, buffer += range.iov_len) {
        (void)ranges_of(state, &range, 1, bytes);
        memcpy(to_buffer ? buffer : range.iov_base, to_buffer ? range.iov_base : buffer,
               range.iov_len);
        advance(state, range.iov_len);
    }
}

static const struct fl_io_memory backwards = {ranges_of, advance, copy};

static int new_file(void) {
    char name[] = "/tmp/fl_io_test.XXXXXX";
    int fd = mkstemp(name);
    unlink(name);
    return fd;
}

/* Where byte `i` of the transfer lies in memory. */
static size_t place(size_t step, size_t i) {
    return SIZE - (i / step + 1) * step + i % step;
}

/* Bytes of the memory that are not those of the file. */
static int count_wrong(size_t step, size_t total) {
    int wrong = 0;
    for (size_t i = 0; i < total; i++) {
        size_t at = i < 100001 ? 7 + i : 200000 + i - 100001;
        wrong += file_bytes[at] != memory[place(step, i)];
    }
    return wrong;
}

static void check_step(size_t step) {
    int fd = new_file();
    struct fl_io_extent extents[] = {{7, 100000}, {100007, 1}, {200000, 2 << 20}};
    size_t total = 100001 + (2 << 20);
    struct backwards out = {step, 0}, in = {step, 0};
    struct fl_io_transfer t = {fd, true, extents, 3, &backwards, &out, 0};
    for (size_t i = 0; i < SIZE; i++) {
        memory[i] = (char)(i * 31 / 7);
    }
    CHECK(fl_io_transfer(&t) == (int64_t)total && out.done == total,
          "all is written from ranges of %zu", step);
    bool whole = pread(fd, file_bytes, SIZE, 0) == 200000 + (2 << 20);
    CHECK(whole && count_wrong(step, total) == 0, "the file holds it in the order of the memory");

    memset(memory, 0, SIZE);
    t.writes = false;
    t.memory = &in;
    t.buffer_bytes = 1; /* raised to what is needed */
    CHECK(fl_io_transfer(&t) == (int64_t)total && count_wrong(step, total) == 0,
          "and is read back into ranges of %zu", step);

    extents[2].bytes += 5;
    in.done = 0;
    CHECK(fl_io_transfer(&t) == (int64_t)total, "an extent is cut short by the file's end");
    extents[0] = (struct fl_io_extent){200000 + (2 << 20) - 3, 10};
    in.done = 0;
    CHECK(fl_io_transfer(&t) == 3, "extents behind it are not reached");
    close(fd);
}

/* Small extents with small and large gaps, side by side and over each other; the last ones end
 * behind the end of the file. */
static void check_near(size_t step) {
    enum { EXTENTS = 20000 };
    static struct fl_io_extent extents[EXTENTS];
    int fd = new_file();
    struct backwards in = {step, 0};
    struct fl_io_transfer t = {fd, false, extents, EXTENTS, &backwards, &in, 0};
    int64_t at = 3, size, total = 0, wrong = 0;
    for (int i = 0; i < EXTENTS; i++) {
        extents[i] = (struct fl_io_extent){at, (uint64_t)(1 + i * 7 % 20)};
        at += i % 1000 == 999 ? 5000 : i % 5 == 0 ? 0 : 1 + i * 11 % 60;
    }
    size = at - 300;
    for (int64_t i = 0; i < size; i++) {
        file_bytes[i] = (char)(i * 37 / 11);
    }
    CHECK(pwrite(fd, file_bytes, (size_t)size, 0) == size, "a file of %ld bytes", (long)size);
    int64_t moved = fl_io_transfer(&t);
    for (int i = 0; i < EXTENTS; i++) {
        int64_t there = size - extents[i].offset, bytes = (int64_t)extents[i].bytes;
        int64_t n = there < bytes ? there < 0 ? 0 : there : bytes;
        for (int64_t j = 0; j < n; j++) {
            wrong += memory[place(step, (size_t)total++)] != file_bytes[extents[i].offset + j];
        }
        if (n < bytes) {
            break;
        }
    }
    CHECK(moved == total && wrong == 0, "extents are read into ranges of %zu up to the end", step);
    close(fd);
}

static int64_t move_hundred(const char *name, int flags, bool writes) {
    struct backwards memory_of = {16, 0};
    struct fl_io_extent extent = {0, 100};
    struct fl_io_transfer t = {-1, writes, &extent, 1, &backwards, &memory_of, 0};
    int error = fl_io_open(name, flags, 0, &t.fd);
    if (error) {
        return error;
    }
    int64_t moved = fl_io_transfer(&t);
    fl_io_close(t.fd);
    return moved;
}

static void check_errors(void) {
    errno = 77;
    CHECK(move_hundred("/dev/null", O_RDONLY, true) == -EBADF, "writing what is open for reading");
    CHECK(move_hundred("/dev/null", O_RDONLY, false) == 0, "nothing to read");
    CHECK(move_hundred("/dev/null", O_WRONLY, true) == 100, "writing");
    CHECK(move_hundred("/dev/full", O_WRONLY, true) == -ENOSPC, "a full device");
    CHECK(move_hundred("/tmp", O_RDONLY, false) == -EISDIR, "a directory");
    CHECK(move_hundred("/nowhere/at/all", O_RDONLY, false) == -ENOENT, "no such file");
    CHECK(errno == 77, "errno is left alone");
}

static void add_one(void *number) {
    ++*(int *)number;
}

static void check_worker(void) {
    struct fl_wait_policy policy = {1, 1};
    struct fl_io_worker *worker = fl_io_worker_start();
    int number = 0, good = 0;
    if (!CHECK(worker && fl_io_worker_done(worker), "a new worker has nothing to do")) {
        return;
    }
    for (int i = 1; i <= 1000; i++) {
        fl_io_worker_begin(worker, add_one, &number);
        fl_io_worker_wait(worker, policy);
        good += fl_io_worker_done(worker) && number == i;
    }
    CHECK(good == 1000, "each piece of work is done once, before the wait for it ends");
    fl_io_worker_end(worker);
}

int main(void) {
    const size_t steps[] = {1, 4, 7, 8, 16, 100, 2047, 2048, 4096, 65536, 1 << 20};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        check_step(steps[i]);
        check_near(steps[i]);
    }
    check_errors();
    check_worker();
    return test_done();
}
