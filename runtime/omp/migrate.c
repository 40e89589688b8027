/* SPDX-License-Identifier: BSD-3-Clause */
/* See migrate.h. */
#include "omp/migrate.h"

#include "core/fatal.h"
#include "omp/barrier.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_GIVEN = 32,  /* tasks of a message */
    DATA_MOST = 1024, /* of a task: as task.c has it */
    WORTH = 2, /* times what giving tasks takes their execution should */
    FIRST_PAUSE_NS = 200000, /* after some were not worth it: longer each time; */
    LONGEST_PAUSE_NS = 50000000,
    LEAST_PAUSE = 8, /* but at least so many times what they have cost, */
    MOST_PAUSE_NS = 1000000000, /* up to that */
    ROUND_MOST = 32, /* tasks that are back, after which that is judged at the latest */
    GIVE_PAUSE_NS = 200000, /* for a member that looks */
    LOOK_PAUSE_NS = 2000000, /* between looks of the giver */
    MOST_PATIENCE_NS = 100000000
};

/* Its bits: what members shall look at. */
enum { TASKS = 1, ENDED = 2, GIVE = 4 };

/* Handlers of messages put it in lists. */
struct letter {
    struct letter *next;
    unsigned from;
    uint64_t words[4];
    size_t bytes;
    _Alignas(16) unsigned char tasks[];
};

static struct {
    struct fl_mutex mutex;
    struct fl_omp_team *team; /* whose region it is */
    struct letter *tasks, *ended;
    uint64_t give; /* hosts, */
    uint32_t asked[FL_OMP_MOST_HOSTS]; /* each so often */
    uint64_t received;
    _Atomic uint32_t unpacking; /* members that make tasks of letters */
    atomic_bool quiet, hungry, plenty; /* as host 0 has been told */
    /* What it takes to give tasks, there and here, and what is had from it, until all that were given are
     * back, or many. */
    uint64_t given, back, cost_ns, gain_ns, pause_ns, not_before_ns;
    bool proven; /* in this region the last that were given were worth it */
} here;

/* The thread that looks while members are busy. */
static struct {
    struct fl_mutex mutex;   /* while it looks, and while a region begins or ends; before that of `here` */
    _Atomic uint32_t called; /* on which it sleeps: grows */
    atomic_bool watches;     /* will look without being called */
    bool there;
} giver;

struct fl_omp_member fl_omp_away;
_Atomic uint32_t fl_omp_migrate_news;

/* As it travels; data follow, rounded up to 16 bytes. */
struct moved {
    _Alignas(16) struct fl_omp_task *task; /* at home, as is the group */
    struct fl_omp_group *group;
    void (*body)(void *data);
    uint64_t bytes;
    uint32_t align, beyond; /* the data stand so many bytes beyond a multiple of that */
    struct fl_omp_icvs icvs;
    bool final, cancelled;
};

struct fl_omp_origin {
    struct fl_omp_group group; /* in the place of the one at home */
    unsigned host;
    struct moved moved;
    void *data;
    uint64_t cpu_ns, spent_ns; /* of a CPU; on other hosts, of these or not */
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
    /* [M1] pairs [M2]. A look that comes too early is repeated. */
    return atomic_load_explicit(&fl_omp_migrate_news, memory_order_acquire);
}

static void drop_news(uint32_t what) {
    atomic_fetch_and_explicit(&fl_omp_migrate_news, ~what, memory_order_relaxed); /* the mutex orders it */
}

/* What the host has told others of is ordered before what they do next. */
static void tell(unsigned host, enum fl_omp_migrate_kind kind, uint64_t a, uint64_t b, uint64_t c) {
    const uint64_t message[4] = {kind, a, b, c};
    fl_omp_far.tell(host, message, sizeof message);
}

/* Tasks are asked for, or are there to be asked for. For handlers, too. */
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

/* Whether it has a task to give. */
static bool can_give(struct fl_omp_member *member) {
    struct fl_omp_deque *deque = &member->tasks.deque;
    int64_t top = atomic_load_explicit(&deque->top, memory_order_relaxed);
    /* [T7] pairs [T2] in deque.h: the slot has been written. */
    return top < atomic_load_explicit(&deque->bottom, memory_order_acquire) &&
           is_movable(atomic_load_explicit(fl_omp_deque_slot(deque, top), memory_order_relaxed),
                      NULL);
}

struct parcel {
    uint64_t words[4]; /* kind, tasks, how often they were asked for */
    _Alignas(16) unsigned char tasks[FL_OMP_FAR_TOLD - 32];
    size_t bytes;
};

static bool has_room(const struct parcel *parcel) {
    return sizeof parcel->tasks - parcel->bytes >= sizeof(struct moved) + DATA_MOST;
}

static void pack(struct fl_omp_member *me, struct parcel *parcel, struct fl_omp_task *task) {
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
    parcel->words[1]++;
}

/* The oldest tasks of all members. */
static void collect(struct fl_omp_member *me, struct parcel *parcel, int64_t n) {
    struct fl_omp_team *team = me->team;
    for (unsigned i = 0; i < team->n && (int64_t)parcel->words[1] < n; i++) {
        struct fl_omp_member *victim = team->members[(me->index + i) % team->n];
        while ((int64_t)parcel->words[1] < n && has_room(parcel)) {
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
    if (parcel->words[1] > 0) {
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
    /* Those that do not ask yet may be about to; and what has been given away is not given again, even
     * if it comes behind a task that waits for it: one by one, until it is known that they are short. */
    int64_t share = ready_in_all(me->team) / fl_omp_far.hosts;
    share = share < 1 || tries ? 1 : share < MOST_GIVEN ? share : MOST_GIVEN;
    for (; hosts; hosts &= hosts - 1) {
        unsigned host = (unsigned)__builtin_ctzll(hosts);
        struct parcel parcel;
        uint64_t since = fl_os_now_ns();
        parcel.words[0] = FL_OMP_TASKS;
        parcel.words[1] = parcel.bytes = 0;
        parcel.words[2] = asked[host];
        collect(me, &parcel, share);
        account(parcel.words[1], 0);
        send_tasks(host, &parcel);
        account(0, parcel.words[1] ? fl_os_now_ns() - since : 0);
    }
    /* Relaxed: a hint. */
    atomic_store_explicit(&here.plenty, false, memory_order_relaxed);
}

/* Whether tasks are likely to take longer elsewhere than it takes to give them away. */
static bool is_worth_it(void) {
    fl_mutex_lock(&here.mutex);
    bool good = fl_os_now_ns() >= here.not_before_ns && here.gain_ns >= WORTH * here.cost_ns;
    fl_mutex_unlock(&here.mutex);
    return good;
}

/* For host 0 the last that it was told counts, so one thread says it at a time. Handlers do not. */
static struct fl_mutex saying;

/* Whether that is new: then the other is no longer so. *given_p: how often tasks have come until then. */
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
    /* What has come since the member looked is enough: more could stand behind a task that waits for it. */
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

/* If the member has more than this host's members are likely to take soon; and what they have not taken
 * later is seen by the giver. */
static void offer(struct fl_omp_member *me) {
    if (!can_give(me)) {
        return;
    }
    /* [G3] pairs [G4]: either this sees that nobody watches, or the giver sees the task. */
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
 * ---- giving while all members are busy ----
 *
 * A member that executes a task looks again after it, which may be in an hour. Of tasks that wait
 * meanwhile, a thread that does nothing else takes care: it gives them if nobody has done so soon after
 * they were asked for, and says that there are some if no task has begun for a while.
 * tests/litmus/giver.pml has how it sleeps.
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

/* For how long a task must have been under way, as it seems: longer where that was not worth it. */
static uint64_t patience_ns(void) {
    fl_mutex_lock(&here.mutex);
    uint64_t pause_ns = here.pause_ns;
    fl_mutex_unlock(&here.mutex);
    return pause_ns < LOOK_PAUSE_NS        ? LOOK_PAUSE_NS
           : pause_ns < MOST_PATIENCE_NS ? pause_ns
                                         : MOST_PATIENCE_NS;
}

/* What the giver has seen last, and since when. */
struct seen {
    int64_t moves;
    uint64_t since_ns;
};

/* Whether it should look again. */
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
            seen->moves = moves(team); /* that was no member */
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

/* There is a region in which tasks may go away. For one thread at a time. Without a giver, which there
 * is no thread for, tasks go when members look. */
static void start_giver(void) {
    if (!giver.there) {
        giver.there = fl_os_thread_start_quiet(look_for_ever, NULL) == 0;
    }
}

/* ---- tasks of others ---- */

static void release(struct fl_omp_origin *origin) {
    /* [M3] pairs itself: who frees it sees that the other is done with it. */
    if (atomic_fetch_sub_explicit(&origin->holders, 1, memory_order_acq_rel) == 1) {
        free(origin);
    }
}

static void run_moved(void *data) {
    struct fl_omp_origin *origin = data;
    /* Not by the clock: who has no CPU for a while has done nothing for it. */
    uint64_t since = fl_os_thread_cpu_ns(), spent = fl_omp_far.spent_ns();
    origin->moved.body(origin->data);
    origin->spent_ns = fl_omp_far.spent_ns() - spent;
    origin->cpu_ns = fl_os_thread_cpu_ns() - since;
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
    for (uint64_t i = 0; i < letter->words[1]; i++) {
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
    atomic_fetch_sub_explicit(&here.unpacking, 1, memory_order_relaxed);
    fl_mutex_unlock(&here.mutex);
    fl_omp_tasks_call(&me->team->tasks);
}

void fl_omp_migrate_ended(struct fl_omp_task *task) {
    struct fl_omp_origin *origin = task->origin;
    const struct moved *moved = &origin->moved;
    /* [C4] in task.c: only the task itself is left. */
    bool all = moved->group && atomic_load_explicit(&origin->group.count.elsewhere,
                                                    memory_order_seq_cst) == 1;
    fl_omp_far.release(origin->host);
    uint64_t useful = origin->cpu_ns > origin->spent_ns ? origin->cpu_ns - origin->spent_ns : 0;
    tell(origin->host, FL_OMP_ENDED, (uintptr_t)moved->task, origin->spent_ns << 1 | all, useful);
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
    tell(origin->host, FL_OMP_GROUP_ENDED, (uintptr_t)origin->moved.group, 0, 0);
    release(origin);
}

void fl_omp_migrate_group_cancel(struct fl_omp_group *group) {
    struct fl_omp_origin *origin = origin_of(group);
    tell(origin->host, FL_OMP_GROUP_CANCEL, (uintptr_t)origin->moved.group, 0, 0);
}

void fl_omp_migrate_fulfill(unsigned host, struct fl_omp_task *task) {
    fl_omp_far.release(host);
    tell(host, FL_OMP_FULFILLED, (uintptr_t)task, 0, 0);
}

/* ---- ends of tasks that were given away ---- */

void omp_fulfill_event(void *event);

/* For who has the mutex. */
static void account_return(uint64_t useful_ns, uint64_t spent_ns) {
    here.gain_ns += useful_ns;
    here.cost_ns += spent_ns;
    if (++here.back < here.given && here.back < ROUND_MOST) {
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
    void *at = (void *)(uintptr_t)letter->words[1];
    if (letter->words[0] == FL_OMP_GROUP_ENDED) {
        fl_omp_group_return(me, at);
        return;
    }
    if (letter->words[0] == FL_OMP_FULFILLED) {
        fl_omp_me->tasks.helped = true;
        omp_fulfill_event(fl_omp_event_of(at));
        return;
    }
    fl_mutex_lock(&here.mutex);
    account_return(letter->words[3], letter->words[2] >> 1);
    fl_mutex_unlock(&here.mutex);
    fl_omp_task_return(me, at, letter->words[2] & 1);
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

/* For who has the mutex. */
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

/* For who has the mutex. */
static void add_news(uint32_t what) {
    /* [M2] pairs [M1]. Before the ring. */
    atomic_fetch_or_explicit(&fl_omp_migrate_news, what, memory_order_seq_cst);
    if (here.team && what & TASKS) {
        atomic_exchange_explicit(&here.team->tasks.used, true, memory_order_seq_cst); /* [U1] */
    }
    ring_all();
}

static void add_letter(struct letter **list, unsigned from, const uint64_t *message, size_t bytes) {
    struct letter *letter = allocated(aligned_alloc(16, fl_round_up(sizeof *letter + bytes, 16)));
    letter->next = NULL;
    letter->from = from;
    memcpy(letter->words, message, sizeof letter->words);
    memcpy(letter->tasks, (const char *)message + sizeof letter->words, bytes - sizeof letter->words);
    while (*list) {
        list = &(*list)->next;
    }
    *list = letter;
}

static void receive(unsigned from, const uint64_t *message, size_t bytes) {
    here.received += message[2];
    /* Relaxed: [M2] is later, or the ring is. */
    atomic_store_explicit(&here.quiet, false, memory_order_relaxed);
    atomic_store_explicit(&here.hungry, false, memory_order_relaxed);
    /* Host 0 has not heeded it if it came after this host was quiet. */
    atomic_store_explicit(&here.plenty, false, memory_order_relaxed);
    if (message[1] > 0) {
        add_letter(&here.tasks, from, message, bytes);
        add_news(TASKS);
    } else {
        ring_all();
    }
}

/* Host 0 may ask again, for the same host, before a member has looked: it counts that, too. */
static void add_wishes(uint64_t hosts) {
    here.give |= hosts;
    for (; hosts; hosts &= hosts - 1) {
        here.asked[__builtin_ctzll(hosts)]++;
    }
}

/* The task may be of a region inside, whose members wait for it while nobody else does for anything. */
static void ring_maker(struct fl_omp_task *task) {
    /* Relaxed: its event has been heard of. The parent waits for it, or is kept until it ends. */
    struct fl_omp_task *parent = atomic_load_explicit(&task->parent, memory_order_relaxed);
    struct fl_omp_member *maker = parent->children.owner;
    fl_omp_ring(maker->team);
    fl_wait_ring(&maker->tasks.bell);
}

bool fl_omp_migrate_told(unsigned from, const uint64_t *message, size_t bytes) {
    struct fl_omp_group *group = (void *)(uintptr_t)message[1];
    fl_mutex_lock(&here.mutex);
    switch (message[0]) {
    case FL_OMP_GIVE:
        add_wishes(message[1]);
        add_news(GIVE);
        call_giver();
        break;
    case FL_OMP_TASKS:
        receive(from, message, bytes);
        break;
    case FL_OMP_ENDED:
    case FL_OMP_GROUP_ENDED:
    case FL_OMP_FULFILLED:
        add_letter(&here.ended, from, message, bytes);
        add_news(ENDED);
        if (message[0] == FL_OMP_FULFILLED) {
            ring_maker((void *)(uintptr_t)message[1]);
        }
        break;
    case FL_OMP_GROUP_CANCEL:
        atomic_store_explicit(&group->cancelled, true, memory_order_relaxed); /* as in task.c */
        break;
    }
    fl_mutex_unlock(&here.mutex);
    return message[0] >= FL_OMP_GIVE && message[0] < FL_OMP_MIGRATE_KINDS;
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

/* Another host may give tasks as soon as the region has begun there. */
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
