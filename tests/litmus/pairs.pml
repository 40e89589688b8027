/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two members of runtime/sync/pairs.h, whose ring has four cells, and who sleep on the bells of
 * runtime/core/wait.h as soon as they would wait: both send as much as needs no receiver, take it,
 * then one streams to the other, which answers now and then, and at last they signal each other.
 * So a ring is full, cells are used again, and a bell is rung for what its member does not wait for.
 * Spin finds every interleaving. Checked: a message that is being read is the right one until it is
 * done, and nobody sleeps for ever (an invalid end state).
 *
 * Each step is one atomic instruction of the C code, or a plain access whose order the instruction
 * after it makes, or a futex call. Memory is sequentially consistent here: the C code's exchanges
 * and the loads before sleeping are.
 */
#define CELLS 4
#define AHEAD 2
#define STREAM 7 /* messages from 0 to 1 */
#define EVERY 3  /* of which are answered */

typedef cell {
    byte turn;
    byte taken;
    byte number; /* the payload */
};

typedef inbox { /* of one member, from the other */
    bool bell;
    bool asleep;
    byte signals;
    byte taken;
    cell cells[CELLS]
};

inbox box[2];

inline ring() {
    marked = box[other].bell;
    if
    :: marked ->
         box[other].bell = false;
         box[other].asleep = false /* futex_wake */
    :: else -> skip
    fi;
    marked = false
}

inline futex_wait() {
    atomic {
        if
        :: box[me].bell -> box[me].asleep = true
        :: else -> skip
        fi
    };
    !box[me].asleep
}

inline signal() {
    box[other].signals++;
    ring()
}

inline wait() {
    do
    :: box[me].signals != waited -> break
    :: else ->
         box[me].bell = true;
         if
         :: box[me].signals != waited -> break
         :: else -> futex_wait()
         fi
    od;
    box[me].bell = false;
    waited++
}

inline send() {
    if
    :: sent - room >= CELLS ->
         do
         :: room = box[me].taken;
            if
            :: sent - room < CELLS -> break
            :: else -> skip
            fi;
            box[me].bell = true;
            room = box[me].taken;
            if
            :: sent - room < CELLS -> break
            :: else -> futex_wait()
            fi
         od;
         box[me].bell = false
    :: else -> skip
    fi;
    box[other].cells[sent % CELLS].number = sent;
    box[other].cells[sent % CELLS].taken = received;
    sent++;
    box[other].cells[(sent - 1) % CELLS].turn = sent;
    ring()
}

#define HERE (box[me].cells[received % CELLS].turn == received + 1)
#define RIGHT (box[me].cells[received % CELLS].number == received)

inline receive() {
    do
    :: HERE -> break
    :: else ->
         box[me].bell = true;
         if
         :: HERE -> break
         :: else -> futex_wait()
         fi
    od;
    box[me].bell = false;
    assert(RIGHT);
    room = box[me].cells[received % CELLS].taken;
    assert(RIGHT);
    received++;
    if
    :: received % AHEAD == 0 ->
         box[other].taken = received;
         ring()
    :: else -> skip
    fi
}

active [2] proctype member() {
    byte me = _pid;
    byte other = 1 - _pid;
    byte sent, room, received, waited, i;
    bool marked;

    for (i : 1 .. AHEAD) {
        send()
    }
    for (i : 1 .. AHEAD) {
        receive()
    }
    for (i : 1 .. STREAM) {
        if
        :: me == 0 -> send()
        :: else -> receive()
        fi;
        if
        :: i % EVERY == 0 && me == 0 -> receive()
        :: i % EVERY == 0 && me == 1 -> send()
        :: else -> skip
        fi
    }
    signal();
    signal();
    wait();
    wait()
}
