/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops whose chunks may be executed in any order (schedule(nonmonotonic: dynamic), which is what
 * schedule(dynamic) means), by members that have a CPU each. Each member is dealt as many chunks in
 * a row as the others, and who has none left takes half of what another has. So members seldom
 * change the same memory, while a count of all of them would go from one to the other for each chunk.
 *
 * The last chunk is dealt to nobody. Who finds nothing else takes it, and no other after it: code of
 * gcc for lastprivate looks whether the last chunk that a thread has had is the loop's last.
 *
 * What a member has is one word, with the chunks and a tag of the loop. Whoever takes some exchanges
 * the word, which succeeds only as long as they are there. Nobody sets a loop up for others: a word
 * with another tag stands for all that its member is dealt. Loops are numbered as members meet them,
 * those of all regions together; number k has word k % FL_OMP_SHARES of each member, so that a word
 * is never of a loop that somebody is in still.
 */
#ifndef FL_OMP_DEAL_H
#define FL_OMP_DEAL_H

#include "omp/team.h"

/* A word: tag, end, first. */
enum { FL_OMP_DEAL_BITS = 28 };
#define FL_OMP_DEAL_MOST (((uint64_t)1 << FL_OMP_DEAL_BITS) - 1)

/* The member meets a loop: if it can be dealt, it is. */
void fl_omp_deal_begin(struct fl_omp_member *me);

/* Others' chunks: the first of them is taken, the rest becomes the member's; or the last of all. */
FL_COLD bool fl_omp_deal_steal(struct fl_omp_member *me, uint64_t *chunk);

/* The next piece of a loop that is dealt. All is relaxed: iterations are given out, and nothing is
 * published by that. */
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
    *from = chunk * loop->chunk;
    *to = loop->count - *from < loop->chunk ? loop->count : *from + loop->chunk;
    return true;
}

/* Between regions: all words are forgotten. */
void fl_omp_deal_wipe(struct fl_omp_team *team);

#endif
