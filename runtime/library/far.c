/* SPDX-License-Identifier: BSD-3-Clause */
/* See far.h. */
#include "library/far.h"

void far_begin(struct far_batch *batch, struct fl_comm_op *op) {
    batch->op = op;
    batch->put = false;
    batch->n = 0;
}

void far_add(struct far_batch *batch, bool put, uint64_t address, void *memory, size_t bytes) {
    if (batch->n == sizeof batch->pieces / sizeof batch->pieces[0] || put != batch->put) {
        far_end(batch);
        batch->put = put;
    }
    batch->pieces[batch->n++] = (struct fl_comm_piece){address, memory, bytes};
}

void far_end(struct far_batch *batch) {
    if (batch->n > 0 && batch->put) {
        fl_comm_put_pieces_nb(batch->pieces, batch->n, batch->op);
    } else if (batch->n > 0) {
        fl_comm_get_pieces_nb(batch->pieces, batch->n, batch->op);
    }
    batch->n = 0;
}
