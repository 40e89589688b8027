/* SPDX-License-Identifier: BSD-3-Clause */
/* See depend.h. */
#include "omp/depend.h"

#include "core/assert.h"
#include "core/fatal.h"
#include "omp/team.h"

#include <stdlib.h>

/* Numbered as in omp_depend_t objects. */
enum kind { NONE = 0, IN = 1, OUT = 2, INOUT = 3, MUTEXINOUTSET = 4, INOUTSET = 5 };

/* A node's entry in a list, linked by the block's `next`. */
struct link {
    struct fl_omp_block block; /* without a home: part of a node */
    struct fl_omp_node *node;
};

enum { OWN_LINKS = 3 };

struct fl_omp_node {
    struct fl_omp_block block;
    struct fl_omp_task *task; /* null: this is a struct waiting */
    _Atomic uint32_t left;    /* predecessors that have not ended */
    _Atomic uint32_t holders; /* references: the parent's lists that it is in, and its task */
    _Atomic(struct link *) successors;
    struct link own[OWN_LINKS]; /* for predecessors' lists: the end of one touches `left`, too */
};

enum { NODE_BYTES = 2 * FL_CACHE_LINE };
_Static_assert(sizeof(struct fl_omp_node) <= NODE_BYTES, "one with few predecessors needs no more");
_Static_assert(offsetof(struct fl_omp_node, own[1]) == FL_CACHE_LINE, "one predecessor, one line");

/* The node of a thread that waits for predecessors. */
struct waiting {
    struct fl_omp_node node;
    struct fl_omp_member *member;
};

/* The list of successors of a task that has ended. */
static struct link closed;

/* An address that children have named. */
struct access {
    void *address;
    enum kind kind;
    unsigned n, prune_at;  /* nodes of the latest generation; when to remove ended ones */
    struct link *latest;   /* generation */
    struct link *previous; /* the one before, if others may join the latest */
};

struct fl_omp_depends {
    struct access *slots;
    size_t n, size;
    struct link *all; /* the latest child that named all memory; null: none has */
};

enum {
    FIRST_SIZE = 16,
    FIRST_PRUNE = 32,
    UNDER_WAY = 1 << 30 /* added to `left` while a node's predecessors are sought */
};

void fl_omp_depends_begin(struct fl_omp_member *member) {
    fl_omp_pool_begin(&member->tasks.nodes, NODE_BYTES);
    fl_omp_pool_begin(&member->tasks.links, sizeof(struct link));
}

static bool joinable(enum kind kind) {
    return kind == IN || kind == INOUTSET;
}

/* A child that is inserted into the graph of its siblings. */
struct arrival {
    struct fl_omp_member *me;
    struct fl_omp_depends *table;
    struct fl_omp_node *node; /* null: only counts unfinished predecessors */
    bool enters;              /* later siblings depend on it */
    unsigned own;             /* links that are in use */
    uint32_t follows;
    bool is_late;             /* some predecessors had already ended */
};

/* ---- nodes ---- */

static void release(struct fl_omp_member *me, struct fl_omp_node *node) {
    /* [D1] pairs itself: the holder that frees the node sees that others are done with it. */
    uint32_t holders = atomic_fetch_sub_explicit(&node->holders, 1, memory_order_acq_rel);
    fl_assert(holders > 0);
    if (holders == 1) {
        fl_omp_pool_put(me ? &me->tasks.nodes : NULL, node);
    }
}

/* [D2] pairs [D4]: a successor sees what the task wrote. */
static bool has_ended(struct fl_omp_node *node) {
    return atomic_load_explicit(&node->successors, memory_order_acquire) == &closed;
}

static struct link *get_link(struct arrival *arrival) {
    struct link *link;
    if (FL_LIKELY(arrival->own < OWN_LINKS)) {
        link = &arrival->node->own[arrival->own++];
        link->block.home = NULL;
    } else {
        link = fl_omp_pool_get(&arrival->me->tasks.links);
    }
    link->node = arrival->node;
    return link;
}

static void put_link(struct fl_omp_member *me, struct link *link) {
    if (FL_UNLIKELY(link->block.home != NULL)) {
        fl_omp_pool_put(me ? &me->tasks.links : NULL, link);
    }
}

/* Makes the child a successor of the node, unless the node's task has ended. */
static void precede(struct fl_omp_node *node, struct arrival *arrival) {
    if (!arrival->node) {
        arrival->follows++;
        return;
    }
    struct link *link = get_link(arrival);
    struct link *head = atomic_load_explicit(&node->successors, memory_order_acquire); /* [D2] */
    while (head != &closed) {
        link->block.next = (struct fl_omp_block *)head;
        /* [D3] pairs [D4]: the link is seen whole. */
        if (atomic_compare_exchange_weak_explicit(&node->successors, &head, link,
                                                  memory_order_release, memory_order_acquire)) {
            arrival->follows++;
            return;
        }
    }
    put_link(arrival->me, link);
}

static void end_predecessor(struct fl_omp_member *me, struct fl_omp_node *node) {
    struct fl_omp_task *task = node->task;
    struct fl_omp_member *waiter = task ? NULL : ((struct waiting *)node)->member;
    /* [D5] pairs [D6]: what predecessors wrote is seen. Before the ring. Afterwards the node may be
     * gone: the last predecessor ends, or a waiter sees that none is left. */
    uint32_t left = atomic_fetch_sub_explicit(&node->left, 1, memory_order_seq_cst);
    fl_assert(left > 0);
    if (left != 1) {
        return;
    }
    if (task) {
        fl_omp_task_ready(me, task);
    } else {
        fl_wait_ring(&waiter->tasks.bell);
    }
}

void fl_omp_node_end(struct fl_omp_member *me, struct fl_omp_node *node) {
    /* [D4] pairs [D2], [D3]. */
    struct link *link = atomic_exchange_explicit(&node->successors, &closed, memory_order_acq_rel);
    fl_assert(link != &closed);
    while (link) {
        struct link *next = (struct link *)link->block.next;
        struct fl_omp_node *successor = link->node;
        put_link(me, link);
        end_predecessor(me, successor);
        link = next;
    }
    release(me, node);
}

/* ---- lists of the parent ---- */

/* References a new child's node, once more for each list: the node may leave a list again before
 * the child is inserted, if it names all memory and more, or an address twice. */
static void hold(struct fl_omp_node *node) {
    /* Relaxed, both: its thread alone has it yet. */
    uint32_t holders = atomic_load_explicit(&node->holders, memory_order_relaxed);
    atomic_store_explicit(&node->holders, holders + 1, memory_order_relaxed);
}

static void push(struct fl_omp_member *me, struct link **list, struct fl_omp_node *node) {
    struct link *link = fl_omp_pool_get(&me->tasks.links);
    link->node = node;
    link->block.next = (struct fl_omp_block *)*list;
    *list = link;
}

/* Removes the first. */
static void pop(struct fl_omp_member *me, struct link **list) {
    struct link *link = *list;
    *list = (struct link *)link->block.next;
    release(me, link->node);
    fl_omp_pool_put(&me->tasks.links, link);
}

static void drop(struct fl_omp_member *me, struct link **list) {
    while (*list) {
        pop(me, list);
    }
}

/* Makes the child a successor of the list's unfinished nodes, and removes the others. */
static void follow(struct arrival *arrival, struct link **list) {
    while (*list) {
        struct fl_omp_node *before = (*list)->node;
        if (before == arrival->node) {
            list = (struct link **)&(*list)->block.next;
        } else if (has_ended(before)) {
            pop(arrival->me, list);
            arrival->is_late = true;
        } else {
            precede(before, arrival);
            list = (struct link **)&(*list)->block.next;
        }
    }
}

/* Removes the nodes that have ended; returns how many are left. */
static unsigned prune(struct fl_omp_member *me, struct link **list) {
    unsigned n = 0;
    while (*list) {
        if (has_ended((*list)->node)) {
            pop(me, list);
        } else {
            list = (struct link **)&(*list)->block.next;
            n++;
        }
    }
    return n;
}

/* ---- the table ---- */

static void *zeros(size_t n, size_t bytes) {
    return FL_ALLOCATED(calloc(n, bytes), "dependences of OpenMP tasks");
}

static struct access *slot_of(struct fl_omp_depends *table, const void *address) {
    fl_assert(table->n < table->size); /* a free slot ends the search */
    uint64_t hash = ((uintptr_t)address >> 2) * 0x9e3779b97f4a7c15u;
    size_t i = (size_t)(hash >> 32) & (table->size - 1);
    while (table->slots[i].address && table->slots[i].address != address) {
        i = (i + 1) & (table->size - 1);
    }
    return &table->slots[i];
}

static void grow(struct fl_omp_depends *table) {
    struct fl_omp_depends bigger = {.size = table->size ? 2 * table->size : FIRST_SIZE,
                                    .n = table->n,
                                    .all = table->all};
    bigger.slots = zeros(bigger.size, sizeof(struct access));
    for (size_t i = 0; i < table->size; i++) {
        if (table->slots[i].address) {
            *slot_of(&bigger, table->slots[i].address) = table->slots[i];
        }
    }
    free(table->slots);
    *table = bigger;
}

/* The child that named all memory counts as the writer of an address that no child has named
 * yet. */
static void inherit_all(struct fl_omp_member *me, struct fl_omp_depends *table,
                        struct access *access) {
    if (table->all) {
        struct fl_omp_node *node = table->all->node;
        atomic_fetch_add_explicit(&node->holders, 1, memory_order_relaxed); /* it has one already */
        push(me, &access->latest, node);
        access->kind = OUT;
    }
}

static struct access *access_to(struct fl_omp_member *me, struct fl_omp_depends *table,
                                void *address) {
    if (4 * (table->n + 1) > 3 * table->size) {
        grow(table);
    }
    struct access *access = slot_of(table, address);
    if (!access->address) {
        table->n++;
        access->address = address;
        access->prune_at = FIRST_PRUNE;
        inherit_all(me, table, access);
    }
    return access;
}

/* Null: no child has named the address. */
static struct access *known_access(struct fl_omp_depends *table, const void *address) {
    struct access *access = table->size ? slot_of(table, address) : NULL;
    return access && access->address ? access : NULL;
}

static void clear(struct fl_omp_member *me, struct fl_omp_depends *table) {
    for (size_t i = 0; i < table->size; i++) {
        drop(me, &table->slots[i].latest);
        drop(me, &table->slots[i].previous);
        table->slots[i].address = NULL;
    }
    table->n = 0;
    drop(me, &table->all);
}

void fl_omp_depends_end(struct fl_omp_member *me, struct fl_omp_task *task) {
    struct fl_omp_depends *table = task->depends;
    task->depends = NULL;
    clear(me, table);
    free(table->slots);
    free(table);
}

/* ---- a child among its siblings ---- */

static void enter(struct arrival *arrival, struct access *access, enum kind kind) {
    struct fl_omp_member *me = arrival->me;
    if (!joinable(kind) || access->kind != kind) {
        drop(me, &access->previous);
        if (joinable(kind)) {
            access->previous = access->latest;
            access->latest = NULL;
        }
        drop(me, &access->latest);
        access->kind = kind;
        access->n = 0;
    } else if (access->n >= access->prune_at) {
        access->n = prune(me, &access->latest);
        access->prune_at = 2 * access->n + FIRST_PRUNE;
    }
    push(me, &access->latest, arrival->node);
    access->n++;
    hold(arrival->node);
}

static void meet_all(struct arrival *arrival) {
    struct fl_omp_depends *table = arrival->table;
    struct fl_omp_member *me = arrival->me;
    for (size_t i = 0; i < table->size; i++) {
        follow(arrival, &table->slots[i].latest);
    }
    follow(arrival, &table->all);
    if (arrival->enters) {
        clear(me, table);
        push(me, &table->all, arrival->node);
        hold(arrival->node);
    }
}

static void meet(struct arrival *arrival, void *address, enum kind kind) {
    if (!address) {
        meet_all(arrival);
        return;
    }
    struct access *access = arrival->enters ? access_to(arrival->me, arrival->table, address)
                                            : known_access(arrival->table, address);
    if (!access) {
        follow(arrival, &arrival->table->all);
        return;
    }
    bool joins = joinable(kind) && access->kind == kind;
    follow(arrival, joins ? &access->previous : &access->latest);
    if (arrival->enters) {
        enter(arrival, access, kind);
    }
}

static void meet_each(struct arrival *arrival, void **depend) {
    size_t counts[] = {(size_t)depend[0], (size_t)depend[1], 0, (size_t)depend[2]};
    void **next = depend + 2;
    if (counts[0] == 0) {
        counts[0] = (size_t)depend[1];
        counts[1] = (size_t)depend[2];
        counts[2] = (size_t)depend[3];
        counts[3] = (size_t)depend[4];
        next = depend + 5;
    } else {
        counts[3] = counts[0] - counts[1];
    }
    static const enum kind kinds[] = {NONE, OUT, MUTEXINOUTSET, IN};
    void **end = next + counts[0];
    for (unsigned part = 1; part < 4; part++) {
        for (size_t i = 0; i < counts[part]; i++) {
            meet(arrival, *next++, kinds[part]);
        }
    }
    for (; next < end; next++) {
        void **object = *next; /* omp_depend_t */
        meet(arrival, object[0], (enum kind)(uintptr_t)object[1]);
    }
}

/* Inserts the child; whether all its predecessors have ended. */
static bool arrive(struct arrival *arrival, void **depend) {
    struct fl_omp_node *node = arrival->node;
    /* Relaxed, and the next two: published by [D3], and when the task is put into a deque or
     * queue. */
    atomic_store_explicit(&node->left, UNDER_WAY, memory_order_relaxed);
    atomic_store_explicit(&node->successors, NULL, memory_order_relaxed);
    atomic_store_explicit(&node->holders, 1, memory_order_relaxed);
    meet_each(arrival, depend);
    fl_assert(arrival->follows < UNDER_WAY && arrival->own <= OWN_LINKS);
    uint32_t excess = UNDER_WAY - arrival->follows;
    return arrival->follows == 0 ||
           /* [D6] pairs [D5]. */
           atomic_fetch_sub_explicit(&node->left, excess, memory_order_acq_rel) == excess;
}

enum fl_omp_place fl_omp_node_begin(struct fl_omp_member *me, struct fl_omp_task *task,
                                    void **depend) {
    struct fl_omp_task *parent = me->task;
    if (!parent->depends) {
        parent->depends = zeros(1, sizeof *parent->depends);
    }
    fl_assert(task->deferred && !task->node);
    struct fl_omp_node *node = fl_omp_pool_get(&me->tasks.nodes);
    node->task = task;
    task->node = node;
    struct arrival arrival = {
        .me = me, .table = parent->depends, .node = node, .enters = true};
    if (!arrive(&arrival, depend)) {
        return FL_OMP_WAITS;
    }
    return arrival.is_late && arrival.follows == 0 ? FL_OMP_LATE : FL_OMP_READY;
}

bool fl_omp_depends_ended(struct fl_omp_member *me, void **depend) {
    struct arrival arrival = {.me = me, .table = me->task->depends};
    if (arrival.table) {
        meet_each(&arrival, depend);
    }
    return arrival.follows == 0;
}

static bool none_left(void *context) {
    struct waiting *waiting = context;
    return atomic_load_explicit(&waiting->node.left, memory_order_seq_cst) == 0; /* [D6] */
}

void fl_omp_depend_wait(struct fl_omp_member *me, void **depend) {
    if (!me->task->depends) {
        return;
    }
    struct waiting waiting = {.member = me};
    struct arrival arrival = {.me = me, .table = me->task->depends, .node = &waiting.node};
    if (!arrive(&arrival, depend)) {
        fl_omp_task_wait(me, none_left, &waiting);
    }
}
