/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The thread of runtime/omp/balancer.c that gives tasks away while members are busy: a member makes
 * tasks, and then executes one that waits for the others; another host asks for some. Checked: the balancer
 * does not sleep while there are tasks, or somebody asks (an invalid end state).
 * Rules without which it must fail: NO_FENCE LATE_CLEAR NO_COUNT
 * NO_FENCE: a task that is made is visible before its maker looks whether the balancer watches. LATE_CLEAR:
 * the balancer says that it does not before it looks. NO_COUNT: it sleeps only if nobody has called since.
 *
 * What a member has made may be in its store buffer for a while; all else is atomic, and in one order.
 */
#define TASKS 2

byte ready = 0, called = 0;
bool buffered = false, watches = false, asleep = false, asked = false;

inline call() {
    atomic { called++; asleep = false }
}

active proctype buffer() {
end:
    do
    :: atomic { buffered -> buffered = false; ready++ }
    od
}

active proctype member() {
    byte i;
    for (i : 1 .. TASKS) {
        buffered = true;
#ifndef NO_FENCE
        !buffered;
#endif
        if
        :: watches -> skip
        :: !watches -> call()
        fi;
        !buffered
    }
    ready == 0
}

active proctype other_host() {
    asked = true;
    call();
    !asked
}

active proctype balancer() {
    byte seen;
    bool some;
    do
    :: seen = called;
#ifndef LATE_CLEAR
       watches = false;
#endif
       atomic {
           asked = false;
           if
           :: ready > 0 -> ready-- /* none has been taken for long */
           :: true -> skip
           fi;
           some = ready > 0
       }
#ifdef LATE_CLEAR
       watches = false;
#endif
       if
       :: some -> watches = true /* and looks again after a while */
       :: !some ->
            atomic {
#ifndef NO_COUNT
                if
                :: called == seen -> asleep = true
                :: called != seen -> skip
                fi
#else
                asleep = true
#endif
            }
end_asleep:
            !asleep
       fi
    od
}
