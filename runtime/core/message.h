/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages between the processes of a job. A room lists all of its own in its messages.def, a row
 * for each:
 *
 *     FL_MESSAGE(name, how, where, least, most, words...)
 *
 *     how          TELL, or ASK: it is answered once
 *     where        the process in which its handler runs, by the part that it plays: see
 *                  enum fl_message_where, of which some can be checked
 *     least, most  bytes of its payload
 *     words        names of the words that follow the first one, `kind`; or of bit-fields, in a room
 *                  whose messages are one word
 *
 * From the rows a room makes a number, a struct of the words and the prototype of a handler for each
 * message (FL_MESSAGE_PARTS, in its header), and one switch that calls the handlers
 * (FL_MESSAGE_CASE). A message that its row does not describe ends the job first, and is named: so
 * handlers need not look at sizes.
 */
#ifndef FL_CORE_MESSAGE_H
#define FL_CORE_MESSAGE_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fl_message_how { FL_MESSAGE_TELL, FL_MESSAGE_ASK };

enum fl_message_where {
    FL_MESSAGE_ANY,     /* any process */
    FL_MESSAGE_HOME,    /* the home of a page */
    FL_MESSAGE_MANAGER, /* of a lock */
    FL_MESSAGE_HOLDER,  /* the process that requested a lock last */
    FL_MESSAGE_ASKER,   /* the process that has requested this */
    FL_MESSAGE_KEEPER,  /* the process that has what the message names */
    FL_MESSAGE_FIRST,   /* process 0 */
    FL_MESSAGE_FROM_FIRST, /* any process; process 0 sends it */
    FL_MESSAGE_SELF,    /* the sender itself */
};

enum { FL_ANY_SIZE = INT32_MAX }; /* of a payload that has no limit but comm's */

/* A message that has come. */
struct fl_message_come {
    const char *about; /* what the room's messages are about */
    unsigned from, me; /* processes */
    bool asks;
    size_t words, bytes;
};

/* A row. */
struct fl_message_row {
    const char *name;
    enum fl_message_how how;
    enum fl_message_where where;
    size_t words, least, most;
};

/* A row's struct, and its handler's prototype: it gets the call, as the room sees one, and its words.
 * `kind`: the first word, or its bit-field. */
#define FL_MESSAGE_PARTS(room, call_type, name, kind, ...)                                         \
    struct room##_##name##_message {                                                               \
        uint64_t kind __VA_OPT__(, ) __VA_ARGS__;                                                  \
    };                                                                                             \
    void room##_serve_##name(const call_type *call, const struct room##_##name##_message *words);

/* A row's case of the switch that dispatches `call`. */
#define FL_MESSAGE_CASE(come, call, room, name, how, where, least, most)                           \
    case room##_kind_##name:                                                                       \
        fl_message_check(come, &(const struct fl_message_row){                                     \
            #name, FL_MESSAGE_##how, FL_MESSAGE_##where, FL_MESSAGE_N(room, name), least, most});  \
        room##_serve_##name(call, (const void *)(call)->words);                                    \
        return;

/* The words of a message of a room, which designators give; and they with their number, two
 * arguments as fl_comm_tell and fl_comm_ask take them. */
#define FL_MESSAGE_AT(room, name, ...)                                                             \
    ((const uint64_t *)(const void *)&(const struct room##_##name##_message){                      \
        .kind = room##_kind_##name, __VA_ARGS__})
#define FL_MESSAGE_WORDS(room, name, ...)                                                          \
    FL_MESSAGE_AT(room, name, __VA_ARGS__), FL_MESSAGE_N(room, name)
#define FL_MESSAGE_N(room, name) (sizeof(struct room##_##name##_message) / sizeof(uint64_t))

FL_COLD _Noreturn void fl_message_refuse(const struct fl_message_come *come,
                                         const struct fl_message_row *row);
/* No row has its kind. */
FL_COLD _Noreturn void fl_message_refuse_kind(const struct fl_message_come *come);

static inline void fl_message_check(const struct fl_message_come *come,
                                    const struct fl_message_row *row) {
    bool there = row->where == FL_MESSAGE_FIRST    ? come->me == 0
                 : row->where == FL_MESSAGE_FROM_FIRST ? come->from == 0
                 : row->where == FL_MESSAGE_SELF   ? come->from == come->me
                                                   : true;
    if (FL_UNLIKELY(!there || come->asks != (row->how == FL_MESSAGE_ASK) ||
                    come->words != row->words || come->bytes < row->least ||
                    come->bytes > row->most)) {
        fl_message_refuse(come, row);
    }
}

#endif
