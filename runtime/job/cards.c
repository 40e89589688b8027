/* SPDX-License-Identifier: BSD-3-Clause */
/* See cards.h. On the control socket a card is hexadecimal digits (docs/launch.md). */
#include "job/cards.h"

#include "core/fatal.h"
#include "job/launcher.h"
#include "platform/os.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What travels: the number of the CPUs, then the address as the transport has written it. */
struct card {
    uint64_t cpu_pool;
    unsigned char address[FL_NET_CARD_BYTES];
};
enum { HEAD = offsetof(struct card, address), PACKET_BYTES = 2 * sizeof(struct card) + 32 };

static FL_COLD _Noreturn void fail(const char *why) {
    fl_fatal(FL_CODE_JOB_VARIABLE, "the addresses of the job's processes cannot be exchanged: %s",
             why);
}

static void send_own(int fd, const void *bytes, size_t n) {
    char packet[PACKET_BYTES];
    size_t length = (size_t)snprintf(packet, sizeof packet, "card ");
    for (size_t i = 0; i < n; i++) {
        length += (size_t)snprintf(packet + length, sizeof packet - length, "%02x",
                                   ((const unsigned char *)bytes)[i]);
    }
    int error = fl_os_send_packet_sigsafe(fd, packet, length);
    if (error) {
        fail(strerror(-error));
    }
}

static void take_bytes(void *context, unsigned rank, const void *bytes, size_t n) {
    struct fl_cards *cards = context;
    struct fl_net_card *card = &cards->all[rank];
    if (n < HEAD || n > sizeof(struct card)) {
        fail("one is too short or too long");
    }
    card->bytes = (uint32_t)(n - HEAD);
    memcpy(&cards->cpu_pools[rank], bytes, HEAD);
    memcpy(card->text, (const unsigned char *)bytes + HEAD, card->bytes);
}

/* "card PROC HEX" */
static bool take(struct fl_cards *cards, unsigned procs, const char *packet) {
    unsigned proc;
    int at = 0;
    if (sscanf(packet, "card %u %n", &proc, &at) != 1 || at == 0 || proc >= procs) {
        return false;
    }
    unsigned char bytes[sizeof(struct card)];
    size_t n = fl_job_bytes(packet + at, bytes, sizeof bytes);
    if (n < HEAD) {
        return false;
    }
    take_bytes(cards, proc, bytes, n);
    return true;
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

static void exchange_by_launcher(struct fl_cards *cards, const struct fl_job *job,
                                 const void *bytes, size_t n) {
    const char *why = job->launcher->exchange("furlong.card", bytes, n, take_bytes, cards);
    if (why) {
        fail(why);
    }
}

void fl_cards_exchange(struct fl_cards *cards, const struct fl_job *job,
                       const struct fl_net_card *own) {
    cards->all = calloc(job->procs, sizeof *cards->all);
    cards->cpu_pools = calloc(job->procs, sizeof *cards->cpu_pools);
    if (!cards->all || !cards->cpu_pools) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for the addresses of %u processes", job->procs);
    }
    struct card card = {.cpu_pool = fl_os_cpu_pool()};
    memcpy(card.address, own->text, own->bytes);
    size_t n = HEAD + own->bytes;
    if (job->launcher) {
        exchange_by_launcher(cards, job, &card, n);
    } else {
        send_own(job->ctl, &card, n);
        for (unsigned i = 1; i < job->procs; i++) {
            receive_one(cards, job->procs, job->ctl);
        }
    }
    take_bytes(cards, job->proc, &card, n);
}

unsigned fl_cards_threads_beside(const struct fl_cards *cards, const struct fl_layout *layout) {
    unsigned first = fl_layout_my_first_proc(layout);
    unsigned threads = 0;
    for (unsigned proc = 0; proc < layout->procs; proc++) {
        bool elsewhere = proc - first >= fl_layout_my_procs(layout);
        if (elsewhere && cards->cpu_pools[proc] == cards->cpu_pools[layout->me]) {
            threads += fl_layout_threads_of_proc(layout, proc);
        }
    }
    return threads;
}

const struct fl_net_card *fl_cards_of(void *cards, unsigned proc) {
    return &((struct fl_cards *)cards)->all[proc];
}
