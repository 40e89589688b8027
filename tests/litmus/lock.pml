/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lock of runtime/sync/lock.c: threads of the lock's host that take it twice each, sleeping at
 * once when it is held, and threads of other hosts that ask the keeper, which queues them. Checked:
 * one holder at a time, and nobody waits for ever (an invalid end state). Each atomic block is one
 * atomic instruction of the C code, a futex call, or a message; a handler of the keeper runs to its
 * end before the next begins.
 */
#define HERE 2  /* threads of the lock's host */
#define THREADS 3
#define ROUNDS 2
#define FREE 0
#define RESERVED 100 /* for hungry threads */
#define HANDED 101   /* for the first in the queue */

byte state = FREE;     /* owner + 1, or one of the above */
bool queued = false;   /* bit 1 */
bool sleeping = false; /* bit 0 */
byte hungry = 0;
bool turn = false;
byte holders = 0;
bool asleep[HERE];

mtype = { ACQUIRE, RELEASE, GRANT };
chan keeper = [THREADS + 1] of { mtype, byte };
chan queue = [THREADS] of { byte };
bool granted[THREADS];

inline wake_one() {
    atomic {
        if
        :: asleep[0] -> asleep[0] = false
        :: asleep[1] -> asleep[1] = false
        :: else -> skip
        fi
    }
}

inline look() {
    seen = state;
    seen_queued = queued;
    seen_sleeping = sleeping
}

#define UNCHANGED (state == seen && queued == seen_queued && sleeping == seen_sleeping)

/* take() with sleeping = true: got and what was seen are its results. */
inline take_marked() {
    got = false;
    atomic { look() };
    do
    :: got -> break
    :: else ->
         atomic { /* the exchange; one that fails shows what may be free by now, or reserved */
             if
             :: (seen == FREE && !seen_queued && !seen_sleeping) || (is_hungry && seen == RESERVED) ->
                  if
                  :: UNCHANGED -> state = me + 1; sleeping = true; got = true
                  :: else -> look()
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
             :: UNCHANGED -> sleeping = true; marked = true
             :: else -> skip
             fi
         }
    :: else -> skip
    fi;
    if
    :: marked ->
         atomic { /* futex_wait */
             if
             :: state == seen && queued == seen_queued && sleeping -> asleep[me] = true
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
        :: state == FREE && !queued && !sleeping -> state = me + 1; got = true
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

/* pass_on(): handed is its result. */
inline pass_on() {
    old_turn = turn;
    atomic { look() };
    done = false;
    do
    :: done -> break
    :: else ->
         any = hungry > 0;
         handed = seen_queued && !(any && old_turn);
         turn = handed;
         atomic {
             if
             :: UNCHANGED ->
                  done = true;
                  if
                  :: handed -> state = HANDED
                  :: !handed && any -> state = RESERVED; sleeping = true
                  :: else -> state = FREE; sleeping = false
                  fi
             :: else -> look()
             fi
         }
    od;
    if
    :: !handed || (seen_sleeping && !any) -> wake_one()
    :: else -> skip
    fi
}

inline release() {
    atomic {
        done = !sleeping && !queued;
        if
        :: done -> state = FREE
        :: else -> skip
        fi
    };
    if
    :: done -> skip
    :: else ->
         pass_on();
         if
         :: handed -> keeper!GRANT(0)
         :: else -> skip
         fi
    fi
}

active [HERE] proctype here() {
    byte me = _pid;
    byte round = 0;
    byte seen;
    bool got, seen_queued, seen_sleeping, is_hungry, marked, any, handed, old_turn, done;
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

active [THREADS - HERE] proctype there() {
    byte me = _pid;
    byte round = 0;
    do
    :: round == ROUNDS -> break
    :: else ->
         keeper!ACQUIRE(me);
         granted[me];
         granted[me] = false;
         holders++;
         assert(holders == 1);
         holders--;
         keeper!RELEASE(me);
         round++
    od
}

inline take_for(thread) {
    atomic { look() };
    done = false;
    do
    :: done -> break
    :: else ->
         atomic {
             if
             :: seen != FREE && seen_queued -> queue!thread; done = true
             :: else ->
                  if
                  :: UNCHANGED && seen == FREE -> state = thread + 1; granted[thread] = true; done = true
                  :: UNCHANGED && seen != FREE -> queued = true; queue!thread; done = true
                  :: else -> look()
                  fi
             fi
         }
    od
}

inline grant() {
    if
    :: atomic {
         nempty(queue) && state == HANDED ->
             queue?first;
             state = first + 1;
             queued = nempty(queue)
       };
       granted[first] = true
    :: else -> skip
    fi
}

active proctype handlers() {
    byte thread, first, seen;
    bool seen_queued, seen_sleeping, any, handed, old_turn, done;
end:
    do
    :: keeper?ACQUIRE(thread) -> take_for(thread)
    :: keeper?RELEASE(thread) ->
         assert(state == thread + 1);
         pass_on();
         if
         :: handed -> grant()
         :: else -> skip
         fi
    :: keeper?GRANT(thread) ->
         assert(state == HANDED && nempty(queue));
         grant()
    od
}
