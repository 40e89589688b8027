/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The barrier of two threads in runtime/sync/barrier.c (FL_BARRIER_PAIR), four epochs: both count
 * and sleep on one word, and whoever finds the sleeping bit clears it in a second step. Spin finds
 * every interleaving. Checked: nobody leaves a barrier before both have come, and nobody sleeps for
 * ever (an invalid end state), although the clearing may hit the bit of the next epoch's sleeper.
 *
 * Each atomic block is one atomic instruction of the C code, or the kernel's futex call, which
 * compares and falls asleep in one step. All of them are on one word, whose changes have one order.
 */
#define EPOCHS 4

byte count = 0;        /* arrivals ... */
bool sleeping = false; /* ... and bit 0 of the same word */
byte entered[EPOCHS + 1];
bool asleep[2];

inline arrive() {
    atomic {
        had_sleeper = sleeping;
        count++
    }
    if
    :: had_sleeper ->
         sleeping = false;
         atomic {
             asleep[0] = false;
             asleep[1] = false
         }
    :: else -> skip
    fi
}

inline await(e) {
    do
    :: atomic { count >= 2 * e -> break }
    :: atomic { count < 2 * e -> now = count; marked = sleeping }
       if
       :: !marked ->
            atomic { /* compare and swap: the word to itself with the bit */
                if
                :: count == now && !sleeping -> sleeping = true; marked = true
                :: else -> skip
                fi
            }
       :: else -> skip
       fi;
       if
       :: marked ->
            atomic { /* futex_wait */
                if
                :: count == now && sleeping -> asleep[me] = true
                :: else -> skip
                fi
            };
            !asleep[me]
       :: else -> skip
       fi
    od
}

active [2] proctype thread() {
    byte me = _pid;
    byte e = 1;
    byte now;
    bool marked, had_sleeper;
    do
    :: e > EPOCHS -> break
    :: else ->
         entered[e]++;
         arrive();
         await(e);
         assert(entered[e] == 2);
         e++
    od
}
