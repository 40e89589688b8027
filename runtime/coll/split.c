/* SPDX-License-Identifier: BSD-3-Clause */
/* See split.h. All members gather each one's color and key, and compute the same teams. */
#include "coll/split.h"

#include "coll/value.h"
#include "core/assert.h"
#include "core/fatal.h"

#include <stdlib.h>
#include <string.h>

static void *allocate(size_t n, size_t size) {
    return FL_ALLOCATED(calloc(n, size), "a team of %zu members", n);
}

struct choice {
    int color, key;
    uint32_t thread;
};

/* The threads of a color in the order of their ranks; how many. */
static unsigned find_members(struct choice *choices, unsigned count, int color,
                             uint32_t *threads) {
    unsigned members = 0;
    for (unsigned i = 0; i < count; i++) {
        struct choice choice = choices[i];
        if (choice.color != color) {
            continue;
        }
        unsigned at = members++;
        for (; at > 0 && choice.key < choices[at - 1].key; at--) {
            choices[at] = choices[at - 1];
        }
        choices[at] = choice;
    }
    for (unsigned i = 0; i < members; i++) {
        threads[i] = choices[i].thread;
    }
    return members;
}

/* The hosts in the order of their first members, which are the leaders. */
static void find_hosts(struct fl_coll_team *team) {
    const struct fl_layout *layout = team->layout;
    uint32_t *procs = allocate(layout->hosts, sizeof *procs);
    uint32_t *hosts_of = allocate(team->members, sizeof *hosts_of);
    unsigned *place = allocate(layout->hosts, sizeof *place); /* 1 + that of a host in the team */
    for (unsigned rank = 0; rank < team->members; rank++) {
        unsigned host = fl_layout_host_of_thread(layout, team->threads[rank]);
        bool first = !place[host];
        if (first) {
            procs[team->hosts] = fl_layout_proc_of_thread(layout, team->threads[rank]);
            place[host] = ++team->hosts;
        }
        hosts_of[rank] = place[host] - 1;
        if (host == layout->my_host) {
            team->leader = first ? rank : team->leader;
            team->here++;
        }
    }
    fl_assert(team->here > 0 && place[layout->my_host] > 0);
    fl_assert(fl_layout_host_of_thread(layout, team->threads[team->leader]) == layout->my_host);
    team->host = place[layout->my_host] - 1;
    team->procs = procs;
    team->hosts_of = hosts_of;
    free(place);
}

unsigned fl_coll_split(struct fl_coll_call *call, int color, int key, struct fl_coll_team *team) {
    const struct fl_coll_team *from = call->team;
    uint32_t thread = fl_coll_thread(from, fl_coll_me(call));
    const struct choice mine = {color, key, thread};
    struct choice *choices = allocate(from->members, sizeof *choices);
    fl_coll_value_gather(call, choices, &mine, sizeof mine, FL_COLL_EVERYBODY);
    *team = (struct fl_coll_team){.layout = from->layout,
                                  .origin = from->origin,
                                  .shift = from->shift,
                                  .stride = from->stride,
                                  .names = from->names,
                                  .wait = from->wait,
                                  .hub = from->hub};
    unsigned rank = 0;
    if (color >= 0) {
        uint32_t *threads = allocate(from->members, sizeof *threads);
        team->members = find_members(choices, from->members, color, threads);
        team->threads = threads;
        find_hosts(team);
        while (threads[rank] != thread) {
            rank++;
            fl_assert(rank < team->members);
        }
    }
    free(choices);
    return rank;
}

/* What a leader provides for its team. */
struct place {
    uintptr_t memory;
    uint64_t id; /* on several hosts; the team has that of its first member, which leads its host */
};

/* The place gathered from the member of `from` that is the thread. */
static const struct place *place_of(const struct fl_coll_team *from, const struct place *places,
                                    uint32_t thread) {
    unsigned rank = 0;
    while (fl_coll_thread(from, rank) != thread) {
        rank++;
        fl_assert(rank < from->members);
    }
    return &places[rank];
}

static bool leads(const struct fl_coll_call *call, const struct fl_coll_team *team) {
    return team->members > 0 &&
           fl_coll_thread(call->team, fl_coll_me(call)) == team->threads[team->leader];
}

void fl_coll_split_end(struct fl_coll_call *call, struct fl_coll_team *team, void *memory) {
    const struct fl_coll_team *from = call->team;
    struct place mine = {.memory = (uintptr_t)memory};
    struct place *places = allocate(from->members, sizeof *places);
    if (leads(call, team) && team->hosts > 1) {
        mine.id = fl_coll_new_id(team->hub, team->threads[team->leader]);
    }
    fl_coll_value_gather(call, places, &mine, sizeof mine, FL_COLL_EVERYBODY);
    if (team->members > 0) {
        fl_coll_use(team, (void *)place_of(from, places, team->threads[team->leader])->memory);
        team->id = place_of(from, places, team->threads[0])->id;
    }
    free(places);
    if (from->hosts == 1) {
        return;
    }
    if (leads(call, team) && team->hosts > 1) {
        fl_coll_connect(team);
    }
    /* Else messages could arrive at a leader that does not know the team yet. */
    fl_coll_barrier(call);
}

void *fl_coll_unite(struct fl_coll_call *call, struct fl_coll_team *team) {
    fl_coll_barrier(call);
    if (leads(call, team) && team->hosts > 1) {
        fl_coll_await_ends(team, call->member);
        fl_coll_disconnect(team);
    }
    /* [K6] pairs itself: no member uses the memory after the last one has it. */
    uint32_t before = atomic_fetch_add_explicit(&team->center->gone, 1, memory_order_acq_rel);
    fl_assert(before < team->here);
    free((void *)(uintptr_t)team->threads);
    free((void *)(uintptr_t)team->procs);
    free((void *)(uintptr_t)team->hosts_of);
    return before + 1 == team->here ? team->center : NULL;
}
