/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The biased lock of runtime/comm/aggregate.c: its thread and two others hold an aggregate. Checked: one
 * at a time does, and nobody waits for ever (an invalid end state).
 * Rules without which it must fail: NO_BARRIER NO_LOOK NO_TURN
 *
 * The owner's store to `owned` may wait in its store buffer, which `drain` empties at any time, and a
 * taker's barrier at once. A later store of the owner leaves the buffer after it. Takers' accesses are
 * sequentially consistent.
 */
#define ROUNDS 3

bool owned;    /* in memory */
bool buffered; /* the owner has stored true, which nobody else sees yet */
bool taken;
byte inside;

inline hold() {
    inside++;
    assert(inside == 1);
    inside--
}

/* let_go, of the owner: the earlier store is in memory by then */
inline disown() {
    atomic { buffered = false; owned = false }
}

active proctype owner() {
    byte round = 0;
    do
    :: round == ROUNDS -> break
    :: else ->
       buffered = true;
#ifdef NO_LOOK
       hold(); round++;
#else
       if
       :: !taken -> hold(); round++
       :: else -> skip
       fi;
#endif
       disown()
    od
}

active proctype drain() {
end:
    do
    :: atomic { buffered -> owned = true; buffered = false }
    od
}

active [2] proctype taker() {
    byte round = 0;
    bool was;
    do
    :: round == ROUNDS -> break
    :: else ->
       round++;
       atomic { was = taken; taken = true }
#ifdef NO_TURN
       was = false;
#endif
       if
       :: was -> skip
       :: else ->
#ifndef NO_BARRIER
          atomic {
              if
              :: buffered -> owned = true; buffered = false
              :: else -> skip
              fi
          }
#endif
          if
          :: owned -> skip
          :: else -> hold()
          fi;
          taken = false
       fi
    od
}
