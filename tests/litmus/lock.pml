/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lock of runtime/sync/lock.c: three threads that take it twice each, sleeping at once when it
 * is held. Checked: one holder at a time, and nobody sleeps for ever (an invalid end state).
 * Each atomic block is one atomic instruction of the C code, or a futex call.
 */
#define THREADS 3
#define ROUNDS 2
#define FREE 0
#define RESERVED 100 /* with the sleeping bit, as in lock.h */

byte state = FREE;     /* owner + 1, FREE or RESERVED */
bool sleeping = false; /* bit 0 */
byte hungry = 0;
byte holders = 0;
bool asleep[THREADS];

inline wake_one() {
    atomic {
        if
        :: asleep[0] -> asleep[0] = false
        :: asleep[1] -> asleep[1] = false
        :: asleep[2] -> asleep[2] = false
        :: else -> skip
        fi
    }
}

/* take() with sleeping = true: got, seen and seen_sleeping are its results. */
inline take_marked() {
    got = false;
    atomic {
        seen = state;
        seen_sleeping = sleeping
    };
    do
    :: got -> break
    :: else ->
         atomic { /* the exchange; one that fails shows what may be free by now, or reserved */
             if
             :: (seen == FREE && !seen_sleeping) || (is_hungry && seen == RESERVED) ->
                  if
                  :: state == seen && sleeping == seen_sleeping ->
                       state = me + 1;
                       sleeping = true;
                       got = true
                  :: else ->
                       seen = state;
                       seen_sleeping = sleeping
                  fi
             :: else -> break
             fi
         }
    od
}

inline sleep_while_held() {
    marked = seen_sleeping;
    if
    :: !marked ->
         atomic {
             if
             :: state == seen && !sleeping -> sleeping = true; marked = true
             :: else -> skip
             fi
         }
    :: else -> skip
    fi;
    if
    :: marked ->
         atomic { /* futex_wait */
             if
             :: state == seen && sleeping -> asleep[me] = true
             :: else -> skip
             fi
         };
         !asleep[me]
    :: else -> skip
    fi
}

inline acquire() {
    is_hungry = false;
    atomic { /* the fast path */
        got = false;
        if
        :: state == FREE && !sleeping -> state = me + 1; got = true
        :: else -> skip
        fi
    };
    do
    :: got -> break
    :: else ->
         take_marked();
         if
         :: got -> break
         :: else ->
              sleep_while_held();
              if
              :: !is_hungry -> is_hungry = true; hungry++
              :: else -> skip
              fi
         fi
    od;
    if
    :: is_hungry -> hungry--
    :: else -> skip
    fi
}

inline release() {
    atomic {
        fast = !sleeping;
        if
        :: fast -> state = FREE
        :: else -> skip
        fi
    };
    if
    :: fast -> skip
    :: else ->
         reserve = hungry > 0;
         atomic {
             if
             :: reserve -> state = RESERVED; sleeping = true
             :: else -> state = FREE; sleeping = false
             fi
         };
         wake_one()
    fi
}

active [THREADS] proctype thread() {
    byte me = _pid;
    byte round = 0;
    byte seen;
    bool got, seen_sleeping, is_hungry, marked, reserve, fast;
    do
    :: round == ROUNDS -> break
    :: else ->
         acquire();
         holders++;
         assert(holders == 1);
         holders--;
         release();
         round++
    od
}
