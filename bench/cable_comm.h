// SPDX-License-Identifier: BSD-3-Clause
/* The communication layer between the two processes of cable.h. */
#ifndef CABLE_COMM_H
#define CABLE_COMM_H

#include "cable.h"
#include "comm/comm.h"

static const unsigned char cable_key[FL_NET_KEY_BYTES] = {42};

static struct fl_layout layout;
static struct fl_space space;
static struct fl_net_card *cable_cards; /* of both */

/* Before the processes are there. */
static inline void cable_comm_prepare(void) {
    cable_cards = mmap(NULL, 2 * sizeof *cable_cards, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static const struct fl_net_card *cable_card_of(void *context, unsigned proc) {
    (void)context;
    return &cable_cards[proc];
}

/* `register_handlers` runs when comm has started, and nothing arrives yet. */
static inline void cable_comm_start(unsigned me, const char *transport,
                                    void (*register_handlers)(unsigned me)) {
    static const unsigned first[] = {0, 1};
    const char *why;
    const struct fl_net_ops *ops = fl_net_load(transport, NULL, &why);
    if (!ops || !fl_layout_make(&layout, 2, 1, 2, first, me)) {
        cable_give_up(ops ? "no memory" : why);
    }
    fl_space_map(&space, &layout, -1, 4096);
    const struct fl_comm_setup setup = {.space = &space,
                                        .layout = &layout,
                                        .net = ops,
                                        .interface = CABLE_INTERFACE,
                                        .key = cable_key,
                                        .patience_ms = 3500};
    fl_comm_start(&setup, &cable_cards[me]);
    register_handlers(me);
    cable_meet();
    fl_comm_connect(cable_card_of, NULL, fl_wait_choose(1, 1, 0, 0));
}

#endif
