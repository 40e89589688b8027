/* SPDX-License-Identifier: BSD-3-Clause */
/* See migrate.h. */
#include "omp/migrate.h"

#include "core/assert.h"
#include "core/fatal.h"
#include "omp/barrier.h"
#include "omp/messages.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_GIVEN = 32,  /* tasks of a message */
    WORTH = 2, /* migration pays if tasks' useful time is so many times its cost */
    FIRST_PAUSE_NS = 200000, /* back-off after a round that did not pay: doubles, */
    LONGEST_PAUSE_NS = 50000000, /* up to that; */
    LEAST_PAUSE = 8, /* but at least so many times the cost of the round, */
    MOST_PAUSE_NS = 1000000000, /* up to that */
    ROUND_MOST = 32, /* returned tasks after which a round is judged at the latest */
    GIVE_PAUSE_NS = 200000, /* in which a member may grant a request before the balancer does */
    LOOK_PAUSE_NS = 2000000, /* between looks of the balancer */
    MOST_PATIENCE_NS = 100000000 /* of the balancer: patience_ns */
};

/* Bits of fl_omp_migrate_news, the events that members handle: tasks have arrived, messages about
 * ends have, tasks are requested. */
enum { TASKS = 1, ENDED = 2, GIVE = 4 };

/* An inbound message, which handlers put in a list. */
struct letter {
    struct letter *next;
    unsigned from;
    union {
        uint64_t kind;
        struct fl_omp_tasks_message tasks;
        struct fl_omp_ended_message ended;
        struct fl_omp_group_ended_message group_ended;
        struct fl_omp_fulfilled_message fulfilled;
    } words;
    _Alignas(16) unsigned char tasks[];
};

static struct {
    struct fl_mutex mutex;
    struct fl_omp_team *team; /* of the region; null: there is none */
    struct letter *tasks, *ended;
    uint64_t give; /* hosts to send tasks to, a bit for each */
    uint32_t asked[FL_OMP_MOST_HOSTS]; /* requests for each of them */
    uint64_t received; /* grants */
    _Atomic uint32_t unpacking; /* members that are taking tasks in */
    atomic_bool quiet, hungry, plenty; /* as host 0 has been told */
    /* A round: tasks sent and returned, what that costs on both hosts, and the tasks' useful time,
     * until all are back, or ROUND_MOST. */
    uint64_t given, back, cost_ns, gain_ns, pause_ns, not_before_ns;
    bool proven; /* the last round of this region paid */
} here;

/* The balancer: a thread that grants requests while all members are busy. */
static struct {
    struct fl_mutex mutex;   /* for its looks, and a region's begin and end; before here.mutex */
    _Atomic uint32_t called; /* the futex on which it sleeps: grows */
    atomic_bool watches;     /* will look again without being called */
    bool there;
} giver;

struct fl_omp_member fl_omp_away;
_Atomic uint32_t fl_omp_migrate_news;

/* A task in a message; its data follow, rounded up to 16 bytes. */
struct moved {
    _Alignas(16) struct fl_omp_task *task; /* on its origin, as is the group */
    struct fl_omp_group *group;
    void (*body)(void *data);
    uint64_t bytes;
    uint32_t align, beyond; /* the data stand so many bytes beyond a multiple of that */
    struct fl_omp_icvs icvs;
    bool final, cancelled;
};

struct fl_omp_origin {
    struct fl_omp_group group; /* the stand-in for the one on the origin */
    unsigned host;
    struct moved moved;
    void *data;
    uint64_t cpu_ns, spent_ns; /* CPU time; time for other hosts' memory and locks */
    _Atomic uint32_t holders;
};

static struct fl_omp_origin *origin_of(struct fl_omp_group *group) {
    return (struct fl_omp_origin *)(void *)((char *)group - offsetof(struct fl_omp_origin, group));
}

static void *allocated(void *memory) {
    if (!memory) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for tasks of other hosts");
    }
    return memory;
}

static uint32_t news(void) {
    /* [M1] pairs [M2]. A member that reads it too early reads it again. */
    return atomic_load_explicit(&fl_omp_migrate_news, memory_order_acquire);
}

static void drop_news(uint32_t what) {
    atomic_fetch_and_explicit(&fl_omp_migrate_news, ~what, memory_order_relaxed); /* the mutex orders it */
}

/* Wakes the balancer: tasks are requested, or are there for requests. For handlers, too. */
static void call_giver(void) {
    atomic_fetch_add_explicit(&giver.called, 1, memory_order_release); /* [G1] pairs [G2] */
    fl_os_futex_wake(&giver.called, 1);
}

/* ---- giving ---- */

static int64_t ready(struct fl_omp_member *member) {
    /* Relaxed, both: an estimate. */
    return fl_omp_deque_bottom(&member->tasks.deque) -
           atomic_load_explicit(&member->tasks.deque.top, memory_order_relaxed);
}

static bool is_movable(const struct fl_omp_task *task, const void *unused) {
    (void)unused;
    return atomic_load_explicit(&task->movable, memory_order_relaxed); /* see fl_omp_deque_filter */
}

/* Whether the member's oldest task may migrate. */
static bool can_give(struct fl_omp_member *member) {
    struct fl_omp_deque *deque = &member->tasks.deque;
    int64_t top = atomic_load_explicit(&deque->top, memory_order_relaxed);
    /* [T7] pairs [T2] in deque.h: the slot has been written. */
    return top < atomic_load_explicit(&deque->bottom, memory_order_acquire) &&
           is_movable(atomic_load_explicit(fl_omp_deque_slot(deque, top), memory_order_relaxed),
                      NULL);
}

struct parcel {
    struct fl_omp_tasks_message words;
    _Alignas(16) unsigned char tasks[FL_OMP_FAR_TOLD - sizeof(struct fl_omp_tasks_message)];
    size_t bytes;
};

static bool has_room(const struct parcel *parcel) {
    return sizeof parcel->tasks - parcel->bytes >= sizeof(struct moved) + FL_OMP_MOVABLE_MOST;
}

static void pack(struct fl_omp_member *me, struct parcel *parcel, struct fl_omp_task *task) {
    fl_assert(has_room(parcel) && task->bytes <= FL_OMP_MOVABLE_MOST && task->deferred);
    fl_assert(!task->origin);
    struct moved *moved = (void *)(parcel->tasks + parcel->bytes);
    *moved = (struct moved){.task = task,
                            .group = task->group,
                            .body = task->body,
                            .bytes = task->bytes,
                            .align = task->align,
                            .beyond = (uint32_t)((uintptr_t)task->data % task->align),
                            .icvs = task->icvs,
                            .final = task->final};
    moved->cancelled =
        task->group && atomic_load_explicit(&task->group->cancelled, memory_order_relaxed);
    memcpy(moved + 1, task->data, task->bytes);
    task->member = me;
    parcel->bytes += sizeof *moved + fl_round_up(task->bytes, 16);
    parcel->words.n++;
}

/* Takes up to `n` of the oldest tasks of all members. */
static void collect(struct fl_omp_member *me, struct parcel *parcel, int64_t n) {
    struct fl_omp_team *team = me->team;
    for (unsigned i = 0; i < team->n && (int64_t)parcel->words.n < n; i++) {
        struct fl_omp_member *victim = team->members[(me->index + i) % team->n];
        while ((int64_t)parcel->words.n < n && has_room(parcel)) {
            struct fl_omp_task *task =
                fl_omp_deque_steal(&victim->tasks.deque, is_movable, NULL);
            if (!task) {
                break;
            }
            pack(me, parcel, task);
        }
    }
}

static void send_tasks(unsigned host, const struct parcel *parcel) {
    if (parcel->words.n > 0) {
        fl_omp_far.release(host);
    }
    fl_omp_far.tell(host, parcel, offsetof(struct parcel, tasks) + parcel->bytes);
}

/* Tasks are counted before they leave: they may be back at once. */
static void account(uint64_t tasks, uint64_t cost_ns) {
    fl_mutex_lock(&here.mutex);
    here.given += tasks;
    here.cost_ns += cost_ns;
    fl_mutex_unlock(&here.mutex);
}

static int64_t ready_in_all(struct fl_omp_team *team) {
    int64_t all = 0;
    for (unsigned i = 0; i < team->n; i++) {
        all += ready(team->members[i]);
    }
    return all;
}

static void give(struct fl_omp_member *me) {
    fl_mutex_lock(&here.mutex);
    uint64_t hosts = here.give;
    uint32_t asked[FL_OMP_MOST_HOSTS];
    memcpy(asked, here.asked, sizeof asked);
    memset(here.asked, 0, sizeof here.asked);
    here.give = 0;
    drop_news(GIVE);
    bool tries = !here.proven;
    fl_mutex_unlock(&here.mutex);
    /* A share for each host: others may ask next. But one task at a time until a round has paid
     * off: a migrated task does not migrate again, so a large batch may strand tasks behind one
     * that waits for them. */
    int64_t share = ready_in_all(me->team) / fl_omp_far.hosts;
    share = share < 1 || tries ? 1 : share < MOST_GIVEN ? share : MOST_GIVEN;
    for (; hosts; hosts &= hosts - 1) {
        unsigned host = (unsigned)__builtin_ctzll(hosts);
        struct parcel parcel;
        fl_assert(host < fl_omp_far.hosts && asked[host] > 0);
        uint64_t since = fl_os_now_ns();
        parcel.words = (struct fl_omp_tasks_message){.kind = fl_omp_kind_tasks,
                                                     .grants = asked[host]};
        parcel.bytes = 0;
        collect(me, &parcel, share);
        account(parcel.words.n, 0);
        send_tasks(host, &parcel);
        account(0, parcel.words.n ? fl_os_now_ns() - since : 0);
    }
    /* Relaxed: a hint. */
    atomic_store_explicit(&here.plenty, false, memory_order_relaxed);
}

/* Whether migration is likely to pay: the back-off is over, and the round has paid so far. */
static bool is_worth_it(void) {
    fl_mutex_lock(&here.mutex);
    bool good = fl_os_now_ns() >= here.not_before_ns && here.gain_ns >= WORTH * here.cost_ns;
    fl_mutex_unlock(&here.mutex);
    return good;
}

/* Serialises the messages that the host is idle or overloaded: host 0 believes the last one.
 * Handlers do not take it. */
static struct fl_mutex saying;

/* Sets `what`. Whether that is new: then `otherwise` no longer holds. *given_p: grants received so
 * far. */
static bool becomes(atomic_bool *what, atomic_bool *otherwise, uint64_t *given_p) {
    fl_mutex_lock(&here.mutex);
    *given_p = here.received;
    /* Relaxed, all: a hint. */
    bool new = !atomic_exchange_explicit(what, true, memory_order_relaxed);
    if (new) {
        atomic_store_explicit(otherwise, false, memory_order_relaxed);
    }
    fl_mutex_unlock(&here.mutex);
    return new;
}

static void say_plenty(void) {
    uint64_t given;
    fl_mutex_lock(&saying);
    if (becomes(&here.plenty, &here.hungry, &given)) {
        fl_omp_hosts_plenty();
    }
    fl_mutex_unlock(&saying);
}

void fl_omp_migrate_hungry(struct fl_omp_member *me) {
    (void)me;
    /* Tasks that have arrived since the member looked are enough: further ones could be stranded
     * behind a task that waits for them. */
    if (atomic_load_explicit(&here.hungry, memory_order_relaxed) || news() & TASKS) {
        return;
    }
    uint64_t given;
    fl_mutex_lock(&saying);
    if (becomes(&here.hungry, &here.plenty, &given)) {
        fl_omp_hosts_hungry(given);
    }
    fl_mutex_unlock(&saying);
}

/* Tells host 0 if the member has more tasks than this host's members are likely to take soon; tasks
 * that they have not taken later are seen by the balancer. */
static void offer(struct fl_omp_member *me) {
    if (!can_give(me)) {
        return;
    }
    /* [G3] pairs [G4]: either this sees that the balancer does not watch, or it sees the task. */
    atomic_thread_fence(memory_order_seq_cst);
    if (!atomic_load_explicit(&giver.watches, memory_order_relaxed)) {
        call_giver();
    }
    if (!atomic_load_explicit(&here.plenty, memory_order_relaxed) &&
        ready(me) > (int64_t)me->team->n && is_worth_it()) {
        say_plenty();
    }
}

/*
 * ---- the balancer: giving while all members are busy ----
 *
 * A member looks for requests between two tasks, which may be in an hour. The balancer thread takes
 * care of the tasks that wait meanwhile: it sends them if no member has soon after a request, and
 * tells host 0 of an overload if no task has begun for a while. tests/litmus/giver.pml models its
 * sleep.
 */

/* Changes when a task is made or taken. Relaxed: a hint. */
static int64_t moves(struct fl_omp_team *team) {
    int64_t sum = 0;
    for (unsigned i = 0; i < team->n; i++) {
        struct fl_omp_deque *deque = &team->members[i]->tasks.deque;
        sum += fl_omp_deque_bottom(deque) +
               2 * atomic_load_explicit(&deque->top, memory_order_relaxed);
    }
    return sum;
}

/* How long no task must have begun before the host counts as overloaded: longer after rounds that
 * did not pay. */
static uint64_t patience_ns(void) {
    fl_mutex_lock(&here.mutex);
    uint64_t pause_ns = here.pause_ns;
    fl_mutex_unlock(&here.mutex);
    return pause_ns < LOOK_PAUSE_NS        ? LOOK_PAUSE_NS
           : pause_ns < MOST_PATIENCE_NS ? pause_ns
                                         : MOST_PATIENCE_NS;
}

/* The state that the balancer has seen last, and since when. */
struct seen {
    int64_t moves;
    uint64_t since_ns;
};

/* A look of the balancer. Whether it should look again without being called. */
static bool look_in_place_of_members(struct seen *seen) {
    fl_mutex_lock(&giver.mutex);
    struct fl_omp_team *team = here.team; /* changes with both mutexes */
    bool ready = false;
    if (team) {
        uint64_t now = fl_os_now_ns();
        int64_t moved = moves(team);
        if (moved != seen->moves) {
            *seen = (struct seen){moved, now};
        }
        if (news() & GIVE) {
            give(team->members[0]);
            seen->moves = moves(team); /* the balancer's own steals do not count */
        }
        for (unsigned i = 0; i < team->n && !ready; i++) {
            ready = can_give(team->members[i]);
        }
        if (ready && now - seen->since_ns >= patience_ns() &&
            !atomic_load_explicit(&here.plenty, memory_order_relaxed)) {
            say_plenty();
        }
    }
    fl_mutex_unlock(&giver.mutex);
    return ready;
}

static void *look_for_ever(void *unused) {
    (void)unused;
    struct seen seen = {0, 0};
    for (;;) {
        /* [G2] pairs [G1]: the look sees what there was before the call, or it will not sleep. */
        uint32_t called = atomic_load_explicit(&giver.called, memory_order_acquire);
        if (news() & GIVE) {
            static _Atomic uint32_t nothing;
            (void)fl_os_futex_wait_timeout(&nothing, 0, GIVE_PAUSE_NS);
        }
        atomic_store_explicit(&giver.watches, false, memory_order_relaxed);
        /* [G4] pairs [G3]. */
        atomic_thread_fence(memory_order_seq_cst);
        if (look_in_place_of_members(&seen)) {
            atomic_store_explicit(&giver.watches, true, memory_order_relaxed);
            (void)fl_os_futex_wait_timeout(&giver.called, called, LOOK_PAUSE_NS);
        } else {
            fl_os_futex_wait(&giver.called, called);
        }
    }
    return NULL;
}

/* A region begins in which tasks may migrate. For one thread at a time. If the balancer cannot be
 * started, tasks leave when members look. */
static void start_giver(void) {
    if (!giver.there) {
        giver.there = fl_os_thread_start_quiet(look_for_ever, NULL) == 0;
    }
}

/* ---- tasks of others ---- */

static void release(struct fl_omp_origin *origin) {
    /* [M3] pairs itself: the holder that frees the origin sees that the other is done with it. */
    uint32_t holders = atomic_fetch_sub_explicit(&origin->holders, 1, memory_order_acq_rel);
    fl_assert(holders > 0);
    if (holders == 1) {
        free(origin);
    }
}

static void run_moved(void *data) {
    struct fl_omp_origin *origin = data;
    /* Not by the clock: a thread without a CPU does nothing for the task. */
    uint64_t since = fl_os_thread_cpu_ns(), spent = fl_omp_far.spent_ns();
    origin->moved.body(origin->data);
    origin->spent_ns = fl_omp_far.spent_ns() - spent;
    origin->cpu_ns = fl_os_thread_cpu_ns() - since;
}

bool fl_omp_migrate_has_moved(const struct fl_omp_task *task) {
    return task->body == run_moved;
}

static void unpack_one(struct fl_omp_member *me, unsigned from, const struct moved *moved) {
    struct fl_omp_origin *origin = allocated(calloc(1, sizeof *origin));
    origin->host = from;
    origin->moved = *moved;
    size_t align = moved->align < FL_CACHE_LINE ? FL_CACHE_LINE : moved->align;
    size_t bytes = moved->beyond + moved->bytes;
    char *memory = allocated(fl_omp_far.alloc(bytes ? bytes : 1, align));
    origin->data = memcpy(memory + moved->beyond, moved + 1, moved->bytes);
    atomic_init(&origin->holders, 1);
    if (moved->group) {
        origin->group.count.owner = &fl_omp_away;
        atomic_init(&origin->group.count.elsewhere, 1);
        atomic_init(&origin->group.cancelled, moved->cancelled);
        atomic_init(&origin->holders, 2);
    }
    fl_omp_task_take_in(me, &(struct fl_omp_task_from){
                                .origin = origin,
                                .body = run_moved,
                                .data = origin,
                                .outside = memory,
                                .group = moved->group ? &origin->group : NULL,
                                .icvs = &moved->icvs,
                                .final = moved->final});
}

static void unpack(struct fl_omp_member *me, const struct letter *letter) {
    fl_omp_far.acquire(letter->from);
    const unsigned char *at = letter->tasks;
    for (uint64_t i = 0; i < letter->words.tasks.n; i++) {
        const struct moved *moved = (const void *)at;
        at += sizeof *moved + fl_round_up(moved->bytes, 16);
        unpack_one(me, letter->from, moved);
    }
}

static struct letter *take(struct letter **list, uint32_t what) {
    fl_mutex_lock(&here.mutex);
    struct letter *letters = *list;
    *list = NULL;
    drop_news(what);
    if (letters && what == TASKS) {
        /* Relaxed: the mutex orders it. */
        atomic_fetch_add_explicit(&here.unpacking, 1, memory_order_relaxed);
    }
    fl_mutex_unlock(&here.mutex);
    return letters;
}

static void take_in(struct fl_omp_member *me) {
    struct letter *letters = take(&here.tasks, TASKS), *next;
    if (!letters) {
        return;
    }
    for (; letters; letters = next) {
        next = letters->next;
        unpack(me, letters);
        free(letters);
    }
    fl_mutex_lock(&here.mutex);
    uint32_t unpacking =
        atomic_fetch_sub_explicit(&here.unpacking, 1, memory_order_relaxed);
    fl_assert(unpacking > 0);
    fl_mutex_unlock(&here.mutex);
    fl_omp_tasks_call(&me->team->tasks);
}

void fl_omp_migrate_ended(struct fl_omp_task *task) {
    struct fl_omp_origin *origin = task->origin;
    const struct moved *moved = &origin->moved;
    /* [N4] in task.c: only the task itself is left. */
    bool all = moved->group && atomic_load_explicit(&origin->group.count.elsewhere,
                                                    memory_order_seq_cst) == 1;
    fl_omp_far.release(origin->host);
    uint64_t useful = origin->cpu_ns > origin->spent_ns ? origin->cpu_ns - origin->spent_ns : 0;
    FL_OMP_TELL(origin->host, ended, .task = (uintptr_t)moved->task, .spent_ns = origin->spent_ns,
                .useful_ns = useful, .group_is_over = all);
    task->origin = NULL;
    if (all) {
        task->group = NULL;
        release(origin);
    }
    release(origin);
}

void fl_omp_migrate_group_ended(struct fl_omp_group *group) {
    struct fl_omp_origin *origin = origin_of(group);
    fl_omp_far.release(origin->host);
    FL_OMP_TELL(origin->host, group_ended, .group = (uintptr_t)origin->moved.group);
    release(origin);
}

void fl_omp_migrate_group_cancel(struct fl_omp_group *group) {
    struct fl_omp_origin *origin = origin_of(group);
    FL_OMP_TELL(origin->host, group_cancel, .group = (uintptr_t)origin->moved.group);
}

void fl_omp_migrate_fulfill(unsigned host, struct fl_omp_task *task) {
    fl_omp_far.release(host);
    FL_OMP_TELL(host, fulfilled, .task = (uintptr_t)task);
}

/* ---- ends of tasks that were given away ---- */

void omp_fulfill_event(void *event);

/* The caller has the mutex. */
static void account_return(uint64_t useful_ns, uint64_t spent_ns) {
    here.gain_ns += useful_ns;
    here.cost_ns += spent_ns;
    here.back++;
    fl_assert(here.back <= here.given);
    if (here.back < here.given && here.back < ROUND_MOST) {
        return;
    }
    bool worth = here.gain_ns >= WORTH * here.cost_ns;
    uint64_t longer = here.pause_ns ? 2 * here.pause_ns : FIRST_PAUSE_NS;
    uint64_t least = here.cost_ns < MOST_PAUSE_NS / LEAST_PAUSE ? LEAST_PAUSE * here.cost_ns
                                                                : MOST_PAUSE_NS;
    longer = longer < LONGEST_PAUSE_NS ? longer : LONGEST_PAUSE_NS;
    here.proven = worth;
    here.pause_ns = worth ? 0 : longer > least ? longer : least;
    here.not_before_ns = fl_os_now_ns() + here.pause_ns;
    here.given -= here.back;
    here.back = here.cost_ns = here.gain_ns = 0;
}

/* Null member: the caller is not of the region's team. */
static void welcome(struct fl_omp_member *me, const struct letter *letter) {
    fl_omp_far.acquire(letter->from);
    if (letter->words.kind == fl_omp_kind_group_ended) {
        fl_omp_group_return(me, (void *)(uintptr_t)letter->words.group_ended.group);
        return;
    }
    if (letter->words.kind == fl_omp_kind_fulfilled) {
        fl_omp_me->tasks.helped = true;
        omp_fulfill_event(fl_omp_event_of((void *)(uintptr_t)letter->words.fulfilled.task));
        return;
    }
    const struct fl_omp_ended_message *ended = &letter->words.ended;
    fl_mutex_lock(&here.mutex);
    account_return(ended->useful_ns, ended->spent_ns);
    fl_mutex_unlock(&here.mutex);
    fl_omp_task_return(me, (void *)(uintptr_t)ended->task, ended->group_is_over);
}

static void take_back(struct fl_omp_member *me) {
    struct fl_omp_member *of_region = fl_omp_team_agrees(me->team) ? me : NULL;
    for (struct letter *letters = take(&here.ended, ENDED), *next; letters; letters = next) {
        next = letters->next;
        welcome(of_region, letters);
        free(letters);
    }
}

void fl_omp_migrate_step(struct fl_omp_member *me, bool in_barrier) {
    uint32_t what = news();
    if (what & ENDED) {
        take_back(me);
    }
    if (!fl_omp_team_agrees(me->team)) {
        return;
    }
    if (what & GIVE) {
        give(me);
    }
    if (in_barrier && what & TASKS) {
        take_in(me);
    }
    offer(me);
}

/* ---- messages ---- */

/* The caller has the mutex. */
static void ring_all(void) {
    struct fl_omp_team *team = here.team;
    if (!team) {
        return;
    }
    fl_omp_ring(team);
    for (unsigned i = 0; i < team->n; i++) {
        fl_wait_ring(&team->members[i]->tasks.bell);
    }
}

/* The caller has the mutex. */
static void add_news(uint32_t what) {
    /* [M2] pairs [M1]. Before the ring. */
    atomic_fetch_or_explicit(&fl_omp_migrate_news, what, memory_order_seq_cst);
    if (here.team && what & TASKS) {
        atomic_exchange_explicit(&here.team->tasks.used, true, memory_order_seq_cst); /* [U1] */
    }
    ring_all();
}

/* The caller has the mutex. `bytes`: of all words. */
static void add_letter(struct letter **list, const struct fl_omp_call *call, size_t bytes) {
    struct letter *letter =
        allocated(aligned_alloc(16, fl_round_up(sizeof *letter + call->bytes, 16)));
    letter->next = NULL;
    letter->from = call->from;
    memcpy(&letter->words, call->words, bytes);
    memcpy(letter->tasks, call->payload, call->bytes);
    while (*list) {
        list = &(*list)->next;
    }
    *list = letter;
}

void fl_omp_serve_tasks(const struct fl_omp_call *call, const struct fl_omp_tasks_message *words) {
    fl_mutex_lock(&here.mutex);
    here.received += words->grants;
    /* Relaxed: [M2] is later, or the ring is. */
    atomic_store_explicit(&here.quiet, false, memory_order_relaxed);
    atomic_store_explicit(&here.hungry, false, memory_order_relaxed);
    /* Host 0 ignores it from a host that is quiet: so it can be sent again. */
    atomic_store_explicit(&here.plenty, false, memory_order_relaxed);
    if (words->n > 0) {
        add_letter(&here.tasks, call, sizeof *words);
        add_news(TASKS);
    } else {
        ring_all();
    }
    fl_mutex_unlock(&here.mutex);
}

/* Host 0 may request tasks for the same host again before a member has looked, and counts each
 * request as a grant: so they are counted here, too. */
void fl_omp_serve_give(const struct fl_omp_call *call, const struct fl_omp_give_message *words) {
    (void)call;
    fl_mutex_lock(&here.mutex);
    here.give |= words->hosts;
    for (uint64_t hosts = words->hosts; hosts; hosts &= hosts - 1) {
        here.asked[__builtin_ctzll(hosts)]++;
    }
    add_news(GIVE);
    call_giver();
    fl_mutex_unlock(&here.mutex);
}

/* The task may be of a nested region, whose members wait for it while no other thread waits. */
static void ring_maker(struct fl_omp_task *task) {
    /* Relaxed: the message of its event has arrived. The parent waits for it, or is kept until it
     * ends. */
    struct fl_omp_task *parent = atomic_load_explicit(&task->parent, memory_order_relaxed);
    struct fl_omp_member *maker = parent->children.owner;
    fl_omp_ring(maker->team);
    fl_wait_ring(&maker->tasks.bell);
}

/* The caller has the mutex. */
static void add_ended(const struct fl_omp_call *call, size_t bytes) {
    add_letter(&here.ended, call, bytes);
    add_news(ENDED);
}

void fl_omp_serve_ended(const struct fl_omp_call *call, const struct fl_omp_ended_message *words) {
    fl_mutex_lock(&here.mutex);
    add_ended(call, sizeof *words);
    fl_mutex_unlock(&here.mutex);
}

void fl_omp_serve_group_ended(const struct fl_omp_call *call,
                              const struct fl_omp_group_ended_message *words) {
    fl_mutex_lock(&here.mutex);
    add_ended(call, sizeof *words);
    fl_mutex_unlock(&here.mutex);
}

void fl_omp_serve_fulfilled(const struct fl_omp_call *call,
                            const struct fl_omp_fulfilled_message *words) {
    fl_mutex_lock(&here.mutex); /* the task stays until a member takes the letter */
    add_ended(call, sizeof *words);
    ring_maker((void *)(uintptr_t)words->task);
    fl_mutex_unlock(&here.mutex);
}

void fl_omp_serve_group_cancel(const struct fl_omp_call *call,
                               const struct fl_omp_group_cancel_message *words) {
    (void)call;
    struct fl_omp_group *group = (void *)(uintptr_t)words->group;
    atomic_store_explicit(&group->cancelled, true, memory_order_relaxed); /* as in task.c */
}

/* ---- being quiet ---- */

bool fl_omp_migrate_may_be_quiet(struct fl_omp_team *team) {
    /* Relaxed, both: fl_omp_migrate_turns_quiet looks again. */
    return !atomic_load_explicit(&here.quiet, memory_order_relaxed) && !(news() & TASKS) &&
           atomic_load_explicit(&here.unpacking, memory_order_relaxed) == 0 &&
           fl_omp_tasks_ended(team);
}

bool fl_omp_migrate_turns_quiet(struct fl_omp_team *team, uint64_t *received) {
    fl_mutex_lock(&here.mutex);
    bool quiet = fl_omp_migrate_may_be_quiet(team);
    if (quiet) {
        atomic_store_explicit(&here.quiet, true, memory_order_relaxed);
        *received = here.received;
    }
    fl_mutex_unlock(&here.mutex);
    return quiet;
}

/* Tasks may have arrived before this: another host sends them as soon as the region has begun
 * there. */
void fl_omp_migrate_enter(struct fl_omp_team *team) {
    fl_omp_migrate_reset();
    if (team && fl_omp_team_agrees(team)) {
        start_giver();
    }
    fl_mutex_lock(&giver.mutex);
    fl_mutex_lock(&here.mutex);
    here.team = team;
    here.proven = false;
    if (team && news() & TASKS) {
        /* Relaxed: published with the region. */
        atomic_store_explicit(&team->tasks.used, true, memory_order_relaxed);
    }
    fl_mutex_unlock(&here.mutex);
    fl_mutex_unlock(&giver.mutex);
}

void fl_omp_migrate_reset(void) {
    fl_mutex_lock(&here.mutex);
    /* Relaxed, all: hints, or ordered by the mutex. */
    atomic_store_explicit(&here.quiet, false, memory_order_relaxed);
    atomic_store_explicit(&here.hungry, false, memory_order_relaxed);
    atomic_store_explicit(&here.plenty, false, memory_order_relaxed);
    fl_mutex_unlock(&here.mutex);
}
