/* SPDX-License-Identifier: BSD-3-Clause */
/* See value.h. Values travel in cells, a cell's worth at each step. */
#include "coll/value.h"

#include "coll/share.h"

static size_t piece(size_t bytes, size_t done) {
    return bytes - done < FL_COLL_CELL_BYTES ? bytes - done : FL_COLL_CELL_BYTES;
}

static void leave(const struct fl_coll_call *call, unsigned rank, const void *from, size_t bytes) {
    struct fl_coll_cell *cell = fl_coll_open(call, rank);
    memcpy(cell->bytes, from, bytes);
    fl_coll_leave(call, cell);
}

static void get(const struct fl_coll_call *call, unsigned rank, void *to, size_t bytes) {
    memcpy(to, fl_coll_get(call, rank)->bytes, bytes);
}

void fl_coll_value_broadcast(struct fl_coll_call *call, void *value, size_t bytes, unsigned root) {
    bool mine = fl_coll_me(call) == root;
    for (size_t done = 0; done < bytes; done += FL_COLL_CELL_BYTES) {
        fl_coll_step(call);
        if (mine) {
            leave(call, root, (char *)value + done, piece(bytes, done));
        }
        fl_coll_pass(call, !mine);
        if (!mine) {
            get(call, root, (char *)value + done, piece(bytes, done));
        }
    }
}

void fl_coll_value_scatter(struct fl_coll_call *call, void *value, const void *src, size_t bytes,
                           unsigned root) {
    unsigned me = fl_coll_me(call);
    for (size_t done = 0; done < bytes; done += FL_COLL_CELL_BYTES) {
        fl_coll_step(call);
        for (unsigned to = 0; me == root && to < call->team->members; to++) {
            leave(call, to, (const char *)src + to * bytes + done, piece(bytes, done));
        }
        fl_coll_pass(call, true);
        get(call, me, (char *)value + done, piece(bytes, done));
    }
}

void fl_coll_value_gather(struct fl_coll_call *call, void *dst, const void *value, size_t bytes) {
    for (size_t done = 0; done < bytes; done += FL_COLL_CELL_BYTES) {
        fl_coll_step(call);
        leave(call, fl_coll_me(call), (const char *)value + done, piece(bytes, done));
        fl_coll_pass(call, dst != NULL);
        for (unsigned from = 0; dst && from < call->team->members; from++) {
            get(call, from, (char *)dst + from * bytes + done, piece(bytes, done));
        }
    }
}

void fl_coll_value_permute(struct fl_coll_call *call, void *value, size_t bytes, unsigned to) {
    for (size_t done = 0; done < bytes; done += FL_COLL_CELL_BYTES) {
        fl_coll_step(call);
        leave(call, to, (const char *)value + done, piece(bytes, done));
        fl_coll_pass(call, true);
        get(call, fl_coll_me(call), (char *)value + done, piece(bytes, done));
    }
}
