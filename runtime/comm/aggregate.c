/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Message aggregation: small writes to a process, and updates whose old value is not needed, are
 * records of a batch, which is one message. A thread has a batch for each process that it writes
 * to; threads that are not the job's own share some. So threads do not disturb each other, and what
 * a thread does to a place keeps its order: the batch is sent
 *   - when it is full,
 *   - before any other message of its thread to that process, or together with it,
 *   - when its thread polls, as all waiting threads do,
 *   - when it is as old as the setting says, by the next thread that polls, or the progress thread.
 *
 * A thread that has filled a batch polls: others are likely to fill batches for its process.
 *
 * Locks: an aggregate's before comm's. A thread that has entered comm only tries to get an
 * aggregate.
 */
#include "comm/inside.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOOKS = 2,               /* for old batches, in the time in which a batch gets old */
    BATCHES_MOST = 1 << 20,  /* bytes of a thread's full batches, if it writes to all processes */
    BATCH_LEAST = 1 << 10,
    LARGE_PUT = 8 << 10      /* goes alone: to send it costs less than to copy it once more */
};

struct fl_comm_batch {
    struct fl_comm_batch *next; /* that is open too, or spare */
    struct fl_comm_request *request;
    struct fl_comm_op *op;
    unsigned proc;
    uint32_t bytes;
    /* Its last record, and which memory that is for; `end` is 0 if it may not grow. */
    uint32_t last;
    unsigned code;
    uint64_t begin, end;
    _Alignas(8) unsigned char room[];
};

/*
 * Its thread appends to it; other threads send its old batches. The former happens for each write, the
 * latter some ten thousand times a second at most. So the lock is biased: Dekker's, whose barrier on
 * the frequent side the other side executes for it (fl_os_membarrier), if the kernel has that. Its
 * model: tests/litmus/aggregate.pml.
 */
struct fl_aggregate {
    _Atomic bool owned; /* its thread holds it */
    _Atomic bool taken; /* another one does, or looks whether it can */
    bool is_biased;
    _Atomic uint64_t since_ns; /* when the oldest batch was opened; 0: none is open */
    struct fl_comm_batch *open;
    struct fl_comm_batch *recent; /* that has the latest record; null: it has left */
    unsigned recent_thread;       /* whose memory that record is for */
    bool recent_by_messages;      /* as all of that thread's memory is accessed */
    struct fl_comm_batch **at;  /* [process]; null: none is open */
    struct fl_aggregate *next;
};

/* The aggregate of all threads that have none of their own. */
static struct fl_aggregate common;
static _Thread_local struct fl_aggregate *own;

/* The setting, or less in a job of so many processes that batches for all of them would be
 * large. */
static uint32_t full_bytes(unsigned procs) {
    uint32_t share = BATCHES_MOST / procs, most = share < BATCH_LEAST ? BATCH_LEAST : share;
    uint32_t wanted = fl_comm_state.setup.aggregate_bytes;
    return wanted < most ? wanted : most;
}

/* A put that leaves room for few others in a batch gains nothing by it. */
size_t fl_comm_aggregated_most(void) {
    size_t most = fl_comm_state.setup.aggregate_bytes / 4;
    most = most < LARGE_PUT ? most : LARGE_PUT;
    return most > FL_COMM_COPIED ? most : FL_COMM_COPIED;
}

static size_t capacity(uint32_t full) {
    return sizeof(struct fl_comm_batch) + full + sizeof(uint64_t) + FL_COMM_RECORD_MOST;
}

uint64_t fl_comm_batch_bytes(unsigned procs) {
    return capacity(full_bytes(procs));
}

static void *allocate(size_t n, size_t size) {
    return fl_comm_allocate(n, size, "writes to other hosts");
}

void fl_comm_aggregate_start(void) {
    fl_comm_state.setup.aggregate_bytes = full_bytes(fl_comm_state.procs);
    common.at = allocate(fl_comm_state.procs, sizeof *common.at);
    common.next = NULL;
    fl_comm_state.aggregates = &common;
}

void fl_comm_aggregate_stop(void) {
    free(common.at);
    common.at = NULL;
}

void fl_comm_count_alone(void) {
    fl_comm_own.alone = true;
    if (fl_comm_here.one_host) {
        return;
    }
    own = allocate(1, sizeof *own);
    own->at = allocate(fl_comm_state.procs, sizeof *own->at);
    own->is_biased = fl_os_membarrier_start();
    fl_comm_own.unconfirmed =
        allocate((fl_comm_state.procs + 63) / 64, sizeof *fl_comm_own.unconfirmed);
    fl_comm_enter();
    own->next = fl_comm_state.aggregates;
    fl_comm_state.aggregates = own;
    fl_comm_leave();
}

static struct fl_aggregate *mine(void) {
    return own ? own : &common;
}

/* ---- the lock ---- */

/* Tries to hold the aggregate for its own thread. */
static inline bool try_own(struct fl_aggregate *aggregate) {
    /* Relaxed: no other thread writes it. */
    if (atomic_load_explicit(&aggregate->owned, memory_order_relaxed)) {
        return false; /* it waits for room right now, or sends */
    }
    if (FL_LIKELY(aggregate->is_biased)) {
        /* Relaxed: the barrier behind it is executed where another thread asks for that, in try_take. */
        atomic_store_explicit(&aggregate->owned, true, memory_order_relaxed);
        atomic_signal_fence(memory_order_seq_cst); /* No label: the compiler keeps the order. */
    } else {
        /* [C7] pairs [C8] in try_take: else each could miss that the other has it. */
        atomic_exchange_explicit(&aggregate->owned, true, memory_order_seq_cst);
    }
    /* [C5] pairs [C6] in let_go: the batches as the last holder left them. And [C7] as above. */
    if (FL_LIKELY(!atomic_load_explicit(&aggregate->taken, memory_order_seq_cst))) {
        return true;
    }
    /* [C6] pairs [C5] in try_take. */
    atomic_store_explicit(&aggregate->owned, false, memory_order_release);
    return false;
}

/* Tries to hold the aggregate for another thread, or for a thread without an aggregate of its own. */
static bool try_take(struct fl_aggregate *aggregate) {
    /* [C8] pairs [C7] in try_own. And it acquires as [C5] does. */
    if (atomic_exchange_explicit(&aggregate->taken, true, memory_order_seq_cst)) {
        return false;
    }
    bool sees_owner = !aggregate->is_biased || fl_os_membarrier();
    /* [C5] pairs [C6] in let_go and try_own. And [C8] as above. */
    if (sees_owner && !atomic_load_explicit(&aggregate->owned, memory_order_seq_cst)) {
        return true;
    }
    /* [C6] pairs [C5] in try_own: this thread may be the one that saw the last holder's batches. */
    atomic_store_explicit(&aggregate->taken, false, memory_order_release);
    return false;
}

static inline bool try_hold(struct fl_aggregate *aggregate) {
    return FL_LIKELY(aggregate == own) ? try_own(aggregate) : try_take(aggregate);
}

static FL_COLD void wait_to_hold(struct fl_aggregate *aggregate) {
    uint32_t looks = 0;
    do {
        fl_os_relax();
        if (++looks > fl_wait_spins(fl_comm_state.wait) && !fl_wait_yield()) {
            fl_os_nap();
        }
    } while (!try_hold(aggregate));
}

static inline void hold(struct fl_aggregate *aggregate) {
    if (FL_UNLIKELY(!try_hold(aggregate))) {
        wait_to_hold(aggregate);
    }
}

static bool has_open(const struct fl_aggregate *aggregate) {
    /* Relaxed: a thread's own writes are seen; others look again. */
    return atomic_load_explicit(&aggregate->since_ns, memory_order_relaxed) != 0;
}

/* For assertions of the thread that must hold it. */
static bool is_held(const struct fl_aggregate *aggregate) {
    return atomic_load_explicit(aggregate == own ? &aggregate->owned : &aggregate->taken,
                                memory_order_relaxed);
}

static inline void let_go(struct fl_aggregate *aggregate) {
    fl_assert(is_held(aggregate) && has_open(aggregate) == (aggregate->open != NULL));
    /* [C6] pairs [C5]. */
    atomic_store_explicit(aggregate == own ? &aggregate->owned : &aggregate->taken, false,
                          memory_order_release);
}

/* ---- batches; the caller holds the aggregate ---- */

static void unlink_batch(struct fl_aggregate *aggregate, struct fl_comm_batch *batch) {
    struct fl_comm_batch **link = &aggregate->open;
    fl_assert(is_held(aggregate) && aggregate->at[batch->proc] == batch);
    while (*link != batch) {
        fl_assert(*link);
        link = &(*link)->next;
    }
    *link = batch->next;
    aggregate->at[batch->proc] = NULL;
    aggregate->recent = NULL;
    if (!aggregate->open) {
        atomic_store_explicit(&aggregate->since_ns, 0, memory_order_relaxed);
    }
}

/* The caller has entered: no other thread can send while the batch is out of sight. */
static void send_with(struct fl_aggregate *aggregate, struct fl_comm_batch *batch,
                      struct fl_comm_message *m) {
    fl_assert(fl_comm_has_entered() && batch->bytes > 0);
    m->kind = FL_COMM_KIND_RECORDS;
    if (m->n_words > 0 && fl_comm_leaves_unconfirmed(batch->proc, batch->op)) {
        fl_comm_request_to_tell(batch->request, batch->bytes);
    } else {
        m->cookie = fl_comm_cookie(batch->request);
    }
    unlink_batch(aggregate, batch);
    fl_comm_send(batch->proc, m, batch->room, batch->bytes, false);
    batch->next = fl_comm_state.spare;
    fl_comm_state.spare = batch;
}

static void send_batch(struct fl_aggregate *aggregate, struct fl_comm_batch *batch) {
    send_with(aggregate, batch, &(struct fl_comm_message){0});
}

static void send_all(struct fl_aggregate *aggregate) {
    while (aggregate->open) {
        send_batch(aggregate, aggregate->open);
    }
}

static struct fl_comm_batch *open_batch(struct fl_aggregate *aggregate, unsigned proc,
                                        struct fl_comm_op *op) {
    uint32_t charge = fl_comm_cost(capacity(fl_comm_state.setup.aggregate_bytes));
    fl_assert(!fl_wait_suspend); /* its thread could ask for the aggregate, which is held meanwhile */
    fl_comm_enter();
    if (FL_UNLIKELY(!fl_comm_has_room(proc, charge))) {
        send_all(aggregate); /* two threads could wait for the room that each other's batches have */
        fl_comm_await_room(proc, charge);
    }
    struct fl_comm_batch *batch = fl_comm_state.spare;
    if (batch) {
        fl_comm_state.spare = batch->next;
    } else {
        batch = allocate(1, capacity(fl_comm_state.setup.aggregate_bytes));
    }
    batch->request = fl_comm_request_new(proc, FL_COMM_KIND_PUT, charge, op);
    fl_comm_wake_progress();
    fl_comm_leave();
    batch->op = op;
    batch->proc = proc;
    batch->bytes = 0;
    batch->end = 0;
    fl_assert(is_held(aggregate) && !aggregate->at[proc]);
    batch->next = aggregate->open;
    aggregate->open = batch;
    aggregate->at[proc] = batch;
    if (!has_open(aggregate)) {
        atomic_store_explicit(&aggregate->since_ns, fl_os_now_ns(), memory_order_relaxed);
    }
    return batch;
}

static FL_COLD struct fl_comm_batch *change_batch(struct fl_aggregate *aggregate, unsigned proc,
                                                  struct fl_comm_op *op) {
    if (aggregate->at[proc]) {
        fl_comm_enter();
        send_batch(aggregate, aggregate->at[proc]);
        fl_comm_leave();
    }
    return open_batch(aggregate, proc, op);
}

/* ---- records ---- */

/* Appends to the last record, if that is of the same kind and ends where this write begins: a loop that
 * goes upwards is a few long records, which cost their target a copy each. */
static inline bool grow_record(struct fl_comm_batch *batch, uint64_t to, unsigned code,
                               const void *from, size_t bytes) {
    if (to != batch->end || code != batch->code ||
        to + bytes - batch->begin > FL_COMM_RECORD_MOST) {
        return false;
    }
    unsigned char *head = batch->room + batch->last;
    uint64_t word;
    memcpy(&word, head, sizeof word);
    word += fl_comm_record_more(bytes);
    memcpy(head, &word, sizeof word);
    fl_comm_copy_small(head + sizeof word + (to - batch->begin), from, bytes);
    batch->end = to + bytes;
    batch->bytes = batch->last + (uint32_t)(sizeof word + fl_round_up(batch->end - batch->begin, 8));
    return true;
}

static inline void add_record(struct fl_comm_batch *batch, uint64_t to, unsigned code,
                              const void *from, size_t bytes) {
    uint64_t word = fl_comm_record(to, code, bytes);
    unsigned char *head = batch->room + batch->bytes;
    memcpy(head, &word, sizeof word);
    fl_comm_copy_small(head + sizeof word, from, bytes);
    batch->last = batch->bytes;
    batch->code = code;
    batch->begin = to;
    batch->end = to + bytes;
    batch->bytes += (uint32_t)(sizeof word + fl_round_up(bytes, 8));
}

static inline void write_record(struct fl_comm_batch *batch, uint64_t to, unsigned code,
                                const void *from, size_t bytes) {
    if (!grow_record(batch, to, code, from, bytes)) {
        add_record(batch, to, code, from, bytes);
    }
}

/* The batch for an address, which becomes the recent one. */
static __attribute__((noinline)) struct fl_comm_batch *
choose_batch(struct fl_aggregate *aggregate, uint64_t to, struct fl_comm_op *op) {
    unsigned proc = fl_comm_find_proc(to);
    struct fl_comm_batch *batch = aggregate->at[proc];
    if (!batch || batch->op != op) {
        batch = change_batch(aggregate, proc, op);
    }
    fl_assert(batch->proc == proc);
    fl_assert(batch->bytes == 0 || batch->bytes < fl_comm_state.setup.aggregate_bytes);
    batch->end = 0; /* the segments of two threads may adjoin each other */
    aggregate->recent = batch;
    aggregate->recent_thread = fl_space_thread(fl_comm_state.setup.space, to);
    aggregate->recent_by_messages = fl_comm_by_messages(to);
    return batch;
}

static FL_COLD void send_full(struct fl_aggregate *aggregate, struct fl_comm_batch *batch) {
    fl_comm_enter();
    send_batch(aggregate, batch);
    fl_comm_leave();
    let_go(aggregate);
    fl_comm_poll_messages();
}

/* The recent batch, if it is that for an address; else null. */
static inline struct fl_comm_batch *find_recent(const struct fl_aggregate *aggregate, uint64_t to,
                                                const struct fl_comm_op *op) {
    struct fl_comm_batch *batch = aggregate->recent;
    return batch && batch->op == op &&
                   aggregate->recent_thread == fl_space_thread(fl_comm_state.setup.space, to)
               ? batch
               : NULL;
}

static inline void end_append(struct fl_aggregate *aggregate, struct fl_comm_batch *batch) {
    if (FL_UNLIKELY(batch->bytes >= fl_comm_state.setup.aggregate_bytes)) {
        send_full(aggregate, batch);
    } else {
        let_go(aggregate);
    }
}

static inline void append(uint64_t to, unsigned code, const void *from, size_t bytes,
                          struct fl_comm_op *op) {
    struct fl_aggregate *aggregate = mine();
    hold(aggregate);
    struct fl_comm_batch *batch = find_recent(aggregate, to, op);
    if (!batch) {
        batch = choose_batch(aggregate, to, op);
    }
    write_record(batch, to, code, from, bytes);
    end_append(aggregate, batch);
}

/* The quick way of a small relaxed put: false if its thread's last write was not to the same thread's
 * memory, or has left. */
static inline __attribute__((always_inline)) bool append_to_recent(uint64_t to, const void *from,
                                                                   size_t bytes) {
    struct fl_aggregate *aggregate = own;
    if (!aggregate || bytes - 1 >= FL_COMM_COPIED || !try_own(aggregate)) {
        return false;
    }
    struct fl_comm_batch *batch = find_recent(aggregate, to, &fl_comm_own.op);
    if (!batch || !aggregate->recent_by_messages) {
        let_go(aggregate);
        return false;
    }
    fl_read_cache_write(to, from, bytes);
    write_record(batch, to, FL_COMM_RECORD_PUT, from, bytes);
    end_append(aggregate, batch);
    return true;
}

static void append_long(uint64_t to, const void *from, size_t bytes, struct fl_comm_op *op) {
    size_t begun = fl_comm_try_one_sided(&(struct fl_comm_transfer){
        .address = to, .from = from, .bytes = bytes, .is_copied = true, .op = op});
    const char *next = (const char *)from + begun;
    for (size_t n; begun < bytes; begun += n, next += n) {
        n = bytes - begun < FL_COMM_RECORD_MOST ? bytes - begun : FL_COMM_RECORD_MOST;
        append(to + begun, FL_COMM_RECORD_PUT, next, n, op);
    }
}

static inline void append_put(uint64_t to, const void *from, size_t bytes, struct fl_comm_op *op) {
    if (FL_UNLIKELY(bytes > FL_COMM_RECORD_MOST || !fl_comm_by_messages(to))) {
        append_long(to, from, bytes, op);
    } else {
        append(to, FL_COMM_RECORD_PUT, from, bytes, op);
    }
}

void fl_comm_put_soon_nb(uint64_t to, const void *from, size_t bytes, struct fl_comm_op *op) {
    if (bytes > fl_comm_aggregated_most() || fl_comm_is_here(to)) {
        fl_comm_put_nb(to, from, bytes, op);
    } else if (bytes > 0) {
        fl_read_cache_write(to, from, bytes);
        append_put(to, from, bytes, op);
    }
}

void fl_comm_put_relaxed(uint64_t to, const void *from, size_t bytes) {
    bool is_done = bytes == sizeof(uint64_t) ? append_to_recent(to, from, sizeof(uint64_t))
                                             : append_to_recent(to, from, bytes);
    if (is_done) {
        return;
    }
    if (FL_LIKELY(fl_comm_is_here(to))) {
        memcpy((void *)(uintptr_t)to, from, bytes);
    } else if (bytes > FL_COMM_COPIED && bytes > fl_comm_aggregated_most()) {
        fl_comm_put(to, from, bytes);
    } else if (bytes > 0) {
        fl_read_cache_write(to, from, bytes);
        append_put(to, from, bytes, fl_comm_relaxed());
    }
}

void fl_comm_update_aggregated(enum fl_comm_update how, enum fl_comm_atomic what,
                               enum fl_comm_type type, uint64_t to, uint64_t operand,
                               struct fl_comm_op *op) {
    size_t bytes = fl_comm_type_bytes(type);
    fl_read_cache_update(to, what, type, operand);
    append(to, fl_comm_update_code(how, what, type), &operand, bytes, op);
}

/* ---- when batches leave ---- */

static FL_COLD void flush(struct fl_aggregate *aggregate) {
    /* If it is held, its holder waits for room right now, in this thread, or sends; or looks whether it
     * can: then the next poll comes here again. */
    if (try_hold(aggregate)) {
        if (aggregate->open) {
            fl_comm_enter();
            send_all(aggregate);
            fl_comm_leave();
        }
        let_go(aggregate);
    }
}

void fl_comm_flush_own(void) {
    if (FL_UNLIKELY(has_open(mine()))) {
        flush(mine());
    }
}

void fl_comm_flush_common(void) {
    if (FL_UNLIKELY(has_open(&common))) {
        flush(&common);
    }
}

static FL_COLD bool flush_with(struct fl_aggregate *aggregate, unsigned proc,
                               struct fl_comm_message *m) {
    hold(aggregate);
    struct fl_comm_batch *batch = aggregate->at[proc];
    if (batch) {
        fl_comm_enter();
        send_with(aggregate, batch, m);
        fl_comm_leave();
    }
    let_go(aggregate);
    return batch;
}

bool fl_comm_flush_with(unsigned proc, struct fl_comm_message *m) {
    return has_open(mine()) && flush_with(mine(), proc, m);
}

void fl_comm_flush_to(unsigned proc) {
    if (FL_UNLIKELY(has_open(mine()))) {
        flush_with(mine(), proc, &(struct fl_comm_message){0});
    }
}

/* When the aggregate's batches are to leave. */
static uint64_t due_ns(const struct fl_aggregate *aggregate) {
    uint64_t since = atomic_load_explicit(&aggregate->since_ns, memory_order_relaxed);
    return since ? since + fl_comm_state.setup.aggregate_ns : UINT64_MAX;
}

uint64_t fl_comm_flush_old(uint64_t now) {
    struct fl_comm_state *comm = &fl_comm_state;
    if (now < comm->look_ns) {
        return comm->look_ns;
    }
    comm->look_ns = now + comm->setup.aggregate_ns / LOOKS;
    uint64_t first = UINT64_MAX;
    for (struct fl_aggregate *a = comm->aggregates; a; a = a->next) {
        if (now >= due_ns(a) && try_hold(a)) {
            send_all(a);
            let_go(a);
        }
        uint64_t due = due_ns(a);
        first = due < first ? due : first;
    }
    /* An aggregate whose batches are overdue is held by its thread right now. */
    return first > comm->look_ns ? first : comm->look_ns;
}

bool fl_comm_has_batches(void) {
    for (const struct fl_aggregate *a = fl_comm_state.aggregates; a; a = a->next) {
        if (has_open(a)) {
            return true;
        }
    }
    return false;
}

/* ---- at the target ---- */

enum { PREFETCHED = 8 /* records ahead */ };

/* A place among the records of a batch. */
struct cursor {
    const char *next, *end;
};

static inline bool look(const struct cursor *cursor, uint64_t *head) {
    if (FL_UNLIKELY((size_t)(cursor->end - cursor->next) < sizeof *head)) {
        return false;
    }
    memcpy(head, cursor->next, sizeof *head);
    return true;
}

static inline void advance(struct cursor *cursor, uint64_t head) {
    size_t step = sizeof head + fl_round_up(fl_comm_record_bytes(head), 8);
    size_t left = (size_t)(cursor->end - cursor->next);
    cursor->next += step < left ? step : left;
}

static inline void prefetch(struct cursor *ahead) {
    uint64_t head;
    if (look(ahead, &head)) {
        __builtin_prefetch((const void *)(uintptr_t)fl_comm_record_address(head), 1);
        advance(ahead, head);
    }
}

void fl_comm_serve_records(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    struct cursor cursor = {payload, (const char *)payload + bytes}, ahead = cursor;
    for (int i = 0; i < PREFETCHED; i++) {
        prefetch(&ahead);
    }
    uint64_t head;
    while (look(&cursor, &head)) {
        prefetch(&ahead);
        size_t n = fl_comm_record_bytes(head);
        const char *data = cursor.next + sizeof head;
        if (FL_UNLIKELY(n > (size_t)(cursor.end - data))) {
            fl_comm_bad(m, "its list of writes ends too early");
        }
        void *to = fl_comm_checked(m, fl_comm_record_address(head), n);
        if (fl_comm_record_code(head) == FL_COMM_RECORD_PUT) {
            fl_comm_copy_small(to, data, n);
        } else {
            fl_comm_apply(m, fl_comm_record_code(head), to, data, n);
        }
        advance(&cursor, head);
    }
    if (m->n_words > 0) {
        fl_comm_run_handler(m, NULL, 0);
    }
    if (m->cookie == 0) {
        fl_comm_give_back(m->from, bytes);
    }
    fl_comm_send_ended(m);
}
