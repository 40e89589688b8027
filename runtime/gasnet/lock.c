/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handler-safe locks in the debug build: each thread remembers the locks that it holds, in the order
 * in which it has locked them. The headers lead the client's calls here (gasnet_places.h); those of
 * the release build, and of this file, are inline.
 */
#include "gasnet/inside.h"

enum { HELD_MOST = 64 };

static _Thread_local struct {
    unsigned n;
    const gex_HSL_t *locks[HELD_MOST]; /* the last one was locked last */
} held;

unsigned fl_gasnet_locks_held(void) {
    return held.n;
}

static bool holds(const gex_HSL_t *lock) {
    for (unsigned i = 0; i < held.n; i++) {
        if (held.locks[i] == lock) {
            return true;
        }
    }
    return false;
}

static void remember(const gex_HSL_t *lock, const char *function) {
    if (held.n == HELD_MOST) {
        fl_gasnet_misuse(function, "the thread holds %d locks, more than can be checked",
                         HELD_MOST);
    }
    held.locks[held.n++] = lock;
}

void fl_gasnet_lock(gex_HSL_t *lock) {
    if (holds(lock)) {
        fl_gasnet_misuse("gex_HSL_Lock", "the thread holds this lock already");
    }
    gex_HSL_Lock(lock);
    remember(lock, "gex_HSL_Lock");
}

int fl_gasnet_trylock(gex_HSL_t *lock) {
    int result = gex_HSL_Trylock(lock);
    if (result == GASNET_OK) {
        remember(lock, "gex_HSL_Trylock");
    }
    return result;
}

void fl_gasnet_unlock(gex_HSL_t *lock) {
    if (!holds(lock)) {
        fl_gasnet_misuse("gex_HSL_Unlock", "the thread does not hold this lock");
    }
    if (held.locks[held.n - 1] != lock) {
        fl_gasnet_misuse("gex_HSL_Unlock", "the thread has locked another lock since, which it "
                                           "unlocks first");
    }
    held.n--;
    gex_HSL_Unlock(lock);
}

void fl_gasnet_lock_destroy(gex_HSL_t *lock) {
    if (holds(lock)) {
        fl_gasnet_misuse("gex_HSL_Destroy", "the thread holds this lock");
    }
}
