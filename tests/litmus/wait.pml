/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sleeping protocol of runtime/core/wait.h, in the central barrier of runtime/sync/barrier.c:
 * three threads, three epochs. Spin finds every interleaving. Checked: nobody leaves a barrier
 * before all have come, and nobody sleeps for ever (an invalid end state).
 *
 * Each atomic block is one atomic instruction of the C code, or the kernel's futex call, which
 * compares and falls asleep in one step. Memory is sequentially consistent here: the exchange and
 * the compare-and-swap on one word are ordered by that word alone.
 */
#define THREADS 3
#define EPOCHS 3

byte arrived = 0;      /* of the current epoch */
byte epoch = 0;        /* the wait word's value ... */
bool sleeping = false; /* ... and its bit 0 */
byte entered[EPOCHS + 1];
bool asleep[THREADS];

inline wake_all() {
    atomic {
        asleep[0] = false;
        asleep[1] = false;
        asleep[2] = false;
    }
}

inline publish(value) {
    atomic {
        had_sleepers = sleeping;
        epoch = value;
        sleeping = false;
    }
    if
    :: had_sleepers -> wake_all()
    :: else -> skip
    fi
}

inline wait_until(value) {
    do
    :: atomic { epoch == value -> break }
    :: atomic { epoch != value -> now = epoch; now_sleeping = sleeping }
       if
       :: now == value -> skip
       :: else ->
            marked = now_sleeping;
            if
            :: !marked ->
                 atomic { /* compare and swap: now to now with the bit */
                     if
                     :: epoch == now && !sleeping -> sleeping = true; marked = true
                     :: else -> skip
                     fi
                 }
            :: else -> skip
            fi;
            if
            :: marked ->
                 atomic { /* futex_wait */
                     if
                     :: epoch == now && sleeping -> asleep[me] = true
                     :: else -> skip
                     fi
                 };
                 !asleep[me]
            :: else -> skip
            fi
       fi
    od
}

active [THREADS] proctype thread() {
    byte me = _pid;
    byte e = 1;
    byte before, now;
    bool now_sleeping, marked, had_sleepers;
    do
    :: e > EPOCHS -> break
    :: else ->
         entered[e]++;
         atomic { before = arrived; arrived++ }
         if
         :: before + 1 == THREADS ->
              arrived = 0;
              publish(e)
         :: else -> skip
         fi;
         wait_until(e);
         assert(entered[e] == THREADS);
         e++
    od
}
