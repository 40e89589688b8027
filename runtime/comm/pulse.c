/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heartbeat: whether the other hosts are still alive. A transport reports connections that break;
 * those of a host that has lost its power or its cable do not. So the first process of each host
 * pings the first ones of some others, and their progress threads answer, whatever their threads
 * do.
 *
 * Where the transport reports hosts that do not even acknowledge a ping, sending one is enough: a
 * host that acknowledges and does not answer is alive, but has too much to do, and is given long
 * enough to come to it.
 */
#include "comm/inside.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    PINGED = 4,       /* hosts at most; each is pinged by as many */
    PER_PATIENCE = 7, /* pings */
    AT_START = 3,     /* times the patience until the first sign */
    BUSY = 20,        /* times the patience if the transport would see that the host is down */
    GRACE_NS = 1000000000 /* for the launcher to tell a better reason, or this process to end too */
};

static uint64_t asking_ns(void) {
    return fl_comm_state.setup.patience_ms * 1000000ull / PER_PATIENCE;
}

/* Until a silent host counts as lost. */
static uint64_t patience_ns(void) {
    bool busy = fl_comm_state.setup.net->sees_silence;
    return fl_comm_state.setup.patience_ms * 1000000ull * (busy ? BUSY : 1);
}

void fl_comm_pulse_start(void) {
    struct fl_comm_state *comm = &fl_comm_state;
    const struct fl_layout *layout = comm->setup.layout;
    comm->pulse.next_ns = UINT64_MAX;
    if (comm->me != fl_layout_my_first_proc(layout) || comm->setup.patience_ms == 0) {
        return;
    }
    comm->pulse.n = layout->hosts - 1 < PINGED ? layout->hosts - 1 : PINGED;
    comm->pulse.pinged = calloc(comm->pulse.n, sizeof *comm->pulse.pinged);
    if (!comm->pulse.pinged) {
        comm->pulse.n = 0;
        return; /* only the failures that the transport sees are noticed, then */
    }
    uint64_t now = fl_os_now_ns();
    comm->pulse.next_ns = now + asking_ns();
    for (unsigned i = 0; i < comm->pulse.n; i++) {
        comm->pulse.pinged[i].proc = layout->at[(layout->my_host + 1 + i) % layout->hosts].proc;
        comm->pulse.pinged[i].heard_ns = now + (AT_START - 1) * patience_ns();
    }
}

void fl_comm_lost(void *context, unsigned peer, const char *why) {
    struct fl_comm_state *comm = &fl_comm_state;
    (void)context;
    if (comm->peers[peer].lost || comm->peers[peer].ended || comm->ending) {
        return;
    }
    comm->peers[peer].lost = true;
    if (comm->pulse.lost_ns == 0) {
        comm->pulse.lost = peer;
        comm->pulse.lost_ns = fl_os_now_ns();
        snprintf(comm->pulse.why, sizeof comm->pulse.why, "%s", why);
    }
}

static void judge_lost(uint64_t now) {
    struct fl_comm_state *comm = &fl_comm_state;
    if (comm->pulse.lost_ns && now >= comm->pulse.lost_ns + GRACE_NS) {
        fl_fatal(FL_CODE_LOST, "%s can no longer be reached: %s",
                 fl_comm_name(comm->pulse.lost).text, comm->pulse.why);
    }
}

static FL_COLD _Noreturn void report_silence(unsigned silent, unsigned n_silent) {
    struct fl_comm_state *comm = &fl_comm_state;
    double seconds = (double)patience_ns() / 1e9;
    if (n_silent == comm->pulse.n && n_silent > 1) {
        fl_fatal(FL_CODE_LOST,
                 "%s has heard nothing of other hosts for %.1f s: its network is down, or theirs",
                 fl_comm_name(comm->me).text, seconds);
    }
    struct fl_comm_name lost = fl_comm_name(silent);
    fl_fatal(FL_CODE_LOST,
             "%s does not answer any more: nothing was heard of it for %.1f s; the host or its "
             "network is down",
             lost.text, seconds);
}

static void judge_silence(uint64_t now) {
    struct fl_comm_state *comm = &fl_comm_state;
    /* Time in which this process itself did not run does not count as silence of others. */
    uint64_t late = now - comm->pulse.next_ns;
    unsigned n_silent = 0;
    unsigned silent = 0;
    for (unsigned i = 0; i < comm->pulse.n; i++) {
        struct fl_comm_pinged *pinged = &comm->pulse.pinged[i];
        struct fl_comm_peer *peer = &comm->peers[pinged->proc];
        if (peer->heard || peer->ended) {
            pinged->heard_ns = now;
            peer->heard = false;
        } else {
            pinged->heard_ns += late;
        }
        if (now > pinged->heard_ns && now - pinged->heard_ns >= patience_ns()) {
            silent = pinged->proc;
            n_silent++;
        }
    }
    if (n_silent > 0) {
        report_silence(silent, n_silent);
    }
}

uint64_t fl_comm_pulse(uint64_t now) {
    struct fl_comm_state *comm = &fl_comm_state;
    judge_lost(now);
    if (now >= comm->pulse.next_ns) {
        judge_silence(now);
        for (unsigned i = 0; i < comm->pulse.n; i++) {
            struct fl_comm_message ping = {.kind = FL_COMM_KIND_PING};
            fl_comm_send(comm->pulse.pinged[i].proc, &ping, NULL, 0, false);
        }
        comm->pulse.next_ns = now + asking_ns();
    }
    uint64_t lost_due = comm->pulse.lost_ns ? comm->pulse.lost_ns + GRACE_NS : UINT64_MAX;
    return lost_due < comm->pulse.next_ns ? lost_due : comm->pulse.next_ns;
}
