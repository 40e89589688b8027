/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How hosts give each other tasks, and agree that none is left (runtime/omp/migrate.c, hosts.c): two
 * hosts in a region with a barrier and an end. What is told of hunger and plenty may be late, in any
 * order, and of the phase before. Spin finds every interleaving. Checked: hosts go on only when all
 * tasks have been executed and their ends are known where they were made; no task comes, and nothing
 * is told, when the region is over; nobody waits for ever (an invalid end state).
 *
 * Each atomic block is one section of the C code under a mutex, or one handler; a member of a host
 * stands for all of its members, the last to come is a process of its own. Host 1 alone makes tasks,
 * one in each phase, but for a child of one that was given away. A guest that has not begun may go home,
 * where it is as before. How a host counts its own is
 * task.h's affair.
 *
 * Rules without which it must fail: NO_ANSWERS NO_PHASE NO_GIVEN NO_UNQUIET NO_UNPACKING NO_CLOSED NO_TELLING
 */
#define HOSTS 2
#define PHASES 2 /* the last ends at the region's end */

mtype = { QUIET, HUNGRY, PLENTY, GIVE, GO_ON, TASKS, HOME, ENDED };

chan to[HOSTS * HOSTS] = [6] of { mtype, byte, byte }; /* [from][to] */
#define SEND(from, host, kind, a, b) to[(from) * HOSTS + (host)] ! kind, a, b

/* Of a host. */
byte own[HOSTS], guests[HOSTS];   /* ready tasks, of this host and of the other */
byte left[HOSTS];                 /* made, minus ended */
byte letters[HOSTS], ends[HOSTS]; /* tasks, and ends of tasks, that have come */
byte unpacking[HOSTS];
byte gifts[HOSTS];                /* asked for, for the other host */
byte received[HOSTS];
bool quiet[HOSTS], hungry[HOSTS], plenty[HOSTS];
byte say_hungry[HOSTS], say_plenty[HOSTS]; /* threads that are about to */
byte telling[HOSTS];
bool agreed[HOSTS], there[HOSTS];
byte went_on[HOSTS]; /* how often */
byte hints[HOSTS];

/* Of host 0. */
bool is_quiet[HOSTS], is_hungry[HOSTS], is_plenty[HOSTS];
byte given[HOSTS];
byte n_quiet;
bool closed;
byte phase; /* how often hosts were told to go on */

/* What is checked, not there in the C code. */
byte tasks;
byte children = 1; /* guests that make a task, which may outlive them */
bool gone[HOSTS];
byte passed[PHASES + 1];

/* For atomic blocks: one that has plenty gives to the other, if that is hungry. */
inline match() {
    from = 0;
    do
    :: from == HOSTS -> break
    :: else ->
         if
         :: is_plenty[from] && is_hungry[1 - from] ->
              given[1 - from]++;
              is_hungry[1 - from] = false;
#ifndef NO_UNQUIET /* who will be given something is not quiet */
              n_quiet = n_quiet - is_quiet[1 - from];
              is_quiet[1 - from] = false;
#endif
              is_plenty[from] = false;
              SEND(0, from, GIVE, 0, 0)
         :: else -> skip
         fi;
         from++
    od
}

#ifndef NO_PHASE /* what was meant for another phase is of no use, */
#define IS_PHASE(p) (p == phase)
#else
#define IS_PHASE(p) true
#endif

#ifndef NO_CLOSED /* nor is what is told when the region is over */
#define IS_NOW(p) (IS_PHASE(p) && !closed)
#else
#define IS_NOW(p) IS_PHASE(p)
#endif

#ifndef NO_GIVEN /* who is quiet may not know yet of what it will be given */
#define KNOWS_ALL(h, a) (a == given[h])
#else
#define KNOWS_ALL(h, a) true
#endif

inline serve_quiet(h, a, p) {
    if
    :: KNOWS_ALL(h, a) && IS_PHASE(p) ->
         n_quiet++;
         is_quiet[h] = true;
         is_hungry[h] = true;
         is_plenty[h] = false;
         if
         :: n_quiet < HOSTS -> match()
         :: else ->
              assert(tasks == 0 && left[0] == 0 && left[1] == 0);
              n_quiet = 0;
              phase++;
              closed = (phase == PHASES);
              is_quiet[0] = false; is_hungry[0] = false; is_plenty[0] = false;
              is_quiet[1] = false; is_hungry[1] = false; is_plenty[1] = false;
              SEND(0, 0, GO_ON, 0, 0);
              SEND(0, 1, GO_ON, 0, 0)
         fi
    :: else -> skip
    fi
}

proctype handler(byte me) {
    byte a, b, from, other;
    mtype kind;
end:
    do
    :: atomic {
         if
         :: to[me] ? kind, a, b -> other = 0
         :: to[HOSTS + me] ? kind, a, b -> other = 1
         fi;
         if
         :: kind == QUIET -> serve_quiet(other, a, b)
         :: kind == HUNGRY && IS_NOW(a) ->
              is_hungry[other] = true;
              is_plenty[other] = false;
              match()
         :: kind == PLENTY && IS_NOW(a) && !is_quiet[other] ->
              is_plenty[other] = true;
              is_hungry[other] = false;
              match()
         :: kind == GO_ON -> agreed[me] = true; went_on[me]++
         :: kind == GIVE -> assert(there[me]); gifts[me]++
         :: kind == TASKS ->
              assert(there[me]);
#ifndef NO_ANSWERS /* one message may answer for several gifts that were asked for */
              received[me] = received[me] + b;
#else
              received[me]++;
#endif
              quiet[me] = false;
              hungry[me] = false;
              plenty[me] = false;
              letters[me] = letters[me] + a
         :: kind == HOME -> assert(there[me]); own[me] = own[me] + a
         :: kind == ENDED -> ends[me]++
         :: else -> skip
         fi;
         kind = 0; a = 0; b = 0; from = 0; other = 0
       }
    od
}

inline make(h) {
    tasks++;
    left[h]++;
    own[h]++
}

proctype member(byte me) {
    byte n, home, answers;
end:
    do
    :: atomic { own[me] > 0 -> own[me]--; tasks--; left[me]-- }
    :: atomic {
           guests[me] > 0 -> guests[me]--;
           if
           :: children > 0 -> children--; make(me)
           :: else -> skip
           fi;
           tasks--; left[me]--; SEND(me, 1 - me, ENDED, 0, 0)
       }
    :: atomic { ends[me] > 0 -> ends[me]--; left[me]-- }
    :: atomic { letters[me] > 0 -> n = letters[me]; letters[me] = 0; unpacking[me]++ };
         atomic { left[me] = left[me] + n; guests[me] = guests[me] + n; n = 0; unpacking[me]-- }
    :: atomic {
           gifts[me] > 0 -> answers = gifts[me]; gifts[me] = 0;
           if
           :: own[me] > 0 -> own[me]--; n = 1
           :: guests[me] > 0 -> guests[me]--; left[me]--; home = 1
           :: letters[me] > 0 -> letters[me]--; home = 1
           :: n = 0
           fi
       };
       atomic { SEND(me, 1 - me, TASKS, n, answers); n = 0; answers = 0; plenty[me] = false };
       if
       :: atomic { home > 0 -> SEND(me, 1 - me, HOME, home, 0); home = 0 }
       :: home == 0
       fi
    :: atomic { (me == 1 || guests[me] + letters[me] > 0) && !plenty[me] && hints[me] > 0 ->
                hints[me]--; plenty[me] = true; hungry[me] = false; say_plenty[me]++ }
    :: atomic { !hungry[me] && hints[me] > 0 ->
                hints[me]--; hungry[me] = true; plenty[me] = false; say_hungry[me]++ }
    od
}

/* A thread that has decided to tell host 0 something does so at some time. */
inline tell(kind, n) {
#ifndef NO_TELLING /* of a region that is not over, which waits for who is about to */
    if
    :: atomic { n > 0 && there[me] -> n--; telling[me]++; p = went_on[me] };
         atomic { assert(!gone[me]); SEND(me, 0, kind, p, 0); telling[me]--; p = 0 }
    :: atomic { n > 0 && !there[me] -> n-- }
    fi
#else
    atomic { n > 0 -> n--; assert(!gone[me]); SEND(me, 0, kind, went_on[me], 0) }
#endif
}

proctype teller(byte me) {
    byte p;
end:
    do
    :: tell(HUNGRY, say_hungry[me])
    :: tell(PLENTY, say_plenty[me])
    od
}

#ifndef NO_UNPACKING /* tasks that have been taken from their letter, and are not counted yet */
#define NONE_UNPACKED(h) (unpacking[h] == 0)
#else
#define NONE_UNPACKED(h) true
#endif

proctype last(byte me) {
    byte p, n;
    for (p : 1 .. PHASES) {
        do
        :: atomic { agreed[me] -> agreed[me] = false;
                    quiet[me] = false; hungry[me] = false; plenty[me] = false; passed[p]++; break }
        :: atomic { !agreed[me] && !quiet[me] && letters[me] == 0 && NONE_UNPACKED(me) &&
                    left[me] == 0 -> quiet[me] = true; n = received[me] };
             atomic { SEND(me, 0, QUIET, n, went_on[me]); n = 0 }
        od;
        if
        :: atomic { p < PHASES && passed[p] == HOSTS ->
                    if :: me == 1 -> make(1) :: else -> skip fi }
        :: p == PHASES
        fi
    };
    there[me] = false;
#ifndef NO_TELLING
    telling[me] == 0;
#endif
    gone[me] = true
}

init {
    atomic {
        there[0] = true; there[1] = true;
        hints[0] = 1; hints[1] = 2;
        make(1);
        run handler(0); run handler(1); run member(0); run member(1);
        run teller(0); run teller(1); run last(0); run last(1)
    }
}
