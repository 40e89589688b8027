/* SPDX-License-Identifier: BSD-3-Clause */
/* See cards.h. On the control socket a card is hexadecimal digits (docs/launch.md). */
#include "job/cards.h"

#include "core/fatal.h"
#include "job/pmix.h"
#include "platform/os.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PACKET_BYTES = 2 * FL_NET_CARD_BYTES + 32 };

static FL_COLD _Noreturn void fail(const char *why) {
    fl_fatal(FL_CODE_JOB_VARIABLE, "the addresses of the job's processes cannot be exchanged: %s",
             why);
}

static void send_own(int fd, const struct fl_net_card *own) {
    char packet[PACKET_BYTES];
    size_t length = (size_t)snprintf(packet, sizeof packet, "card ");
    for (uint32_t i = 0; i < own->bytes; i++) {
        length += (size_t)snprintf(packet + length, sizeof packet - length, "%02x", own->text[i]);
    }
    int error = fl_os_send_packet_sigsafe(fd, packet, length);
    if (error) {
        fail(strerror(-error));
    }
}

/* "card PROC HEX" */
static bool take(struct fl_cards *cards, unsigned procs, const char *packet) {
    unsigned proc;
    int at = 0;
    if (sscanf(packet, "card %u %n", &proc, &at) != 1 || at == 0 || proc >= procs) {
        return false;
    }
    struct fl_net_card *card = &cards->all[proc];
    const char *hex = packet + at;
    for (card->bytes = 0; card->bytes < FL_NET_CARD_BYTES && isxdigit((unsigned char)hex[0]) &&
                          isxdigit((unsigned char)hex[1]);
         hex += 2) {
        const char digits[] = {hex[0], hex[1], '\0'};
        card->text[card->bytes++] = (unsigned char)strtoul(digits, NULL, 16);
    }
    return *hex == '\0';
}

static void receive_one(struct fl_cards *cards, unsigned procs, int fd) {
    char packet[PACKET_BYTES + 1];
    size_t length;
    int error = fl_os_receive_packet(fd, packet, PACKET_BYTES, &length);
    if (error || length == 0) {
        fail(error ? strerror(-error) : "the launcher is gone");
    }
    packet[length] = '\0';
    if (!take(cards, procs, packet)) {
        fail("the launcher says something else");
    }
}

static void take_bytes(void *context, unsigned rank, const void *bytes, size_t n) {
    struct fl_net_card *card = &((struct fl_cards *)context)->all[rank];
    if (n > sizeof card->text) {
        fail("one is too long");
    }
    card->bytes = (uint32_t)n;
    memcpy(card->text, bytes, n);
}

static void exchange_by_pmix(struct fl_cards *cards, const struct fl_job *job,
                             const struct fl_net_card *own) {
    const char *why =
        job->pmix->exchange("furlong.card", own->text, own->bytes, take_bytes, cards);
    if (why) {
        fail(why);
    }
}

void fl_cards_exchange(struct fl_cards *cards, const struct fl_job *job,
                       const struct fl_net_card *own) {
    cards->all = calloc(job->procs, sizeof *cards->all);
    if (!cards->all) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for the addresses of %u processes", job->procs);
    }
    if (job->pmix) {
        exchange_by_pmix(cards, job, own);
    } else {
        send_own(job->ctl, own);
        for (unsigned i = 1; i < job->procs; i++) {
            receive_one(cards, job->procs, job->ctl);
        }
    }
    cards->all[job->proc] = *own;
}

const struct fl_net_card *fl_cards_of(void *cards, unsigned proc) {
    return &((struct fl_cards *)cards)->all[proc];
}
