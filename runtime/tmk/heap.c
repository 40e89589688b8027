/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allocation of coherent memory, with tables in coherent memory too, under a lock. Blocks smaller
 * than half a page lie side by side; others begin a page, so that arrays share none. A freed
 * block serves requests of the same power of two: pages that are never touched cost nothing.
 */
#include "tmk/inside.h"

enum { LOCK = FL_DSM_LOCKS - 1, HEAD = 16, LARGE = FL_MAP_PAGE / 2 };
static const uint64_t MAGIC = 0x6b6d546e6f6c7275;

/* In front of a block. */
struct head {
    uint64_t magic, log2;
};
_Static_assert(sizeof(struct head) == HEAD, "blocks stay aligned");

static unsigned char *at(uint64_t offset) {
    return (unsigned char *)tmk_process.memory + offset;
}

static uint64_t cond_bytes(void) {
    return fl_round_up(sizeof(struct tmk_cond) + Tmk_nprocs * sizeof(uint32_t), 8);
}

static struct tmk_cond *cond_of(unsigned id) {
    return (struct tmk_cond *)(void *)at(fl_round_up(sizeof(struct tmk_memory), 64) +
                                         id * cond_bytes());
}

void tmk_heap_start(void) {
    tmk_process.memory->end = fl_round_up(sizeof(struct tmk_memory), 64) +
                              TMK_CONDS * cond_bytes();
}

static uint64_t take(unsigned log2) {
    struct tmk_memory *memory = tmk_process.memory;
    uint64_t block = memory->freed[log2];
    if (block) {
        memory->freed[log2] = *(uint64_t *)(void *)at(block);
        return block;
    }
    uint64_t bytes = 1ull << log2;
    block = fl_round_up(memory->end + HEAD, bytes >= LARGE ? FL_MAP_PAGE : 16);
    if (bytes > tmk_process.bytes || block > tmk_process.bytes - bytes) {
        return 0;
    }
    *(struct head *)(void *)at(block - HEAD) = (struct head){MAGIC, log2};
    memory->end = block + bytes;
    return block;
}

void *Tmk_malloc(size_t bytes) {
    unsigned log2 = fl_log2_ceil(bytes < 16 ? 16 : bytes);
    if (bytes > tmk_process.bytes || log2 >= TMK_SIZES) {
        return NULL;
    }
    fl_dsm_acquire(LOCK);
    uint64_t block = take(log2);
    fl_dsm_release(LOCK);
    return block ? at(block) : NULL;
}

void Tmk_free(void *memory) {
    if (!memory) {
        return;
    }
    uint64_t block = (uint64_t)((unsigned char *)memory - at(0));
    const struct head *head = (const struct head *)(const void *)at(block - HEAD);
    if (block >= tmk_process.bytes || block % 16 || head->magic != MAGIC) {
        tmk_misuse("Tmk_free(%p), which is nothing that Tmk_malloc has returned", memory);
    }
    fl_dsm_acquire(LOCK);
    *(uint64_t *)memory = tmk_process.memory->freed[head->log2];
    tmk_process.memory->freed[head->log2] = block;
    fl_dsm_release(LOCK);
}

/* ---- conditions ---- */

static struct tmk_cond *checked(unsigned lock, unsigned cond) {
    if (lock >= TMK_LOCKS || cond >= TMK_CONDS) {
        tmk_misuse("condition %u with lock %u: there are %d and %d", cond, lock, TMK_CONDS,
                   TMK_LOCKS);
    }
    return cond_of(cond);
}

void Tmk_lock_cond_wait(unsigned lock, unsigned id) {
    struct tmk_cond *cond = checked(lock, id);
    struct tmk_thread *self = tmk_caller("Tmk_lock_cond_wait");
    /* Relaxed: no thread wakes this one before it has released the lock. */
    uint32_t before = atomic_load_explicit(&self->woken, memory_order_relaxed) &
                      ~(uint32_t)FL_WAIT_SLEEPING;
    cond->threads[(cond->first + cond->n++) % Tmk_nprocs] = self->id;
    fl_dsm_release(lock);
    fl_wait_begin("Tmk_lock_cond_wait", NULL, 0);
    fl_wait_change(&self->woken, before, tmk_process.wait);
    fl_wait_end();
    fl_dsm_acquire(lock);
}

static void wake_first(struct tmk_cond *cond) {
    unsigned thread = cond->threads[cond->first];
    cond->first = (cond->first + 1) % Tmk_nprocs;
    cond->n--;
    unsigned proc = fl_layout_proc_of_thread(&tmk_process.layout, thread);
    unsigned place = thread - fl_layout_first_thread_of_proc(&tmk_process.layout, proc);
    if (proc == tmk_process.job.proc) {
        tmk_wake(place);
    } else {
        fl_comm_tell(proc, FL_COMM_TMK, FL_MESSAGE_WORDS(tmk, wake, .place = place), NULL, 0);
    }
}

void Tmk_lock_cond_signal(unsigned lock, unsigned id) {
    struct tmk_cond *cond = checked(lock, id);
    if (cond->n > 0) {
        wake_first(cond);
    }
}

void Tmk_lock_cond_broadcast(unsigned lock, unsigned id) {
    struct tmk_cond *cond = checked(lock, id);
    while (cond->n > 0) {
        wake_first(cond);
    }
}

void tmk_wake(unsigned place) {
    _Atomic uint32_t *word = &tmk_process.threads[place].woken;
    /* Relaxed: a thread is woken once for each time that it waits. */
    uint32_t woken = atomic_load_explicit(word, memory_order_relaxed);
    fl_wait_publish(word, (woken & ~(uint32_t)FL_WAIT_SLEEPING) + 2);
}
