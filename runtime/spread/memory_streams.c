/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams that are no files. The text that open_memstream makes is the program's memory, as all that
 * the C library allocates for its caller (results.c); but the C library allocates this text while
 * any function prints, so the stream is one of fopencookie that appends to a text of ours.
 *
 * Only the host that has opened such a stream can use it: on the others there is no memory at its
 * place (streams.c), so that an access can be told from one by a wild pointer.
 */
#include "spread/inside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *block;
    size_t length, room, at;
    /* Where the program finds the text, and how long it is, or where the stream is before its end. */
    char **block_p;
    size_t *bytes_p;
};

static void tell_program(const struct text *text) {
    *text->block_p = text->block;
    *text->bytes_p = text->at < text->length ? text->at : text->length;
}

/* Room for so many bytes and a 0 behind them; what has not been written is 0. */
static bool make_room(struct text *text, size_t bytes) {
    if (bytes < text->room) {
        return true;
    }
    size_t room = bytes < 64 ? 128 : 2 * bytes;
    char *larger = fl_heap_program(room, 16);
    if (!larger) {
        return false;
    }
    if (text->block) {
        memcpy(larger, text->block, text->length);
        fl_heap_give(text->block);
    }
    memset(larger + text->length, 0, room - text->length);
    text->block = larger;
    text->room = room;
    return true;
}

static ssize_t append(void *text_p, const char *from, size_t bytes) {
    struct text *text = text_p;
    if (!make_room(text, text->at + bytes)) {
        return 0;
    }
    memcpy(text->block + text->at, from, bytes);
    text->at += bytes;
    text->length = text->at > text->length ? text->at : text->length;
    tell_program(text);
    return (ssize_t)bytes;
}

static int seek(void *text_p, off64_t *offset, int whence) {
    struct text *text = text_p;
    size_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? text->at : text->length;
    if (*offset < -(off64_t)from) {
        errno = EINVAL;
        return -1;
    }
    *offset += (off64_t)from;
    text->at = (size_t)*offset;
    tell_program(text);
    return 0;
}

static int end(void *text) {
    free(text);
    return 0;
}

FL_EXPORT FILE *fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions) {
    void *place = fl_streams_begin(__builtin_return_address(0), false);
    return fl_streams_opened(place, FL_NEXT(fopencookie)(cookie, mode, functions));
}

FL_EXPORT FILE *fmemopen(void *memory, size_t bytes, const char *mode) {
    void *place = fl_streams_begin(__builtin_return_address(0), false);
    return fl_streams_opened(place, FL_NEXT(fmemopen)(memory, bytes, mode));
}

static FILE *open_text(char **block_p, size_t *bytes_p) {
    struct text *text = calloc(1, sizeof *text);
    if (!text) {
        return NULL;
    }
    *text = (struct text){.block_p = block_p, .bytes_p = bytes_p};
    const cookie_io_functions_t functions = {.write = append, .seek = seek, .close = end};
    FILE *stream = make_room(text, 0) ? FL_NEXT(fopencookie)(text, "w", functions) : NULL;
    if (stream) {
        tell_program(text);
    } else {
        free(text);
    }
    return stream;
}

FL_EXPORT FILE *open_memstream(char **block_p, size_t *bytes_p) {
    if (!fl_heap_is_program(__builtin_return_address(0))) {
        return FL_NEXT(open_memstream)(block_p, bytes_p);
    }
    void *place = fl_streams_begin(__builtin_return_address(0), false);
    return fl_streams_opened(place, open_text(block_p, bytes_p));
}
