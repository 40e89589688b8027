/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The semaphore of runtime/sync/semaphore.c: two threads post, and three take one, one and two
 * at once, sleeping as soon as there are too few. As many are posted as are taken. Checked: nobody
 * sleeps for ever (an invalid end state), so no wake-up is lost and no part is held; all is taken;
 * and a poster does not touch the semaphore after the exchange, for the last taker has freed it.
 * Each atomic block is one atomic instruction of the C code, or a futex call.
 */
#define TAKERS 3

byte count = 0;        /* the high bits of the word */
bool sleeping = false; /* bit 0 */
bool asleep[TAKERS];
byte taken = 0;
bool freed = false;

/* count and sleeping are one word: a failed exchange shows both as they are then. */
inline look() {
    seen = count;
    seen_sleeping = sleeping
}

inline post(n) {
    atomic { /* the first exchange guesses 0 */
        assert(!freed);
        if
        :: count == 0 && !sleeping -> count = n; done = true
        :: else -> look(); done = false
        fi
    };
    do
    :: done -> break
    :: else ->
         atomic {
             assert(!freed);
             if
             :: count == seen && sleeping == seen_sleeping ->
                  count = seen + n;
                  sleeping = false;
                  done = true;
                  wake = seen_sleeping
             :: else -> look()
             fi
         }
    od;
    if
    :: wake ->
         atomic { /* futex_wake of all */
             asleep[0] = false;
             asleep[1] = false;
             asleep[2] = false;
             wake = false
         }
    :: else -> skip
    fi
}

/* fl_semaphore_try(): got is its result. */
inline try(n) {
    got = false;
    atomic { look() };
    do
    :: got || seen < n -> break
    :: else ->
         atomic {
             if
             :: count == seen && sleeping == seen_sleeping -> count = seen - n; got = true
             :: else -> look()
             fi
         }
    od
}

inline sleep_if_less(n) {
    atomic { look() };
    marked = seen_sleeping && seen < n;
    if
    :: seen < n && !seen_sleeping ->
         atomic {
             if
             :: count == seen && !sleeping -> sleeping = true; marked = true
             :: else -> skip
             fi
         }
    :: else -> skip
    fi;
    if
    :: marked ->
         atomic { /* futex_wait */
             if
             :: count == seen && sleeping -> asleep[me] = true
             :: else -> skip
             fi
         };
         !asleep[me]
    :: else -> skip
    fi
}

active [TAKERS] proctype taker() {
    byte me = _pid;
    byte n = (me == 2 -> 2 : 1);
    byte seen;
    bool got, seen_sleeping, marked;
    try(n);
    do
    :: got -> break
    :: else -> sleep_if_less(n); try(n)
    od;
    atomic {
        taken = taken + n;
        assert(taken <= 4);
        freed = (taken == 4)
    }
}

active proctype post_two_at_once() {
    byte seen;
    bool done, seen_sleeping, wake = false;
    post(2)
}

active proctype post_two() {
    byte seen;
    bool done, seen_sleeping, wake = false;
    post(1);
    post(1)
}
