/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work stealing for loops whose chunks may be executed in any order (schedule(nonmonotonic:
 * dynamic), which is what schedule(dynamic) means), where each member has a CPU. Each member is
 * dealt an equal block of consecutive chunks; a member that has none left steals half of another's.
 * So members seldom write to the same cache line; a shared counter's would move between caches for
 * each chunk.
 *
 * The last chunk is dealt to no member. A member that finds no other chunk takes it, and none after
 * it: gcc's code for lastprivate tests whether a thread's last chunk is the loop's last.
 *
 * A member's chunks are one word: a range and a tag of the loop. Owner and thieves take chunks by a
 * compare-and-swap of the word, which fails if another thread has changed it. No member sets a loop
 * up for others: a word with another tag stands for the member's whole block. Loops are numbered as
 * members meet them, across regions; number k has word k % FL_OMP_SHARES of each member, so that no
 * two loops that members are in share a word.
 */
#ifndef FL_OMP_DEAL_H
#define FL_OMP_DEAL_H

#include "core/assert.h"
#include "omp/team.h"

/* A word, from the top: tag, end, first. */
enum { FL_OMP_DEAL_BITS = 28 };
#define FL_OMP_DEAL_MOST (((uint64_t)1 << FL_OMP_DEAL_BITS) - 1)

/* The member meets a loop: it is dealt its block, if the loop can be dealt. */
void fl_omp_deal_begin(struct fl_omp_member *me);

/* Steals: *chunk is the first stolen chunk, the rest becomes the member's; or the loop's last
 * chunk. False: none is left. */
FL_COLD bool fl_omp_deal_steal(struct fl_omp_member *me, uint64_t *chunk);

/* The next chunk of a loop that is dealt; false: none is left. All relaxed: taking iterations
 * publishes nothing. */
static inline bool fl_omp_deal_take(struct fl_omp_member *me, uint64_t *from, uint64_t *to) {
    struct fl_omp_loop *loop = &me->loop;
    uint64_t now = atomic_load_explicit(loop->dealt, memory_order_relaxed), chunk;
    do {
        chunk = now & FL_OMP_DEAL_MOST;
        if (chunk == (now >> FL_OMP_DEAL_BITS & FL_OMP_DEAL_MOST)) {
            if (!fl_omp_deal_steal(me, &chunk)) {
                return false;
            }
            break;
        }
    } while (!atomic_compare_exchange_weak_explicit(loop->dealt, &now, now + 1,
                                                    memory_order_relaxed, memory_order_relaxed));
    fl_assert(chunk <= (loop->count - 1) / loop->chunk);
    *from = chunk * loop->chunk;
    *to = loop->count - *from < loop->chunk ? loop->count : *from + loop->chunk;
    return true;
}

/* Between regions: clears all words. */
void fl_omp_deal_wipe(struct fl_omp_team *team);

#endif
