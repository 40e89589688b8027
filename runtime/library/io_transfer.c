/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The common parts of all calls that move data (UPC 1.3 library 7.8.4 to 7.8.7).
 *
 * A call with a common file pointer is one transfer that the threads divide among them: each takes
 * one range of the file, as large as possible, and moves it from or to the memory of any threads.
 */
#include "core/fatal.h"
#include "library/io_file.h"

#include <errno.h>
#include <stdlib.h>

enum { LEAST_SHARE = 256 << 10 }; /* bytes; shares begin at multiples of it */

bool upc_io_call(struct upc_io_call *call, const struct upc_io_name *name, struct upcr_file *handle,
                 upc_flag_t flags) {
    struct upc_file *file = upc_io_file_any(handle, name->use);
    if (file && file->outstanding && name->begins) {
        fl_fatal(FL_CODE_FILE_MISUSE,
                 "%s in thread %u: another asynchronous operation on the file is outstanding; "
                 "complete it with upc_all_fwait_async first",
                 upc_barrier_names[name->use], upc_self->me);
    }
    if (!file || file->outstanding) {
        errno = upc_io_unusable(file, name->use);
        return false;
    }
    int wrong_way = name->writes ? UPC_RDONLY : UPC_WRONLY;
    *call = (struct upc_io_call){
        .file = file,
        .use = name->use,
        .me = upc_self->me,
        .writes = name->writes,
        .flags = flags,
        .error = file->flags & wrong_way ? EBADF : 0,
    };
    return true;
}

static bool strong(const struct upc_io_call *call) {
    return call->file->flags & UPC_STRONG_CA;
}

/* 7.3.4: if one half of the flags is missing it means ALLSYNC; strong mode implies ALLSYNC, and
 * MYSYNC is treated as ALLSYNC. */
static bool waits_at_entry(const struct upc_io_call *call) {
    return strong(call) || !(call->flags & UPC_IN_NOSYNC);
}

static bool waits_at_exit(const struct upc_io_call *call) {
    return strong(call) || !(call->flags & UPC_OUT_NOSYNC);
}

/* Sets the calling thread's share of a common transfer: its extent, and the memory from there
 * on. */
static void take_share(struct upc_io_call *call) {
    uint64_t threads = upc_process.job.threads, me = upc_self->me;
    uint64_t nodes = upc_io_hints_number(&call->file->hints, "cb_nodes");
    if (nodes > 0 && nodes < threads) {
        threads = nodes;
    }
    uint64_t begin = (uint64_t)call->one.offset, end = begin + call->total;
    uint64_t base = begin - begin % LEAST_SHARE;
    uint64_t share = fl_round_up((end - base + threads - 1) / threads, LEAST_SHARE);
    uint64_t from = base + me * share, to = from + share;
    if (me >= threads || from >= end) {
        call->n_extents = 0;
        return;
    }
    from = from < begin ? begin : from;
    to = to > end ? end : to;
    call->one = (struct fl_io_extent){(int64_t)from, to - from};
    call->memory.done = from - begin;
}

void upc_io_enter(struct upc_io_call *call) {
    if (waits_at_entry(call)) {
        upc_barrier_called(call->use);
    }
    if (call->error) {
        call->n_extents = 0;
    } else if (call->common && call->total > 0) {
        take_share(call);
    }
}

/* Strong mode orders the threads' calls: each thread does its call while it holds the file's lock.
 * The shares of a common transfer need no lock: they do not overlap, and no other call runs at that
 * time. */
void upc_io_move(struct upc_io_call *call) {
    const struct upc_file *file = call->file;
    const struct fl_io_transfer transfer = {
        .fd = file->fd,
        .writes = call->writes,
        .extents = call->extents ? call->extents : &call->one,
        .n_extents = call->n_extents,
        .functions = &upc_io_memory_functions,
        .memory = &call->memory,
        .buffer_bytes = upc_io_hints_number(&file->hints, "cb_buffer_size"),
    };
    bool ordered = strong(call) && !call->common;
    if (call->n_extents == 0) {
        return;
    }
    if (ordered) {
        fl_lock_acquire(&file->handle->lock, call->me, upc_process.wait);
    }
    call->moved = fl_io_transfer(&transfer);
    if (ordered) {
        fl_lock_release(&file->handle->lock, call->me);
    }
}

/* All threads agree how far a common transfer came: a read ends where the end of the file cuts the
 * first share short. A write is complete or fails, so one without a barrier at exit needs no
 * agreement. */
static int64_t leave_common(const struct upc_io_call *call, enum upc_barrier_use use) {
    int error = call->error ? call->error : call->moved < 0 ? (int)-call->moved : 0;
    if (call->writes && !waits_at_exit(call)) {
        return error ? -error : (int64_t)call->total;
    }
    bool short_of_it =
        call->n_extents > 0 && call->moved >= 0 && (uint64_t)call->moved < call->one.bytes;
    int64_t end = short_of_it ? call->one.offset + call->moved : INT64_MAX;
    struct upc_io_verdict verdict = upc_io_agree(call->file->handle, use, error, end);
    if (verdict.error) {
        return -verdict.error;
    }
    return verdict.least == INT64_MAX ? (int64_t)call->total : verdict.least - call->file->position;
}

upc_off_t upc_io_leave(struct upc_io_call *call, enum upc_barrier_use use) {
    int64_t result = call->error ? -call->error : call->moved;
    if (call->common) {
        result = leave_common(call, use);
    } else if (waits_at_exit(call)) {
        upc_barrier_called(use);
    }
    free(call->memory.list);
    free(call->extents);
    call->memory.list = NULL;
    call->extents = NULL;
    if (call->at_pointer && result > 0) {
        call->file->position += result;
    }
    return upc_io_result(result);
}

upc_off_t upc_io_run(struct upc_io_call *call) {
    upc_io_enter(call);
    upc_io_move(call);
    return upc_io_leave(call, call->use);
}
