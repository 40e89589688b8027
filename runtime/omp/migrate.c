/* SPDX-License-Identifier: BSD-3-Clause */
/* See migrate.h. */
#include "omp/migrate.h"

#include "core/fatal.h"
#include "omp/barrier.h"
#include "omp/ends.h"
#include "omp/migrate_inside.h"
#include "omp/round.h"

#include <stdlib.h>
#include <string.h>

struct fl_omp_migrate fl_omp_migrate;
static struct fl_omp_migrate *const here = &fl_omp_migrate;
struct fl_omp_member fl_omp_away;
_Atomic uint32_t fl_omp_migrate_news;

static struct fl_omp_origin *origin_of(struct fl_omp_group *group) {
    return (struct fl_omp_origin *)(void *)((char *)group - offsetof(struct fl_omp_origin, group));
}

static unsigned host_of(const struct fl_omp_origin *origin) {
    return (unsigned)origin->moved.origin;
}

void fl_omp_migrate_start(void) {
    here->of_hosts =
        FL_ALLOCATED(calloc(fl_omp_far.hosts, sizeof *here->of_hosts), "tasks of other hosts");
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
    uint64_t since = fl_os_thread_cpu_ns(), spent = fl_omp_far_spent_ns();
    origin->moved.body(origin->data);
    origin->spent_ns = fl_omp_far_spent_ns() - spent;
    origin->cpu_ns = fl_os_thread_cpu_ns() - since;
}

bool fl_omp_migrate_has_moved(const struct fl_omp_task *task) {
    return task->body == run_moved;
}

static void unpack_one(struct fl_omp_member *me, const struct fl_omp_moved *moved) {
    struct fl_omp_origin *origin = FL_ALLOCATED(calloc(1, sizeof *origin), "tasks of other hosts");
    origin->moved = *moved;
    size_t align = moved->align < FL_CACHE_LINE ? FL_CACHE_LINE : moved->align;
    size_t bytes = moved->beyond + moved->bytes;
    char *memory = FL_ALLOCATED(fl_omp_far_alloc(bytes ? bytes : 1, align), "tasks of other hosts");
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
                                .host = host_of(origin),
                                .body = run_moved,
                                .data = origin,
                                .outside = memory,
                                .group = moved->group ? &origin->group : NULL,
                                .icvs = &moved->icvs,
                                .final = moved->final});
}

static void unpack(struct fl_omp_member *me, const struct fl_omp_letter *letter) {
    fl_omp_far_acquire(letter->from);
    const unsigned char *at = letter->tasks + letter->read;
    for (uint64_t i = 0; i < letter->words.tasks.n; i++) {
        const struct fl_omp_moved *moved = (const void *)at;
        at += fl_omp_moved_bytes(moved);
        unpack_one(me, moved);
    }
}

static struct fl_omp_letter *take(struct fl_omp_letter **list, uint32_t what) {
    fl_mutex_lock(&here->mutex);
    struct fl_omp_letter *letters = *list;
    *list = NULL;
    fl_omp_migrate_news_drop(what);
    if (letters && what == FL_OMP_NEWS_TASKS) {
        /* Relaxed: the mutex orders it. */
        atomic_fetch_add_explicit(&here->unpacking, 1, memory_order_relaxed);
    }
    fl_mutex_unlock(&here->mutex);
    return letters;
}

static void take_in(struct fl_omp_member *me) {
    struct fl_omp_letter *letters = take(&here->tasks, FL_OMP_NEWS_TASKS), *next;
    if (!letters) {
        return;
    }
    for (; letters; letters = next) {
        next = letters->next;
        unpack(me, letters);
        free(letters);
    }
    fl_mutex_lock(&here->mutex);
    uint32_t unpacking =
        atomic_fetch_sub_explicit(&here->unpacking, 1, memory_order_relaxed);
    fl_assert(unpacking > 0);
    fl_mutex_unlock(&here->mutex);
    fl_omp_tasks_call(&me->team->tasks);
}

void fl_omp_migrate_ended(struct fl_omp_task *task) {
    struct fl_omp_origin *origin = task->origin;
    const struct fl_omp_moved *moved = &origin->moved;
    /* [N4] in task.c: only the task itself is left. */
    bool all = moved->group && atomic_load_explicit(&origin->group.count.elsewhere,
                                                    memory_order_seq_cst) == 1;
    uint64_t useful = origin->cpu_ns > origin->spent_ns ? origin->cpu_ns - origin->spent_ns : 0;
    const struct fl_omp_end end = {(uintptr_t)moved->task, origin->spent_ns, useful, all};
    fl_omp_ends_add(host_of(origin), &end, fl_omp_grant_ready(fl_omp_me) > 0);
    task->origin = NULL;
    if (all) {
        task->group = NULL;
        release(origin);
    }
    release(origin);
}

void fl_omp_migrate_group_ended(struct fl_omp_group *group) {
    struct fl_omp_origin *origin = origin_of(group);
    fl_omp_ends_send();
    fl_omp_far_release(host_of(origin));
    FL_OMP_TELL(host_of(origin), group_ended, .group = (uintptr_t)origin->moved.group);
    release(origin);
}

void fl_omp_migrate_group_cancel(struct fl_omp_group *group) {
    struct fl_omp_origin *origin = origin_of(group);
    FL_OMP_TELL(host_of(origin), group_cancel, .group = (uintptr_t)origin->moved.group);
}

void fl_omp_migrate_fulfill(unsigned host, struct fl_omp_task *task) {
    fl_omp_far_release(host);
    FL_OMP_TELL(host, fulfilled, .task = (uintptr_t)task);
}

/* ---- ends of tasks that were given away ---- */

void omp_fulfill_event(void *event);

/* Null member: the caller is not of the region's team. */
static void welcome(struct fl_omp_member *me, const struct fl_omp_letter *letter) {
    fl_omp_far_acquire(letter->from);
    if (letter->words.kind == fl_omp_kind_group_ended) {
        fl_omp_group_return(me, (void *)(uintptr_t)letter->words.group_ended.group);
        return;
    }
    if (letter->words.kind == fl_omp_kind_fulfilled) {
        omp_fulfill_event(fl_omp_event_of((void *)(uintptr_t)letter->words.fulfilled.task));
        return;
    }
    const struct fl_omp_end *ends = (const void *)letter->tasks;
    for (size_t i = 0; i < letter->bytes / sizeof *ends; i++) {
        fl_omp_round_return(ends[i].useful_ns, ends[i].spent_ns);
        fl_omp_task_return(me, (void *)(uintptr_t)ends[i].task, ends[i].group_is_over);
    }
}

void fl_omp_migrate_take_back(struct fl_omp_member *me) {
    struct fl_omp_letter *letters = take(&here->ended, FL_OMP_NEWS_ENDED), *next;
    for (; letters; letters = next) {
        next = letters->next;
        welcome(me, letters);
        free(letters);
    }
}

void fl_omp_migrate_step(struct fl_omp_member *me, bool in_barrier) {
    uint32_t what = fl_omp_migrate_news_now();
    bool agrees = fl_omp_team_agrees(me->team);
    if (what & FL_OMP_NEWS_ENDED) {
        me->tasks.helped = true;
        fl_omp_migrate_take_back(agrees ? me : NULL);
    }
    if (!agrees) {
        return;
    }
    if (fl_omp_grant_ready(me) == 0) {
        fl_omp_ends_send();
    }
    if (what & FL_OMP_NEWS_GIVE) {
        fl_omp_grant(me, false);
    }
    if (in_barrier && what & FL_OMP_NEWS_TASKS) {
        take_in(me);
    }
    fl_omp_grant_offer(me);
}

/* ---- messages ---- */

/* The caller has the mutex. */
static void ring_all(void) {
    struct fl_omp_team *team = here->team;
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
    if (here->team && what & FL_OMP_NEWS_TASKS) {
        atomic_exchange_explicit(&here->team->tasks.used, true, memory_order_seq_cst); /* [U1] */
    }
    ring_all();
}

/* The caller has the mutex. `bytes`: of all words. */
static void add_letter(struct fl_omp_letter **list, const struct fl_omp_call *call, size_t bytes) {
    struct fl_omp_letter *letter =
        FL_ALLOCATED(aligned_alloc(16, fl_round_up(sizeof *letter + call->bytes, 16)),
                     "tasks of other hosts");
    letter->next = NULL;
    letter->read = 0;
    letter->bytes = call->bytes;
    letter->from = call->from;
    memcpy(&letter->words, call->words, bytes);
    memcpy(letter->tasks, call->payload, call->bytes);
    while (*list) {
        list = &(*list)->next;
    }
    *list = letter;
}

void fl_omp_serve_tasks(const struct fl_omp_call *call, const struct fl_omp_tasks_message *words) {
    fl_mutex_lock(&here->mutex);
    here->received += words->grants;
    /* Relaxed: [M2] is later, or the ring is. */
    atomic_store_explicit(&here->quiet, false, memory_order_relaxed);
    atomic_store_explicit(&here->hungry, FL_OMP_FOR_NONE, memory_order_relaxed);
    /* Host 0 ignores it from a host that is quiet: so it can be sent again. */
    atomic_store_explicit(&here->plenty, false, memory_order_relaxed);
    if (words->n > 0) {
        add_letter(&here->tasks, call, sizeof *words);
        add_news(FL_OMP_NEWS_TASKS);
        fl_omp_balancer_call();
    } else {
        ring_all();
    }
    fl_mutex_unlock(&here->mutex);
}

/* The task's origin has it as before, but for the counts of the round. What it follows has happened
 * here, so that nothing is acquired. */
void fl_omp_serve_home(const struct fl_omp_call *call, const struct fl_omp_home_message *words) {
    (void)words;
    struct fl_omp_task *const *tasks = call->payload;
    size_t n = call->bytes / sizeof *tasks;
    fl_mutex_lock(&here->mutex);
    fl_assert(here->team);
    fl_omp_round_take_back(n);
    for (size_t i = 0; i < n; i++) {
        fl_omp_task_queue(here->team, tasks[i]);
    }
    fl_omp_balancer_call();
    ring_all();
    fl_mutex_unlock(&here->mutex);
}

/* Host 0 may request tasks for the same host again before a member has looked, and counts each
 * request as a grant: so they are counted here, too. */
void fl_omp_serve_give(const struct fl_omp_call *call, const struct fl_omp_give_message *words) {
    (void)words;
    const struct fl_omp_request *asked = call->payload;
    fl_mutex_lock(&here->mutex);
    for (size_t i = 0; i < call->bytes / sizeof *asked; i++) {
        fl_assert(asked[i].host < fl_omp_far.hosts);
        struct fl_omp_requests *requests = &here->of_hosts[asked[i].host];
        requests->for_own = asked[i].for_own;
        if (requests->n++ == 0) {
            requests->next = here->give;
            here->give = requests;
        }
    }
    add_news(FL_OMP_NEWS_GIVE);
    fl_omp_balancer_call();
    fl_mutex_unlock(&here->mutex);
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
    add_letter(&here->ended, call, bytes);
    add_news(FL_OMP_NEWS_ENDED);
    (void)fl_omp_balancer_see();
}

void fl_omp_serve_ended(const struct fl_omp_call *call, const struct fl_omp_ended_message *words) {
    fl_mutex_lock(&here->mutex);
    add_ended(call, sizeof *words);
    fl_mutex_unlock(&here->mutex);
}

void fl_omp_serve_group_ended(const struct fl_omp_call *call,
                              const struct fl_omp_group_ended_message *words) {
    fl_mutex_lock(&here->mutex);
    add_ended(call, sizeof *words);
    fl_mutex_unlock(&here->mutex);
}

void fl_omp_serve_fulfilled(const struct fl_omp_call *call,
                            const struct fl_omp_fulfilled_message *words) {
    fl_mutex_lock(&here->mutex); /* the task stays until a member takes the letter */
    add_ended(call, sizeof *words);
    ring_maker((void *)(uintptr_t)words->task);
    fl_mutex_unlock(&here->mutex);
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
    return !atomic_load_explicit(&here->quiet, memory_order_relaxed) &&
           !(fl_omp_migrate_news_now() & FL_OMP_NEWS_TASKS) &&
           atomic_load_explicit(&here->unpacking, memory_order_relaxed) == 0 &&
           fl_omp_tasks_ended(team);
}

bool fl_omp_migrate_turns_quiet(struct fl_omp_team *team, uint64_t *received) {
    fl_mutex_lock(&here->mutex);
    bool quiet = fl_omp_migrate_may_be_quiet(team);
    if (quiet) {
        atomic_store_explicit(&here->quiet, true, memory_order_relaxed);
        *received = here->received;
    }
    fl_mutex_unlock(&here->mutex);
    return quiet;
}

/* Tasks may have arrived before this: another host sends them as soon as the region has begun
 * there. */
void fl_omp_migrate_enter(struct fl_omp_team *team) {
    fl_omp_migrate_reset();
    if (team && fl_omp_team_agrees(team)) {
        fl_omp_balancer_start();
    }
    fl_omp_round_begin_region();
    fl_omp_balancer_stop();
    fl_mutex_lock(&here->mutex);
    here->team = team;
    if (team && fl_omp_migrate_news_now() & FL_OMP_NEWS_TASKS) {
        /* Relaxed: published with the region. */
        atomic_store_explicit(&team->tasks.used, true, memory_order_relaxed);
    }
    fl_mutex_unlock(&here->mutex);
    fl_omp_balancer_go_on();
}

void fl_omp_migrate_reset(void) {
    fl_mutex_lock(&here->mutex);
    /* Relaxed, all: hints, or ordered by the mutex. */
    atomic_store_explicit(&here->quiet, false, memory_order_relaxed);
    atomic_store_explicit(&here->hungry, FL_OMP_FOR_NONE, memory_order_relaxed);
    atomic_store_explicit(&here->plenty, false, memory_order_relaxed);
    fl_mutex_unlock(&here->mutex);
}
