/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bell of runtime/core/wait.h with several sleepers: one thread begins rounds, in which two others
 * take part; all wait at the bell. Checked: nobody sleeps for ever (an invalid end state).
 * Rules without which it must fail: NO_COUNT NO_LOOK
 *
 * Each atomic block is one atomic instruction of the C code, or the kernel's futex call, which
 * compares and falls asleep in one step; all are sequentially consistent there. The round and how
 * many are done with it are what is waited for.
 */
#define OTHERS 2
#define ROUNDS 3

byte round = 0;
byte done = 0;
byte rings = 0;         /* the bell's word ... */
bool marked = false;    /* ... and its bit 0 */
bool asleep[OTHERS + 1];

inline ring() {
    seen = marked;
    if
    :: seen ->
         atomic { /* compare and swap, again until the bit is gone: then another has rung */
             seen = marked;
             marked = false;
#ifndef NO_COUNT
             if
             :: seen -> rings++
             :: else -> skip
             fi
#endif
         }
         if
         :: seen -> atomic { asleep[0] = false; asleep[1] = false; asleep[2] = false }
         :: else -> skip
         fi
    :: else -> skip
    fi
}

inline wait_until(condition) {
    do
    :: atomic { marked = true; heard = rings }
#ifndef NO_LOOK
       if
       :: condition -> break
       :: else -> skip
       fi;
#endif
       atomic { /* futex_wait */
           if
           :: marked && rings == heard -> asleep[_pid] = true
           :: else -> skip
           fi
       };
       !asleep[_pid];
       if
       :: condition -> break
       :: else -> skip
       fi
    od
}

active proctype first() {
    byte i, heard;
    bool seen;
    for (i : 1 .. ROUNDS) {
        round = i;
        ring();
        wait_until(done == i * OTHERS)
    }
}

active [OTHERS] proctype other() {
    byte i, heard;
    bool seen;
    for (i : 1 .. ROUNDS) {
        wait_until(round >= i);
        atomic { done++ }
        ring()
    }
}
