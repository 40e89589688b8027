/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runtime/omp/team.h: a master begins regions of any size with two workers, who stay for the next; all
 * members of a region meet at a barrier in it, and the master waits for those that take part. At last
 * it lets the workers go, and the last of the three frees the team. Spin finds every interleaving.
 * Checked: each member executes each region once, and sees what the master wrote for it; nobody
 * passes a barrier before all have come; the region is over before the next begins; nobody uses a
 * team that has been freed, which somebody does; nobody waits for ever (an invalid end state).
 *
 * Rules without which it must fail: NO_SKIP NO_WAIT NO_BASE NO_FOLLOW NO_HOLDERS
 *
 * Each atomic block is one atomic instruction of the C code; `phase` and `size` are one word there.
 * Others are plain accesses, whose order the instructions around them make. That who sleeps is woken
 * is bell.pml's.
 */
#define WORKERS 2
#define REGIONS 3
#define MEMBERS 3

byte phase, size;    /* the state */
byte data, base;     /* of the region: written before the state */
byte goal;           /* of `ended` */
byte arrived, ended; /* in all regions */
byte holders = MEMBERS;
bool freed;

/* What is checked, not there in the C code. */
byte region;
byte executed[MEMBERS]; /* regions */
byte inside; /* members that have come to the barrier */

inline barrier() {
    arrivals = arrivals + n;
    atomic { arrived++; last = (arrived == arrivals) };
    if
    :: last -> atomic { phase++ }
    :: else -> phase != mine
    fi;
    assert(inside == n);
#ifndef NO_FOLLOW /* a member counts the barriers that it passes, for they change the state */
    mine++
#endif
}

inline body(me) {
    assert(!freed && data == region);
    executed[me]++;
    inside++;
    arrivals = base;
    if
    :: n > 1 -> barrier()
    :: else -> skip
    fi
}

active proctype master() {
    byte n, arrivals, mine, i;
    bool last;
    for (region : 1 .. REGIONS) {
        inside = 0;
        if
        :: n = 1
        :: n = 2
        :: n = 3
        fi;
        data = region;
#ifndef NO_BASE /* regions have different sizes: the count goes on from what there has been */
        base = arrived;
#endif
        goal = goal + n - 1;
        mine = phase + 1;
        atomic { phase++; size = n };
        body(0);
#ifndef NO_WAIT
        ended == goal;
#endif
        i = 0;
        do
        :: i < n -> assert(executed[i] == 1); executed[i] = 0; i++
        :: i == n -> break
        od
    }
    atomic { phase++; size = 0 };
#ifndef NO_HOLDERS
    atomic { holders--; last = (holders == 0) };
#else
    last = true;
#endif
    freed = freed || last
}

active [WORKERS] proctype worker() {
    byte n, arrivals, mine;
    bool last;
    do
    :: phase != mine ->
         assert(!freed);
         atomic { mine = phase; n = size };
         if
         :: n == 0 -> break
#ifndef NO_SKIP /* all are told of a region, but not all take part */
         :: n > 0 && _pid >= n -> skip
         :: n > _pid ->
#else
         :: n > 0 ->
#endif
              body(_pid);
              assert(!freed);
              atomic { ended++ }
         fi
    od;
    assert(!freed);
#ifndef NO_HOLDERS
    atomic { holders--; last = (holders == 0) };
#else
    last = false;
#endif
    freed = freed || last
}

active proctype end() {
    holders == 0;
    freed
}
