/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI as a transport, built once for each MPI: for machines that have no other way to their
 * network, and for programs that call MPI themselves. All processes of MPI_COMM_WORLD belong to
 * the job, and a card is a rank in it.
 *
 * Messages between two processes keep their order because all have one tag and one communicator of
 * our own: MPI matches them with receives in the order in which they were sent, and the receives
 * are looked at in the order in which they were posted.
 */
#include "net/mpi.h"

#include "net/mpi_own.h"
#include "net/signals.h"
#include "net/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PAYLOAD_MOST = 64 << 10,
    SMALL = 512,          /* bytes up to which a message's memory is used again */
    CLOSE_PATIENCE = 2,   /* seconds for all to end */
    TAG = 0,
};

/* A message on its way. */
struct fl_mpi_message {
    struct fl_mpi_message *next;
    MPI_Request request;
    size_t room;
    struct fl_net_text text;
};

static const char *trouble(const char *what, int error) {
    char words[MPI_MAX_ERROR_STRING] = "", *text;
    int length;
    MPI_Error_string(error, words, &length);
    return asprintf(&text, "MPI: %s: %s", what, words) < 0 ? what : text;
}

void fl_mpi_lose(struct fl_net *net, unsigned peer, const char *what, int error) {
    if (!net->lost[peer]) {
        net->lost[peer] = true;
        net->setup.lost(net->setup.context, peer, trouble(what, error));
    }
}

/* ---- leaving ---- */

static struct fl_mpi_message *message_new(struct fl_net *net, size_t bytes) {
    struct fl_mpi_message *message = net->free;
    if (message && bytes <= SMALL) {
        net->free = message->next;
        return message;
    }
    size_t room = bytes > SMALL ? bytes : SMALL;
    message = malloc(sizeof *message + room);
    if (message) {
        message->room = room;
    }
    return message;
}

static void message_end(struct fl_net *net, struct fl_mpi_message *message) {
    if (message->room > SMALL) {
        free(message);
    } else {
        message->next = net->free;
        net->free = message;
    }
}

/* The payload is copied: MPI would have to gather it from two places, and does that by copying. */
static void mpi_send(struct fl_net *net, unsigned to, const void *header, size_t header_bytes,
                     const void *payload, size_t bytes, uint32_t *done) {
    size_t room = fl_net_text_payload_at(header_bytes, bytes) + bytes;
    struct fl_mpi_message *message = net->lost[to] ? NULL : message_new(net, room);
    if (done) {
        ++*done;
    }
    if (!message) {
        if (!net->lost[to]) {
            fl_mpi_lose(net, to, "send", MPI_ERR_NO_MEM);
        }
        return;
    }
    size_t n = fl_net_text_write(&message->text, header, header_bytes, payload, bytes);
    int error = MPI_Isend(&message->text, (int)n, MPI_BYTE, net->ranks[to], TAG, net->comm,
                          &message->request);
    if (error != MPI_SUCCESS) {
        message_end(net, message);
        fl_mpi_lose(net, to, "send", error);
        return;
    }
    message->next = NULL;
    *net->last = message;
    net->last = &message->next;
}

/* Memory comes back in the order of sending: a message that waits for its receiver keeps that of
 * later ones, for as long as it waits. */
static void reclaim(struct fl_net *net) {
    while (net->first) {
        struct fl_mpi_message *message = net->first;
        int left = 0;
        MPI_Test(&message->request, &left, MPI_STATUS_IGNORE);
        if (!left) {
            return;
        }
        net->first = message->next;
        if (!net->first) {
            net->last = &net->first;
        }
        message_end(net, message);
    }
}

/* ---- arriving ---- */

static int post(struct fl_net *net, struct fl_mpi_receive *receive) {
    return MPI_Irecv(receive->text, (int)FL_NET_TEXT_BYTES(PAYLOAD_MOST), MPI_BYTE, MPI_ANY_SOURCE, TAG, net->comm,
                     &receive->request);
}

static unsigned mpi_poll(struct fl_net *net) {
    unsigned delivered = 0;
    while (delivered < FL_MPI_RECEIVES) {
        struct fl_mpi_receive *receive = &net->receives[net->next_receive];
        int arrived = 0, bytes = 0;
        MPI_Status status;
        MPI_Test(&receive->request, &arrived, &status);
        if (!arrived) {
            break;
        }
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        fl_net_text_deliver(&net->setup, receive->text, (size_t)bytes);
        post(net, receive);
        net->next_receive = (net->next_receive + 1) % FL_MPI_RECEIVES;
        delivered++;
    }
    reclaim(net);
    return delivered + fl_mpi_window_poll(net);
}

/* ---- beginning and end ---- */

static void *own(const char *name) {
    return fl_net_mpi_own((const void *)(uintptr_t)PMPI_Initialized, name);
}

void fl_net_mpi_finalize(void) {
    ((__typeof__(&PMPI_Finalize))own("PMPI_Finalize"))();
}

/* The program may call MPI while our own thread does, so all threads are asked for; one at a time
 * is enough for us alone. MPI's own function: the program's (calls.c) counts its calls. */
const char *fl_net_mpi_start(bool *here_p) {
    int running, level, error = MPI_SUCCESS;
    MPI_Initialized(&running);
    if (running) {
        MPI_Query_thread(&level);
    } else {
        struct fl_net_signals signals;
        fl_net_signals_keep(&signals);
        __typeof__(&PMPI_Init_thread) init = own("PMPI_Init_thread");
        error = init(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
        fl_net_signals_restore(&signals);
    }
    if (error != MPI_SUCCESS) {
        return trouble("MPI_Init_thread", error);
    }
    *here_p = !running;
    return level < MPI_THREAD_SERIALIZED
               ? "MPI does not allow calls from several threads (MPI_THREAD_SERIALIZED)"
               : NULL;
}

static const char *join_world(struct fl_net *net) {
    int size;
    const char *why = fl_net_mpi_start(&net->initialised_here);
    if (why) {
        return why;
    }
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if ((unsigned)size != net->setup.procs) {
        return "MPI_COMM_WORLD has not as many processes as the job; start the program with "
               "mpirun instead of upcrun";
    }
    int error = MPI_Comm_dup(MPI_COMM_WORLD, &net->comm);
    if (error != MPI_SUCCESS) {
        return trouble("MPI_Comm_dup", error);
    }
    MPI_Comm_set_errhandler(net->comm, MPI_ERRORS_RETURN);
    return NULL;
}

static const char *post_all(struct fl_net *net) {
    for (unsigned i = 0; i < FL_MPI_RECEIVES; i++) {
        net->receives[i].text = malloc(FL_NET_TEXT_BYTES(PAYLOAD_MOST));
        if (!net->receives[i].text) {
            return "no memory for the transport";
        }
        int error = post(net, &net->receives[i]);
        if (error != MPI_SUCCESS) {
            return trouble("MPI_Irecv", error);
        }
    }
    return NULL;
}

static const char *mpi_open(const struct fl_net_setup *setup, struct fl_net **net_p,
                            struct fl_net_card *card) {
    struct fl_net *net = calloc(1, sizeof *net);
    int *ranks = calloc(setup->procs, sizeof *ranks);
    bool *lost = calloc(setup->procs, sizeof *lost);
    if (!net || !ranks || !lost) {
        free(net);
        free(ranks);
        free(lost);
        return "no memory for the transport";
    }
    *net = (struct fl_net){.setup = *setup, .ranks = ranks, .lost = lost, .last = &net->first};
    const char *why = join_world(net);
    if (!why) {
        why = post_all(net);
    }
    if (why) {
        return why; /* fatal for the job, and MPI cannot be left half way */
    }
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fl_mpi_window_open(net);
    card->bytes = sizeof rank;
    memcpy(card->text, &rank, sizeof rank);
    *net_p = net;
    return NULL;
}

static const char *mpi_connect(struct fl_net *net,
                               const struct fl_net_card *(*card_of)(void *context, unsigned proc),
                               void *context) {
    for (unsigned i = 0; i < net->setup.procs; i++) {
        memcpy(&net->ranks[i], card_of(context, i)->text, sizeof net->ranks[i]);
        if (net->ranks[i] < 0 || (unsigned)net->ranks[i] >= net->setup.procs) {
            return "MPI: a card is no rank";
        }
    }
    return NULL;
}

static void ignore(void *context, const void *header, size_t header_bytes, const void *payload,
                   size_t bytes) {
    (void)context, (void)header, (void)header_bytes, (void)payload, (void)bytes;
}

/* Waits until all processes have arrived here (else false), and their messages have left: MPI complains, when it
 * ends, of messages that were not received. */
static bool meet(struct fl_net *net) {
    MPI_Request barrier;
    int met = 0;
    net->setup.deliver = ignore;
    if (MPI_Ibarrier(net->comm, &barrier) != MPI_SUCCESS) {
        return false;
    }
    for (time_t end = time(NULL) + CLOSE_PATIENCE; (!met || net->first) && time(NULL) < end;) {
        mpi_poll(net);
        MPI_Test(&barrier, &met, MPI_STATUS_IGNORE);
    }
    mpi_poll(net);
    return met;
}

static void mpi_close(struct fl_net *net) {
    int over;
    ((__typeof__(&PMPI_Finalized))own("PMPI_Finalized"))(&over);
    bool met = !over && meet(net);
    fl_mpi_window_close(net, met);
    for (unsigned i = 0; !over && i < FL_MPI_RECEIVES; i++) {
        MPI_Cancel(&net->receives[i].request);
        MPI_Wait(&net->receives[i].request, MPI_STATUS_IGNORE);
    }
    if (!over && net->initialised_here) {
        fl_net_mpi_finalize();
    }
    for (unsigned i = 0; i < FL_MPI_RECEIVES; i++) {
        free(net->receives[i].text);
    }
    while (net->free) {
        struct fl_mpi_message *next = net->free->next;
        free(net->free);
        net->free = next;
    }
    free(net->ranks);
    free(net->lost);
    free(net);
}

/* No descriptor: MPI can only be polled. */
__attribute__((visibility("default"))) const struct fl_net_ops fl_net_ops = {
    .abi = FL_NET_ABI,
    .name = FL_NET_NAME,
    .payload_most = PAYLOAD_MOST,
    .open = mpi_open,
    .connect = mpi_connect,
    .send = mpi_send,
    .poll = mpi_poll,
    .close = mpi_close,
    .one_sided = &fl_mpi_one_sided,
};
