/* SPDX-License-Identifier: BSD-3-Clause */
/* Cards come back from a launcher, which the test plays. */
#include "job/cards.h"

#include "core/test.h"

#include <sys/socket.h>

enum { PROCS = 3, ME = 1 };

static int ends[2];

/* Takes the process's own card, which may hold any bytes; deals the others, the last one first. */
static bool launcher(unsigned me, void *context) {
    (void)me, (void)context;
    char packet[4096];
    ssize_t got = recv(ends[1], packet, sizeof packet, 0);
    /* Process 0 is on the same CPUs, process 2 is not. */
    static const char two[] = "card 2 0000000000000000ff00";
    char none[] = "card 0 0123456789abcdef";
    memcpy(none + 7, packet + 5, 16);
    return got == 5 + 16 + 2 * FL_NET_CARD_BYTES && memcmp(packet + 21, "000102", 6) == 0 &&
           send(ends[1], two, sizeof two - 1, 0) > 0 && send(ends[1], none, sizeof none - 1, 0) > 0;
}

static bool process(unsigned me, void *context) {
    (void)me, (void)context;
    const struct fl_job job = {.procs = PROCS, .proc = ME, .ctl = ends[0]};
    struct fl_cards cards;
    struct fl_net_card own = {.bytes = FL_NET_CARD_BYTES};
    for (unsigned i = 0; i < own.bytes; i++) {
        own.text[i] = (unsigned char)i;
    }
    fl_cards_exchange(&cards, &job, &own);
    const struct fl_net_card *two = fl_cards_of(&cards, 2);
    bool good = fl_cards_of(&cards, 0)->bytes == 0 && two->bytes == 2 && two->text[0] == 0xff &&
                two->text[1] == 0 && memcmp(fl_cards_of(&cards, ME), &own, sizeof own) == 0;
    struct fl_layout layout;
    good = good && fl_layout_make(&layout, 5, 2, PROCS, (unsigned[]){0, 2, 4}, ME) &&
           fl_cards_threads_beside(&cards, &layout) == 2;
    fl_layout_release(&layout);
    free(cards.all);
    free(cards.cpu_pools);
    return good;
}

static bool both(unsigned me, void *context) {
    return (me ? launcher : process)(me, context);
}

/* What a launcher may say instead. */
static bool told(unsigned me, void *context) {
    const char *text = context;
    if (send(ends[1], text, strlen(text), 0) < 0) {
        return false;
    }
    return process(me, NULL);
}

static bool left_alone(unsigned me, void *context) {
    (void)shutdown(ends[1], SHUT_RDWR);
    return process(me, context);
}

int main(void) {
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) {
        return 1;
    }
    CHECK(test_in_threads(2, both, NULL), "cards are exchanged");
    if (!TEST_TSAN) {
        static char *const bad[] = {"card 3 00", "card 0 0", "card 0 0g", "card 0 00", "car", "card", "card -1 00"};
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            CHECK(test_dies(told, bad[i], "something else"), "\"%s\" is refused", bad[i]);
        }
        CHECK(test_dies(left_alone, NULL, "cannot be exchanged"), "a launcher that is gone");
    }
    return test_done();
}
