/* SPDX-License-Identifier: BSD-3-Clause */
/* A message as one piece of bytes: its header, and its payload, which both ends align alike. */
#ifndef FL_NET_TEXT_H
#define FL_NET_TEXT_H

#include "net/net.h"

#include <string.h>

struct fl_net_text {
    uint32_t header_bytes, payload_at; /* in `bytes` */
    unsigned char bytes[];
};
#define FL_NET_TEXT_BYTES(payload_bytes)                                                           \
    (sizeof(struct fl_net_text) + FL_NET_HEADER_BYTES + (payload_bytes)) /* at most */

static inline size_t fl_net_text_payload_at(size_t header_bytes, size_t bytes) {
    return bytes ? (header_bytes + 7) & ~(size_t)7 : header_bytes;
}

/* Returns the text's bytes. A payload that is null follows by itself. */
static inline size_t fl_net_text_write(struct fl_net_text *text, const void *header,
                                       size_t header_bytes, const void *payload, size_t bytes) {
    size_t payload_at = fl_net_text_payload_at(header_bytes, bytes);
    text->header_bytes = (uint32_t)header_bytes;
    text->payload_at = (uint32_t)payload_at;
    memcpy(text->bytes, header, header_bytes);
    if (!payload || bytes == 0) {
        return sizeof *text + payload_at;
    }
    memcpy(text->bytes + payload_at, payload, bytes);
    return sizeof *text + payload_at + bytes;
}

/* Of `n` bytes in all. What no process of the job sends is dropped. */
static inline void fl_net_text_deliver(const struct fl_net_setup *setup,
                                       const struct fl_net_text *text, size_t n) {
    if (n < sizeof *text || text->header_bytes > text->payload_at ||
        text->payload_at > n - sizeof *text) {
        return;
    }
    setup->deliver(setup->context, text->bytes, text->header_bytes, text->bytes + text->payload_at,
                   n - sizeof *text - text->payload_at);
}

#endif
