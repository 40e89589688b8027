/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runtime/omp/deque.h: an owner that puts and takes tasks in an order that is not fixed, in a deque of
 * two slots, so that these are written again, and two thieves. Spin finds every interleaving.
 * Checked: every task is got exactly once.
 *
 * Rules without which it must fail: NO_ANNOUNCEMENT NO_EXCHANGE NO_ROOM
 *
 * Each step is one atomic instruction of the C code. Memory is sequentially consistent here: so are
 * the C code's accesses to `top`, and those to `bottom` that may collide; that others see a task
 * later which is put hides only that there is one.
 */
#define TASKS 3
#define SLOTS 2

byte top = 1, bottom = 1; /* places begin at 1: a byte has no -1 */
byte slots[SLOTS];
byte got[TASKS];
byte finished;

inline receive(task) {
    got[task]++;
    assert(got[task] == 1)
}

inline take() {
    place = bottom - 1;
    if
    :: place < top -> skip /* the relaxed look */
    :: else ->
#ifndef NO_ANNOUNCEMENT /* a taker announces its place before it looks at the top */
         bottom = place;
#endif
         seen = top;
#ifdef NO_ANNOUNCEMENT
         bottom = place;
#endif
         if
         :: seen < place -> receive(slots[place % SLOTS])
         :: seen == place ->
              task = slots[place % SLOTS];
#ifndef NO_EXCHANGE /* the last task is taken at the top, as thieves do */
              atomic {
                  if
                  :: top == seen -> top = seen + 1; won = true
                  :: else -> won = false
                  fi
              };
#else
              won = true;
#endif
              bottom = place + 1;
              if
              :: won -> receive(task)
              :: else -> skip
              fi
         :: else -> bottom = place + 1
         fi
    fi
}

inline put() {
#ifndef NO_ROOM /* a slot is free when the top has passed it */
    seen = top;
    if
    :: bottom - seen < SLOTS ->
#else
    if
    :: true ->
#endif
         slots[bottom % SLOTS] = next;
         bottom = bottom + 1;
         next++
    :: else -> skip
    fi
}

active proctype owner() {
    byte place, seen, task, next = 0;
    bool won;
    do
    :: next < TASKS -> put()
    :: take()
    :: next == TASKS -> break
    od;
    finished++
}

active [2] proctype thief() {
    byte seen, end, task, attempts = 0;
    do
    :: attempts < 2 ->
         attempts++;
         seen = top;
         end = bottom;
         if
         :: seen >= end -> skip
         :: else ->
              task = slots[seen % SLOTS];
              atomic {
                  if
                  :: top == seen -> top = seen + 1
                  :: else -> task = TASKS
                  fi
              };
              if
              :: task < TASKS -> receive(task)
              :: else -> skip
              fi
         fi
    :: attempts == 2 -> break
    od;
    finished++
}

/* What is left is the owner's. */
active proctype end() {
    byte place, seen, task, i = 0;
    bool won;
    finished == 3;
    do
    :: top < bottom -> take()
    :: else -> break
    od;
    do
    :: i < TASKS -> assert(got[i] == 1); i++
    :: else -> break
    od
}
