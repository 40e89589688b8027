/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of libraries that would change the library's state on one host only. */
#include "spread/inside.h"

/* std::ios_base::sync_with_stdio(bool) puts other buffers into the streams, whose objects are the
 * program's, and so coherent, but whose buffers are private. It is only for speed. */
bool fl_sync_with_stdio(bool sync) __asm__("_ZNSt8ios_base15sync_with_stdioEb");
FL_EXPORT bool fl_sync_with_stdio(bool sync) {
    if (fl_spread_together()) {
        return true;
    }
    bool (*next)(bool) = (bool (*)(bool))fl_spread_next("_ZNSt8ios_base15sync_with_stdioEb");
    return next(sync);
}

/* std::atomic_load and its like of shared pointers take one or two of the library's own mutexes, by
 * the pointers' addresses. */
struct sp_locker {
    unsigned char first, second;
};
enum { LOCKERS = 64, NO_LOCKER = LOCKERS };
static const char lockers[LOCKERS]; /* names; the same addresses on all hosts */

void fl_sp_lock(struct sp_locker *locker, const void *of) __asm__("_ZNSt10_Sp_lockerC1EPKv");
void fl_sp_lock_two(struct sp_locker *locker, const void *of,
                    const void *other) __asm__("_ZNSt10_Sp_lockerC1EPKvS1_");
void fl_sp_unlock(struct sp_locker *locker) __asm__("_ZNSt10_Sp_lockerD1Ev");

static unsigned char locker_of(const void *of) {
    return (unsigned char)(((uintptr_t)of >> 4) % LOCKERS);
}

FL_EXPORT void fl_sp_lock_two(struct sp_locker *locker, const void *of, const void *other) {
    unsigned char a = locker_of(of), b = locker_of(other);
    locker->first = a < b ? a : b;
    locker->second = a == b ? NO_LOCKER : a < b ? b : a;
    if (fl_spread_together()) {
        (void)fl_mutexes_take(&lockers[locker->first], NULL);
        if (locker->second != NO_LOCKER) {
            (void)fl_mutexes_take(&lockers[locker->second], NULL);
        }
    }
}

FL_EXPORT void fl_sp_lock(struct sp_locker *locker, const void *of) {
    fl_sp_lock_two(locker, of, of);
}

FL_EXPORT void fl_sp_unlock(struct sp_locker *locker) {
    if (fl_spread_together()) {
        if (locker->second != NO_LOCKER) {
            fl_mutexes_give(&lockers[locker->second]);
        }
        fl_mutexes_give(&lockers[locker->first]);
    }
}
