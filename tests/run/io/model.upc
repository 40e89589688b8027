// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x3 2x2 5x1
//@ flags: -g
//@ limit: 60
// Random operations on a file against a model of it in memory. What is common to all threads is
// drawn from one sequence of numbers, what is a thread's own from another. Each operation is one of
// all forms: at a common or an individual pointer, or with lists; local or shared memory of any
// layout; at once or asynchronous; weak or strong. Threads write to places of their own.
#include "../../check.h"
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>
#include <upc_io.h>

enum { STRIPE = 5000, OPERATIONS = 250, MOST_PIECES = 12 };

static uint64_t common = 12345, own;
static shared [] unsigned char *model; // of the file; thread 0 has it
static shared char *pool;              // the buffers, blocked as each operation likes
static shared size_t *model_size;

static unsigned draw(uint64_t *state, unsigned below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % below;
}

// Byte `i` of a buffer of blocks of `block` bytes that begins at `start`, a pointer of phase 0.
static shared [] char *place(shared char *start, size_t block, size_t i)
{
    size_t thread = upc_threadof(start);
    if (block == 0)
        return (shared [] char *)start + i;
    size_t number = thread + i / block;
    shared char *row = start + ((ptrdiff_t)(number % THREADS) - (ptrdiff_t)thread);
    return (shared [] char *)row + number / THREADS * block + i % block;
}

static upc_off_t finish(upc_file_t *f, int wait)
{
    int flag = 0;
    upc_off_t moved = 0;
    if (wait)
        return upc_all_fwait_async(f);
    while (!flag)
        moved = upc_all_ftest_async(f, &flag);
    return moved;
}

// A random number of bytes at a random place among those that the thread may write: its stripe.
static upc_off_t choose(size_t *bytes)
{
    upc_off_t from = draw(&own, STRIPE);
    *bytes = draw(&own, 4) == 0 ? 0 : 1 + draw(&own, (unsigned)(STRIPE - from));
    return from + (upc_off_t)STRIPE * MYTHREAD;
}

static size_t expected(upc_off_t from, size_t bytes, int writes)
{
    size_t size = *model_size;
    if (writes || from + bytes <= size)
        return bytes;
    return (size_t)from >= size ? 0 : size - from;
}

// The model after the operation, or what was read against the model.
static void compare(int writes, shared char *start, size_t block, char *local, upc_off_t from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        unsigned char byte = local ? (unsigned char)local[i] : (unsigned char)*place(start, block, i);
        if (writes)
            model[from + i] = byte;
        else if (model[from + i] != byte)
            CHECK_EQ(byte, model[from + i]);
    }
}

static void grow(int writes, upc_off_t end)
{
    static upc_lock_t *lock;
    if (!lock)
        lock = upc_all_lock_alloc();
    upc_lock(lock);
    if (writes && *model_size < (size_t)end)
        *model_size = end;
    upc_unlock(lock);
}

static void fill(shared char *start, size_t block, char *local, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        char byte = (char)draw(&own, 256);
        if (local)
            local[i] = byte;
        else
            *place(start, block, i) = byte;
    }
}

static void at_common_pointer(upc_file_t *f, int writes, int async)
{
    size_t size = 1 + draw(&common, 9), n = draw(&common, STRIPE * THREADS / size);
    size_t block = draw(&common, 3) == 0 ? 0 : draw(&common, 40);
    if (block > 0 && draw(&common, 4) == 0)
        block *= 500;
    upc_off_t from = draw(&common, STRIPE * THREADS - (unsigned)(n * size) + 1);
    shared char *start = pool + draw(&common, THREADS);
    size_t bytes = n * size, moved;
    if (writes && MYTHREAD == 0)
        fill(start, block * size, NULL, bytes);
    upc_barrier;
    CHECK_EQ(upc_all_fseek(f, from, UPC_SEEK_SET), from);
    size_t should = expected(from, bytes, writes);
    if (async && writes)
        upc_all_fwrite_shared_async(f, start, block, size, n, 0);
    else if (async)
        upc_all_fread_shared_async(f, start, block, size, n, 0);
    else
        moved = writes ? upc_all_fwrite_shared(f, start, block, size, n, 0)
                       : upc_all_fread_shared(f, start, block, size, n, 0);
    if (async)
        moved = finish(f, async == 1);
    CHECK_EQ(moved, should);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), from + should);
    if (MYTHREAD == 0) {
        compare(writes, start, block * size, NULL, from, moved);
        if (writes && bytes > 0 && *model_size < from + bytes)
            *model_size = from + bytes;
    }
    upc_barrier;
}

static void at_own_pointer(upc_file_t *f, int writes, int async, int local)
{
    static char memory[STRIPE];
    size_t bytes, moved;
    upc_off_t from = choose(&bytes);
    // A thread's own part of the pool: blocks never leave it.
    shared char *start = pool + MYTHREAD;
    if (writes)
        fill(start, 0, local ? memory : NULL, bytes);
    size_t should = expected(from, bytes, writes);
    upc_barrier;
    CHECK_EQ(upc_all_fseek(f, from, UPC_SEEK_SET), from);
    if (local && async && writes)
        upc_all_fwrite_local_async(f, memory, 1, bytes, 0);
    else if (local && async)
        upc_all_fread_local_async(f, memory, bytes, 1, 0);
    else if (local)
        moved = writes ? upc_all_fwrite_local(f, memory, 1, bytes, 0) : upc_all_fread_local(f, memory, 1, bytes, 0);
    else if (async && writes)
        upc_all_fwrite_shared_async(f, start, 0, 1, bytes, 0);
    else if (async)
        upc_all_fread_shared_async(f, start, bytes, 1, bytes, 0);
    else
        moved = writes ? upc_all_fwrite_shared(f, start, 0, bytes, 1, 0) : upc_all_fread_shared(f, start, 0, 1, bytes, 0);
    if (async)
        moved = finish(f, async == 1);
    // Others may have let the file grow meanwhile; then what this thread reads there is zeros.
    if (writes || should == bytes)
        CHECK_EQ(moved, should);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), from + moved);
    compare(writes, start, 0, local ? memory : NULL, from, moved);
    grow(writes && bytes > 0, from + bytes);
}

static void with_lists(upc_file_t *f, int writes, int async)
{
    static char memory[STRIPE];
    struct upc_local_memvec pieces[MOST_PIECES];
    struct upc_filevec places[MOST_PIECES];
    char before[STRIPE];
    size_t n = draw(&own, MOST_PIECES), bytes = 0, used = 0, m = 0;
    upc_off_t at = (upc_off_t)STRIPE * MYTHREAD;
    for (size_t i = 0; i < n; i++) {
        at += draw(&own, 30);
        places[i] = (struct upc_filevec){at, draw(&own, STRIPE / MOST_PIECES - 30)};
        at += places[i].len;
        bytes += places[i].len;
    }
    // Pieces of the memory, from the end to the beginning; the last takes what is left.
    for (; used < bytes; m++) {
        size_t len = m + 1 == MOST_PIECES ? bytes - used : draw(&own, (unsigned)(bytes - used) + 1);
        used += len;
        pieces[m] = (struct upc_local_memvec){memory + STRIPE - used, len};
    }
    fill(NULL, 0, memory, STRIPE);
    memcpy(before, memory, STRIPE);
    upc_barrier;
    size_t moved;
    if (async && writes)
        upc_all_fwrite_list_local_async(f, m, pieces, n, places, 0);
    else if (async)
        upc_all_fread_list_local_async(f, m, pieces, n, places, 0);
    else
        moved = writes ? upc_all_fwrite_list_local(f, m, pieces, n, places, 0)
                       : upc_all_fread_list_local(f, m, pieces, n, places, 0);
    if (async)
        moved = finish(f, async == 1);
    if (writes)
        CHECK_EQ(moved, bytes);
    // Byte by byte in the order of both lists.
    size_t piece = 0, in_piece = 0, done = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < places[i].len && done < moved; k++, done++) {
            while (in_piece == pieces[piece].len) {
                piece++;
                in_piece = 0;
            }
            unsigned char byte = ((unsigned char *)pieces[piece].baseaddr)[in_piece++];
            if (writes)
                model[places[i].offset + k] = byte;
            else
                CHECK_EQ(byte, model[places[i].offset + k]);
        }
        if (writes && places[i].len > 0)
            grow(1, places[i].offset + places[i].len);
        else
            grow(0, 0);
    }
    if (writes)
        CHECK(memcmp(memory, before, STRIPE) == 0);
}

static void check_file(void)
{
    static char found[STRIPE];
    int fd = open("file", O_RDONLY);
    for (int t = 0; t < THREADS; t++) {
        ssize_t got = pread(fd, found, STRIPE, (off_t)STRIPE * t);
        for (ssize_t i = 0; i < got; i++)
            CHECK_EQ((unsigned char)found[i], model[STRIPE * t + i]);
    }
    CHECK_EQ(lseek(fd, 0, SEEK_END), *model_size);
    close(fd);
}

int main(void)
{
    own = 777 + MYTHREAD;
    model = upc_all_alloc(1, STRIPE * THREADS);
    model_size = upc_all_alloc(1, sizeof(size_t));
    pool = upc_all_alloc(THREADS, STRIPE * THREADS + 40 * 500 * 9);
    if (MYTHREAD == 0) {
        upc_memset(model, 0, STRIPE * THREADS);
        *model_size = 0;
    }
    grow(0, 0);
    int truncate = UPC_TRUNC;
    for (int opening = 0; opening < 4; opening++) {
        int strong = draw(&common, 2) ? UPC_STRONG_CA : 0;
        upc_file_t *f = upc_all_fopen("file", UPC_RDWR | UPC_CREATE | UPC_COMMON_FP | truncate | strong, 0, NULL);
        truncate = 0;
        for (int i = 0; i < OPERATIONS / 4; i++) {
            int writes = draw(&common, 2), async = draw(&common, 4), kind = draw(&common, 4);
            async = async > 2 ? 0 : async;
            if (kind == 0) {
                with_lists(f, writes, async);
            } else if (kind == 1) {
                CHECK_EQ(upc_all_fcntl(f, UPC_SET_INDIVIDUAL_FP, NULL), 0);
                at_own_pointer(f, writes, async, draw(&common, 2));
                CHECK_EQ(upc_all_fcntl(f, UPC_SET_COMMON_FP, NULL), 0);
            } else {
                at_common_pointer(f, writes, async);
            }
            CHECK_EQ(upc_all_fsync(f), 0);
            CHECK_EQ(upc_all_fget_size(f), *model_size);
        }
        CHECK_EQ(upc_all_fclose(f), 0);
        if (MYTHREAD == 0)
            check_file();
        upc_barrier;
    }
    return check_done();
}
