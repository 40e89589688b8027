/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transports: what carries messages between the processes of a job that are on different hosts.
 * Each is a shared object, libfurlong-net-NAME.so, that is loaded when a job needs it, so that a
 * machine without its libraries still runs programs on one host. A transport knows bytes and
 * processes; not threads, addresses, or what messages mean. It never sees another transport.
 *
 * Messages between two processes arrive once, whole, and in the order in which they were sent; a
 * connection that breaks is reported, never mended. A transport belongs to one caller at a time
 * (comm's mutex): it needs no locks of its own.
 */
#ifndef FL_NET_NET_H
#define FL_NET_NET_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FL_NET_ABI = 3,
    FL_NET_CARD_BYTES = 1024, /* most bytes of a process's address */
    FL_NET_HEADER_BYTES = 96, /* most bytes of a message's header */
    FL_NET_KEY_BYTES = 32,    /* of a job's key */
    FL_NET_ACCESS_BYTES = 512, /* most bytes of the key to a range of memory */
};

struct fl_net;        /* a transport's own state */
struct fl_net_region; /* memory of another process that this one has the key to */

/* The address of a process: opaque to all but its transport. The launcher collects those of all
 * processes, and gives them to all. */
struct fl_net_card {
    uint32_t bytes;
    unsigned char text[FL_NET_CARD_BYTES];
};

struct fl_net_setup {
    unsigned procs, me;
    const unsigned char *key; /* of the job: both ends of a connection must know it */
    uint32_t patience_ms;  /* a host that acknowledges nothing for so long is lost; 0: never */
    const char *interface; /* the only network interface to use; null: the transport's choice */
    bool one_sided; /* one-sided operations will be wanted where they are direct */
    bool imitated;  /* and also where they are not */
    void *context;
    /* A message has arrived. Called from poll only. Header and payload live until it returns; the
     * header is aligned to 8 bytes, the payload to none. It may send. */
    void (*deliver)(void *context, const void *header, size_t header_bytes, const void *payload,
                    size_t bytes);
    /* `peer` can no longer be reached; called once for each, from poll or send. */
    void (*lost)(void *context, unsigned peer, const char *why);
    /* The put or get that was given `token` has ended. Called from poll, put or get. */
    void (*ended)(void *context, void *token);
};

/* The key to a range of memory, which its owner gives to other processes: opaque. */
struct fl_net_access {
    uint32_t bytes;
    unsigned char text[FL_NET_ACCESS_BYTES];
};

/*
 * One-sided operations: one process reads and writes memory of another, whose CPU does nothing for
 * that. Neither is ordered with messages, nor with other operations: a caller that needs an order
 * waits until the earlier one has ended. Those to a peer that is lost do not end.
 *
 * There are no atomic operations here. comm's are atomic with those of the CPUs of the word's host,
 * and network cards promise that only among their own; where UCX can promise it, the target's CPU
 * performs them, which comm's messages do as well.
 */
struct fl_net_one_sided {
    /* Whether operations on memory of `peer` need nothing of its CPU; else they are messages inside
     * the transport. It connects. */
    bool (*is_direct)(struct fl_net *net, unsigned peer);

    /* Registers memory of this process, until the end, for all holders of the key; false: it
     * cannot. Its pages may be pinned: they must not be replaced from then on. */
    bool (*expose)(struct fl_net *net, void *memory, size_t bytes, struct fl_net_access *access);

    /* The region of `owner` that a key of its is to; null: the key is of no use. Lives until
     * close. */
    struct fl_net_region *(*open_region)(struct fl_net *net, unsigned owner,
                                         const struct fl_net_access *access);

    /* Within the region. `from` and `to` stay the operation's until it has ended: a put when every
     * process would read it, a get when its bytes are there. Never block, nor refuse. */
    void (*put)(struct fl_net *net, struct fl_net_region *region, uint64_t address,
                const void *from, size_t bytes, void *token);
    void (*get)(struct fl_net *net, struct fl_net_region *region, uint64_t address, void *to,
                size_t bytes, void *token);
};

struct fl_net_ops {
    uint32_t abi; /* FL_NET_ABI */
    const char *name;
    size_t payload_most; /* bytes of payload of one message; the best size for long transfers */
    bool sees_silence;   /* it reports hosts that acknowledge nothing, after setup->patience_ms */

    /* Null, or why not: text that lives on. Listens on setup->interface, and nowhere else. */
    const char *(*open)(const struct fl_net_setup *setup, struct fl_net **net_p,
                        struct fl_net_card *card);

    /* Once, before the first send: where the others are. `card_of` may be called at any time until
     * close; connections may be made when they are first used. Null, or why not. */
    const char *(*connect)(struct fl_net *net,
                           const struct fl_net_card *(*card_of)(void *context, unsigned proc),
                           void *context);

    /* Never blocks, and never refuses: what cannot go yet is kept. The header is copied; so is the
     * payload if `done` is null. Else the payload may be read until 1 is added to *done, in a later
     * poll or before send returns. Does not call deliver. */
    void (*send)(struct fl_net *net, unsigned to, const void *header, size_t header_bytes,
                 const void *payload, size_t bytes, uint32_t *done);

    /* Moves messages on and delivers those that have arrived; how much it did. Never blocks, not
     * from within deliver. */
    unsigned (*poll)(struct fl_net *net);

    /* Before sleeping on the descriptor, which becomes readable when there is something to poll
     * for: false if there is already. Null, or -1: the transport cannot be slept on. */
    int (*descriptor)(struct fl_net *net);
    bool (*arm)(struct fl_net *net);

    /* Frees everything; others may no longer be there. */
    void (*close)(struct fl_net *net);

    const struct fl_net_one_sided *one_sided; /* null: it has none */
};

/* What each shared object exports. */
extern const struct fl_net_ops fl_net_ops;

/* The transport called `name` (`mpi`: that of the program's MPI, else the first that can be loaded);
 * null and *why_p if it cannot be, naming what lacks and which package has it. Looks in `folder`
 * (the setting net_path) unless it is null, then beside the library. */
const struct fl_net_ops *fl_net_load(const char *name, const char *folder, const char **why_p);

/* The same for the shared object of the transport, as dlopen returns it. */
void *fl_net_open_object(const char *name, const char *folder, const char **why_p);

/* The transport of the MPI that the program is linked with; null if it is with none. */
const char *fl_net_mpi_of_program(void);

/* Before the program's main: how many threads of this process call MPI_Init each for itself, and how
 * many processes are not one job to MPI, of which this one warns; 0 if it need not. */
void fl_net_mpi_callers(unsigned threads, unsigned apart);

/* After the last barrier: ends the MPI that several threads have shared. */
void fl_net_mpi_end(void);

#endif
