/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See move.h. Each thread copies what it gets, or what it has if one thread gets everything; who
 * copies from all others begins with itself and goes round, so that the threads do not all read
 * the same one's memory at once.
 */
#include "coll/move.h"

#include "comm/comm.h"

#include <string.h>

/* What is not on this host travels while the caller goes on, until it waits. */
static void move(void *to, const void *from, size_t bytes, struct fl_comm_op *op) {
    if (FL_LIKELY(fl_comm_is_here((uint64_t)to) & fl_comm_is_here((uint64_t)from))) {
        memmove(to, from, bytes);
    } else {
        fl_comm_copy_nb((uint64_t)to, (uint64_t)from, bytes, op);
    }
}

static void end(const struct fl_coll_call *call, struct fl_comm_op *op) {
    if (FL_UNLIKELY(!fl_comm_here.one_host)) {
        fl_comm_wait(op);
    }
    fl_coll_end(call);
}

void fl_coll_broadcast(const struct fl_coll_call *call, void *dst, const void *src, size_t bytes) {
    struct fl_comm_op op = {0};
    fl_coll_begin(call);
    move(fl_coll_at(call, dst, fl_coll_me(call)), src, bytes, &op);
    end(call, &op);
}

void fl_coll_scatter(const struct fl_coll_call *call, void *dst, const void *src, size_t bytes) {
    unsigned me = fl_coll_me(call);
    struct fl_comm_op op = {0};
    fl_coll_begin(call);
    move(fl_coll_at(call, dst, me), (const char *)src + me * bytes, bytes, &op);
    end(call, &op);
}

void fl_coll_gather(const struct fl_coll_call *call, void *dst, const void *src, size_t bytes) {
    unsigned me = fl_coll_me(call);
    struct fl_comm_op op = {0};
    fl_coll_begin(call);
    move((char *)dst + me * bytes, fl_coll_at(call, src, me), bytes, &op);
    end(call, &op);
}

static unsigned next(const struct fl_coll_call *call, unsigned thread) {
    return thread + 1 == call->team->threads ? 0 : thread + 1;
}

void fl_coll_gather_all(const struct fl_coll_call *call, void *dst, const void *src, size_t bytes) {
    unsigned from = fl_coll_me(call);
    char *mine = fl_coll_at(call, dst, from);
    struct fl_comm_op op = {0};
    fl_coll_begin(call);
    do {
        move(mine + from * bytes, fl_coll_at(call, src, from), bytes, &op);
        from = next(call, from);
    } while (from != fl_coll_me(call));
    end(call, &op);
}

void fl_coll_exchange(const struct fl_coll_call *call, void *dst, const void *src, size_t bytes) {
    unsigned me = fl_coll_me(call), from = me;
    char *mine = fl_coll_at(call, dst, me);
    struct fl_comm_op op = {0};
    fl_coll_begin(call);
    do {
        move(mine + from * bytes, (char *)fl_coll_at(call, src, from) + me * bytes, bytes, &op);
        from = next(call, from);
    } while (from != me);
    end(call, &op);
}

void fl_coll_permute(const struct fl_coll_call *call, void *dst, const void *src, const int *perm,
                     size_t bytes) {
    unsigned me = fl_coll_me(call);
    struct fl_comm_op op = {0};
    fl_coll_begin(call);
    int to = *(const int *)fl_coll_at(call, perm, me);
    move(fl_coll_at(call, dst, (unsigned)to), fl_coll_at(call, src, me), bytes, &op);
    end(call, &op);
}

/* Values go over the board, a slot's worth at each meeting. */
static size_t piece(size_t bytes, size_t done) {
    return bytes - done < FL_COLL_SLOT_BYTES ? bytes - done : FL_COLL_SLOT_BYTES;
}

void fl_coll_value_broadcast(const struct fl_coll_call *call, void *value, size_t bytes,
                             unsigned root) {
    for (size_t done = 0; done < bytes; done += FL_COLL_SLOT_BYTES) {
        struct fl_coll_slot *slots = fl_coll_meet(call);
        bool mine = fl_coll_me(call) == root;
        if (mine) {
            memcpy(fl_coll_write(call, slots, root)->bytes, (char *)value + done, piece(bytes, done));
        }
        fl_coll_pass(call, !mine);
        if (!mine) {
            memcpy((char *)value + done, slots[root].bytes, piece(bytes, done));
        }
    }
}

void fl_coll_value_scatter(const struct fl_coll_call *call, void *value, const void *src,
                           size_t bytes, unsigned root) {
    unsigned me = fl_coll_me(call);
    for (size_t done = 0; done < bytes; done += FL_COLL_SLOT_BYTES) {
        struct fl_coll_slot *slots = fl_coll_meet(call);
        for (unsigned t = 0; me == root && t < call->team->threads; t++) {
            memcpy(fl_coll_write(call, slots, t)->bytes, (const char *)src + t * bytes + done,
                   piece(bytes, done));
        }
        fl_coll_pass(call, me != root);
        memcpy((char *)value + done, slots[me].bytes, piece(bytes, done));
    }
}

void fl_coll_value_gather(const struct fl_coll_call *call, void *dst, const void *value,
                          size_t bytes) {
    for (size_t done = 0; done < bytes; done += FL_COLL_SLOT_BYTES) {
        struct fl_coll_slot *slots = fl_coll_meet(call);
        memcpy(fl_coll_write(call, slots, fl_coll_me(call))->bytes, (const char *)value + done,
               piece(bytes, done));
        fl_coll_pass(call, dst != NULL);
        for (unsigned t = 0; dst && t < call->team->threads; t++) {
            memcpy((char *)dst + t * bytes + done, slots[t].bytes, piece(bytes, done));
        }
    }
}

void fl_coll_value_permute(const struct fl_coll_call *call, void *value, size_t bytes,
                           unsigned to) {
    for (size_t done = 0; done < bytes; done += FL_COLL_SLOT_BYTES) {
        struct fl_coll_slot *slots = fl_coll_meet(call);
        memcpy(fl_coll_write(call, slots, to)->bytes, (char *)value + done, piece(bytes, done));
        fl_coll_pass(call, true);
        memcpy((char *)value + done, slots[fl_coll_me(call)].bytes, piece(bytes, done));
    }
}
