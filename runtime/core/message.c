/* SPDX-License-Identifier: BSD-3-Clause */
/* Refusals of messages that no row describes: see message.h. */
#include "core/message.h"

#include "core/fatal.h"

#include <stdio.h>

/* The sizes that the row allows, as text. */
static void say_sizes(char *to, size_t room, const struct fl_message_row *row) {
    if (row->least == row->most) {
        snprintf(to, room, "%zu bytes", row->most);
    } else if (row->most == FL_ANY_SIZE) {
        snprintf(to, room, "%zu bytes or more", row->least);
    } else {
        snprintf(to, room, "%zu to %zu bytes", row->least, row->most);
    }
}

void fl_message_refuse(const struct fl_message_come *come, const struct fl_message_row *row) {
    static const char *const hows[] = {"tells", "asks"};
    char sizes[64];
    say_sizes(sizes, sizeof sizes, row);
    fl_fatal(FL_CODE_BAD_MESSAGE,
             "process %u sent process %u a message %s that makes no sense: `%s` %s, with %zu words "
             "and %s, and this one %s, with %zu words and %zu bytes%s",
             come->from, come->me, come->about, row->name, hows[row->how], row->words, sizes,
             hows[come->asks], come->words, come->bytes,
             row->where == FL_MESSAGE_FIRST    ? "; it is for process 0"
             : row->where == FL_MESSAGE_FROM_FIRST ? "; it is from process 0"
             : row->where == FL_MESSAGE_SELF   ? "; it is for its sender"
                                               : "");
}

void fl_message_refuse_kind(const struct fl_message_come *come) {
    fl_fatal(FL_CODE_BAD_MESSAGE,
             "process %u sent process %u a message %s that makes no sense: there is none of its kind",
             come->from, come->me, come->about);
}
