/* SPDX-License-Identifier: BSD-3-Clause */
/* That a message which its row describes passes, and any other one ends the job and is named. */
#include "core/message.h"
#include "core/test.h"

static const struct fl_message_row rows[] = {
    {"fetch", FL_MESSAGE_TELL, FL_MESSAGE_HOME, 1, 2, 30},
    {"arrive", FL_MESSAGE_TELL, FL_MESSAGE_FIRST, 1, 0, FL_ANY_SIZE},
    {"depart", FL_MESSAGE_TELL, FL_MESSAGE_FROM_FIRST, 1, 0, 0},
    {"retry", FL_MESSAGE_TELL, FL_MESSAGE_SELF, 1, 0, 0},
    {"who", FL_MESSAGE_ASK, FL_MESSAGE_MANAGER, 2, 0, 0},
};

static const struct {
    unsigned row, from, me;
    bool asks;
    size_t words, bytes;
    const char *says; /* null: it passes */
} cases[] = {
    {0, 1, 2, false, 1, 2, NULL},
    {0, 1, 2, false, 1, 30, NULL},
    {0, 1, 2, false, 1, 1, "`fetch` tells, with 1 words and 2 to 30 bytes"},
    {0, 1, 2, false, 1, 31, "process 1 sent process 2 a message about tests"},
    {0, 1, 2, false, 2, 2, "this one tells, with 2 words and 2 bytes"},
    {0, 1, 2, true, 1, 2, "this one asks"},
    {1, 3, 0, false, 1, 1 << 20, NULL},
    {1, 3, 2, false, 1, 0, "`arrive` tells, with 1 words and 0 bytes or more"},
    {1, 3, 2, false, 1, 0, "it is for process 0"},
    {2, 0, 2, false, 1, 0, NULL},
    {2, 1, 2, false, 1, 0, "it is from process 0"},
    {3, 2, 2, false, 1, 0, NULL},
    {3, 1, 2, false, 1, 0, "it is for its sender"},
    {4, 1, 2, true, 2, 0, NULL},
    {4, 1, 2, false, 2, 0, "`who` asks, with 2 words and 0 bytes"},
};

static struct fl_message_come come_of(unsigned i) {
    return (struct fl_message_come){"about tests",  cases[i].from,  cases[i].me,
                                    cases[i].asks, cases[i].words, cases[i].bytes};
}

static bool check_one(unsigned unused, void *i_p) {
    (void)unused;
    unsigned i = *(unsigned *)i_p;
    struct fl_message_come come = come_of(i);
    fl_message_check(&come, &rows[cases[i].row]);
    return true;
}

static bool check_kind(unsigned unused, void *i_p) {
    (void)unused;
    struct fl_message_come come = come_of(*(unsigned *)i_p);
    fl_message_refuse_kind(&come);
}

int main(void) {
    unsigned i = 0;
    for (; i < sizeof cases / sizeof *cases; i++) {
        bool good = cases[i].says ? test_dies(check_one, &i, cases[i].says) : check_one(0, &i);
        CHECK(good, "message %u: %s", i, cases[i].says ? cases[i].says : "it passes");
    }
    i = 0;
    CHECK(test_dies(check_kind, &i, "there is none of its kind"), "a message of no kind");
    return test_done();
}
