/* SPDX-License-Identifier: BSD-3-Clause */
/* How a host says that it is idle or overloaded, and gives tasks away: see migrate.h. */
#include "omp/migrate_inside.h"
#include "omp/round.h"

#include <stdlib.h>
#include <string.h>

static struct fl_omp_migrate *const here = &fl_omp_migrate;

enum { MOST_GIVEN = 32 /* tasks of a message */ };

int64_t fl_omp_grant_ready(struct fl_omp_member *member) {
    return fl_omp_deque_bottom(&member->tasks.deque) -
           atomic_load_explicit(&member->tasks.deque.top, memory_order_relaxed);
}

/* Relaxed, here and below: see fl_omp_deque_filter. */
static bool is_movable(const struct fl_omp_task *task, const void *unused) {
    (void)unused;
    return atomic_load_explicit(&task->home, memory_order_relaxed) != 0;
}

static bool is_of(const struct fl_omp_task *task, const void *host) {
    uint32_t home = atomic_load_explicit(&task->home, memory_order_relaxed);
    return home == *(const unsigned *)host + 1;
}

bool fl_omp_grant_has(struct fl_omp_member *member) {
    struct fl_omp_deque *deque = &member->tasks.deque;
    int64_t top = atomic_load_explicit(&deque->top, memory_order_relaxed);
    /* [T7] pairs [T2] in deque.h: the slot has been written. */
    return top < atomic_load_explicit(&deque->bottom, memory_order_acquire) &&
           is_movable(atomic_load_explicit(fl_omp_deque_slot(deque, top), memory_order_relaxed),
                      NULL);
}

bool fl_omp_grant_has_queued(struct fl_omp_team *team) {
    return fl_omp_task_queue_has(&team->tasks, is_movable, NULL);
}

/* What a host is granted: tasks that it has made, which go home, and others. */
struct parcel {
    unsigned host;
    bool for_own; /* it is granted only tasks that it has made */
    uint64_t n, own; /* tasks; those of this host */
    struct {
        struct fl_omp_home_message words;
        struct fl_omp_task *tasks[MOST_GIVEN];
        uint64_t n;
    } home;
    struct {
        _Alignas(16) struct fl_omp_tasks_message words;
        unsigned char tasks[FL_OMP_FAR_TOLD - sizeof(struct fl_omp_tasks_message)];
        size_t bytes;
    } away;
};

static bool has_room(const struct parcel *parcel) {
    size_t room = sizeof parcel->away.tasks - parcel->away.bytes;
    return room >= sizeof(struct fl_omp_moved) + FL_OMP_MOVABLE_MOST;
}

/* A task that this host has made, which stays until it has ended elsewhere. */
static struct fl_omp_moved leaving(struct fl_omp_task *task) {
    return (struct fl_omp_moved){.task = task,
                                 .origin = fl_omp_far.me,
                                 .group = task->group,
                                 .body = task->body,
                                 .bytes = task->bytes,
                                 .align = task->align,
                                 .beyond = (uint32_t)((uintptr_t)task->data % task->align),
                                 .icvs = task->icvs,
                                 .final = task->final};
}

/* A task of another host moves on: here it is over, and its origin counts it as before. */
static void hand_on(struct fl_omp_task *task) {
    free(task->origin);
    task->origin = NULL;
    fl_omp_task_return(NULL, task, false);
}

static void pack(struct parcel *parcel, const struct fl_omp_moved *moved, const void *data,
                 bool cancelled) {
    fl_assert(parcel->n < MOST_GIVEN && has_room(parcel) && moved->bytes <= FL_OMP_MOVABLE_MOST);
    parcel->n++;
    if (moved->origin == parcel->host) {
        parcel->home.tasks[parcel->home.n++] = moved->task;
        return;
    }
    struct fl_omp_moved *copy = (void *)(parcel->away.tasks + parcel->away.bytes);
    *copy = *moved;
    copy->cancelled = cancelled;
    memcpy(copy + 1, data, moved->bytes);
    parcel->away.bytes += fl_omp_moved_bytes(moved);
    parcel->away.words.n++;
}

static void add(struct fl_omp_member *me, struct parcel *parcel, struct fl_omp_task *task) {
    fl_assert(task->deferred);
    bool cancelled =
        task->group && atomic_load_explicit(&task->group->cancelled, memory_order_relaxed);
    task->member = me;
    if (task->origin) {
        pack(parcel, &task->origin->moved, task->origin->data, cancelled);
        hand_on(task);
    } else {
        const struct fl_omp_moved moved = leaving(task);
        pack(parcel, &moved, task->data, cancelled);
        parcel->own++;
    }
}

static bool wants_more(const struct parcel *parcel, uint64_t n) {
    return parcel->n < n && has_room(parcel);
}

static fl_omp_deque_filter *filter_of(const struct parcel *parcel) {
    return parcel->for_own ? is_of : is_movable;
}

/* Takes up to `n` of the oldest tasks of all members. */
static void collect(struct fl_omp_member *me, struct parcel *parcel, uint64_t n) {
    struct fl_omp_team *team = me->team;
    for (unsigned i = 0; i < team->n; i++) {
        struct fl_omp_deque *deque = &team->members[(me->index + i) % team->n]->tasks.deque;
        struct fl_omp_task *task;
        while (wants_more(parcel, n) &&
               (task = fl_omp_deque_steal(deque, filter_of(parcel), &parcel->host))) {
            add(me, parcel, task);
        }
    }
    struct fl_omp_task *task;
    while (wants_more(parcel, n) &&
           (task = fl_omp_task_unqueue(&team->tasks, filter_of(parcel), &parcel->host))) {
        add(me, parcel, task);
    }
}

/* The caller has the mutex. Removes the first task of the first letter. */
static void discard_first(void) {
    struct fl_omp_letter *letter = here->tasks;
    letter->read += fl_omp_moved_bytes((const void *)(letter->tasks + letter->read));
    if (--letter->words.tasks.n == 0) {
        here->tasks = letter->next;
        free(letter);
    }
    if (!here->tasks) {
        fl_omp_migrate_news_drop(FL_OMP_NEWS_TASKS);
    }
}

/* The same from the first letters that no member has opened, as long as they are from one host,
 * *from_p. False: there is none. */
static bool collect_unread_of_one(struct parcel *parcel, uint64_t n, unsigned *from_p) {
    uint64_t before = parcel->n;
    fl_mutex_lock(&here->mutex);
    const struct fl_omp_letter *letter;
    while (wants_more(parcel, n) && (letter = here->tasks)) {
        const struct fl_omp_moved *moved = (const void *)(letter->tasks + letter->read);
        if ((parcel->for_own && moved->origin != parcel->host) ||
            (parcel->n > before && letter->from != *from_p)) {
            break;
        }
        *from_p = letter->from;
        pack(parcel, moved, moved + 1, moved->cancelled);
        discard_first();
    }
    fl_mutex_unlock(&here->mutex);
    return parcel->n > before;
}

static void collect_unread(struct parcel *parcel, uint64_t n) {
    unsigned from = 0;
    while (collect_unread_of_one(parcel, n, &from)) {
        fl_omp_far_acquire(from);
    }
}

static void send_tasks(const struct parcel *parcel) {
    if (parcel->away.words.n > 0) {
        fl_omp_far_release(parcel->host);
    }
    fl_omp_far_tell(parcel->host, &parcel->away, sizeof parcel->away.words + parcel->away.bytes);
    if (parcel->home.n > 0) {
        fl_omp_far_tell(parcel->host, &parcel->home,
                        sizeof parcel->home.words + parcel->home.n * sizeof *parcel->home.tasks);
    }
}

/* Relaxed: an estimate. */
static int64_t ready_in_all(struct fl_omp_team *team) {
    int64_t all = atomic_load_explicit(&team->tasks.queued, memory_order_relaxed);
    for (unsigned i = 0; i < team->n; i++) {
        all += fl_omp_grant_ready(team->members[i]);
    }
    return all;
}

/* The requests of one host, and the host. False: there are none. */
static bool take_requests(struct fl_omp_requests *requests, unsigned *host_p) {
    fl_mutex_lock(&here->mutex);
    struct fl_omp_requests *first = here->give;
    if (first) {
        *requests = *first;
        *host_p = (unsigned)(first - here->of_hosts);
        first->n = 0;
        here->give = first->next;
    }
    if (!here->give) {
        fl_omp_migrate_news_drop(FL_OMP_NEWS_GIVE);
    }
    fl_mutex_unlock(&here->mutex);
    return first;
}

/* Grants one host its requests, with up to `n` tasks. */
static void grant_to(struct fl_omp_member *me, unsigned host,
                     const struct fl_omp_requests *requests, uint64_t n, bool for_members) {
    fl_assert(host < fl_omp_far.hosts && requests->n > 0);
    uint64_t since = fl_os_now_ns();
    struct parcel parcel;
    parcel.host = host;
    parcel.for_own = requests->for_own;
    parcel.n = parcel.own = parcel.home.n = parcel.away.bytes = 0;
    parcel.home.words = (struct fl_omp_home_message){.kind = fl_omp_kind_home};
    parcel.away.words = (struct fl_omp_tasks_message){.kind = fl_omp_kind_tasks, .grants = requests->n};
    collect(me, &parcel, n);
    if (for_members) {
        collect_unread(&parcel, n);
    }
    fl_omp_round_leave(parcel.own); /* before they do: they may be back at once */
    send_tasks(&parcel);
    if (parcel.own) {
        fl_omp_round_cost(fl_os_now_ns() - since);
    }
}

void fl_omp_grant(struct fl_omp_member *me, bool for_members) {
    /* A share for each host: others may ask next. But one task at a time until a round has paid
     * off: tasks behind one that waits for them move on only when the balancer there has seen
     * it. */
    int64_t ready = ready_in_all(me->team) / fl_omp_far.hosts;
    uint64_t share = ready < 1 || !fl_omp_round().has_paid ? 1
                     : ready < MOST_GIVEN                 ? (uint64_t)ready
                                                          : MOST_GIVEN;
    struct fl_omp_requests requests;
    unsigned host;
    while (take_requests(&requests, &host)) {
        grant_to(me, host, &requests, share, for_members);
    }
    /* Relaxed: a hint. */
    atomic_store_explicit(&here->plenty, false, memory_order_relaxed);
}

/* Serialises the messages that the host is idle or overloaded: host 0 believes the last one.
 * Handlers do not take it. */
static struct fl_mutex saying;

void fl_omp_grant_say_plenty(void) {
    fl_mutex_lock(&saying);
    fl_mutex_lock(&here->mutex);
    /* Relaxed, all, here and below: a hint. */
    bool new = !atomic_exchange_explicit(&here->plenty, true, memory_order_relaxed);
    if (new && atomic_load_explicit(&here->hungry, memory_order_relaxed) == FL_OMP_FOR_ANY) {
        atomic_store_explicit(&here->hungry, FL_OMP_FOR_NONE, memory_order_relaxed);
    }
    fl_mutex_unlock(&here->mutex);
    if (new) {
        fl_omp_hosts_plenty();
    }
    fl_mutex_unlock(&saying);
}

/* The caller has the mutex. */
static bool grows_hungry(enum fl_omp_hunger what) {
    bool for_own = what == FL_OMP_FOR_OWN;
    if (atomic_load_explicit(&here->hungry, memory_order_relaxed) >= what ||
        (for_own && !fl_omp_round().is_open)) {
        return false;
    }
    atomic_store_explicit(&here->hungry, what, memory_order_relaxed);
    if (!for_own) {
        atomic_store_explicit(&here->plenty, false, memory_order_relaxed);
    }
    return true;
}

void fl_omp_migrate_hungry(enum fl_omp_hunger what) {
    /* Tasks that have arrived since the member looked are enough: further ones could wait behind a
     * long one. */
    if (atomic_load_explicit(&here->hungry, memory_order_relaxed) >= what ||
        fl_omp_migrate_news_now() & FL_OMP_NEWS_TASKS) {
        return;
    }
    fl_mutex_lock(&saying);
    fl_mutex_lock(&here->mutex);
    uint64_t given = here->received;
    bool new = grows_hungry(what);
    fl_mutex_unlock(&here->mutex);
    if (new) {
        fl_omp_hosts_hungry(what, given);
    }
    fl_mutex_unlock(&saying);
}

void fl_omp_grant_offer(struct fl_omp_member *me) {
    if (!fl_omp_grant_has(me)) {
        return;
    }
    (void)fl_omp_balancer_see();
    if (!atomic_load_explicit(&here->plenty, memory_order_relaxed) &&
        fl_omp_grant_ready(me) > (int64_t)me->team->n && fl_omp_round().is_worth_it) {
        fl_omp_grant_say_plenty();
    }
}

