/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks that another host's process keeps (runtime/sync/lock_cache.c, and the keeper of
 * lock_remote.c): two processes, the first with two threads, and a thread of the lock's host take
 * the lock ROUNDS times each. Whether the keeper lets a process keep the lock is left open. Checked: one
 * holder at a time, and nobody waits for ever (an invalid end state). A handler is one step; between
 * that of a grant and the thread that it was for, a recall may come. A thread of the lock's host that waits
 * marks the word before it sleeps, and says that it wants a lock that is away.
 * Rules without which it must fail: FORGET SILENT EARLY
 * FORGET: a recall that comes before the thread has seen its grant is not remembered. SILENT: a thread of
 * the lock's host does not say that it wants a lock that is away. EARLY: it says so before it marks the
 * word, which may look the same when the lock has come and gone.
 */
#ifdef FORGET
#define REMEMBERS 0
#else
#define REMEMBERS 1
#endif
#ifdef EARLY
#define EARLY_TELLS 1
#else
#define EARLY_TELLS 0
#endif
#if defined SILENT || defined EARLY
#define LATE_TELLS 0
#else
#define LATE_TELLS 1
#endif
#define ROUNDS 2
#define THREADS 3 /* of other hosts: 0 and 1 are of process 0, 2 is process 1 */
#define FREE 0
#define AWAY 100 /* else the owner + 1; the local thread is THREADS */

byte state = FREE;
byte taker;
bool kept, recalled;
bool sleeps = false; /* the thread of the lock's host */
byte holders = 0;

mtype = { ACQUIRE, RELEASE, RETURN, WANTED, GOT, KEEP, RECALL };
chan keeper = [8] of { mtype, byte };
chan queue = [THREADS] of { byte };
chan process[2] = [6] of { mtype, byte };

#define PROCESS(thread) (thread / 2)

/* A process's cache. */
bool has[2], wanted[2];
byte owner[2];
byte got[THREADS]; /* 1: granted, 2: to keep */

inline hold() {
    holders++;
    assert(holders == 1);
    holders--
}

proctype remote(byte me) {
    byte round = 0;
    byte p = PROCESS(me);
    do
    :: round == ROUNDS -> break
    :: else ->
         round++;
         if
         :: atomic { has[p] && owner[p] == 0 -> owner[p] = me + 1 }
         :: atomic { !(has[p] && owner[p] == 0) -> keeper ! ACQUIRE, me };
            got[me] > 0;
            if
            :: atomic { got[me] == 2 -> has[p] = true; owner[p] = me + 1 }
            :: got[me] == 1
            fi;
            got[me] = 0
         fi;
         hold();
         atomic {
             if
             :: has[p] ->
                  assert(owner[p] == me + 1);
                  owner[p] = 0;
                  if
                  :: wanted[p] -> has[p] = false; wanted[p] = false; keeper ! RETURN, p
                  :: else -> skip
                  fi
             :: else -> keeper ! RELEASE, me
             fi
         }
    od
}

/* The handlers of a process. */
proctype serves(byte p) {
    mtype what;
    byte thread;
end:
    do
    :: atomic {
           process[p] ? what, thread ->
           if
           :: what == GOT -> got[thread] = 1
           :: what == KEEP -> got[thread] = 2
           :: what == RECALL && has[p] && owner[p] == 0 -> has[p] = false; keeper ! RETURN, p
           :: what == RECALL && !(has[p] && owner[p] == 0) ->
                if
                :: REMEMBERS || has[p] -> wanted[p] = true
                :: else -> skip
                fi
           fi
       }
    od
}

inline tell_if(condition) {
    if
    :: condition -> keeper ! WANTED, 0
    :: else -> skip
    fi
}

inline pass_on() {
    sleeps = false; /* whoever sleeps is woken */
    if
    :: nempty(queue) -> queue ? taker; state = taker + 1; process[PROCESS(taker)] ! GOT, taker
    :: empty(queue) -> state = FREE
    fi
}

proctype neighbour() {
    byte round = 0;
    do
    :: round == ROUNDS -> break
    :: else ->
         round++;
         do
         :: atomic { state == FREE -> state = THREADS + 1; break }
         :: atomic { state != FREE && state != AWAY -> sleeps = true };
            !sleeps
         :: state == AWAY ->
              tell_if(EARLY_TELLS);
              atomic {
                  if
                  :: state == AWAY -> sleeps = true
                  :: else -> skip
                  fi
              };
              tell_if(LATE_TELLS);
              !sleeps
         od;
         hold();
         atomic { /* with the message by which the first in the queue gets it */
             pass_on()
         }
    od
}

inline recall() {
    if
    :: kept && !recalled -> recalled = true; process[PROCESS(taker)] ! RECALL, 0
    :: else -> skip
    fi
}

active proctype serve() {
    mtype what;
    byte from;
    run remote(0);
    run remote(1);
    run remote(2);
    run serves(0);
    run serves(1);
    run neighbour();
end:
    do
    :: atomic {
           keeper ? what, from ->
           if
           :: what == ACQUIRE && state == FREE ->
                taker = from;
                if
                :: state = AWAY; kept = true; process[PROCESS(from)] ! KEEP, from
                :: state = from + 1; process[PROCESS(from)] ! GOT, from
                fi
           :: what == ACQUIRE && state != FREE -> queue ! from; recall()
           :: what == RELEASE -> pass_on()
           :: what == RETURN -> assert(state == AWAY); kept = false; recalled = false; pass_on()
           :: what == WANTED -> recall()
           fi
       }
    od
}
