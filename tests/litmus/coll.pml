/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cells, turns and halves of runtime/coll/team.h: three members on one host go through steps of
 * all kinds, in a ring of four in place of sixteen, and each as far ahead of the others as it may.
 * A step is one of
 *
 *   post  one member, or each, leaves bytes in its cell; the others read them (post.c, flat.c);
 *   tree  one posts, the others copy from its memory, and say so; it waits for that (tree.c);
 *   turn  each leaves bytes, the last to arrive reads all, and who waits is told of the end (last.c);
 *         or nobody waits for the end, as without synchronisation;
 *   pair  each gives to the next; the second to come to a cell copies for both (later.c);
 *   list  each gives to each; who arrives copies between itself and those before it (later.c).
 *
 * In one program one member gives to all, and waits for nobody; in one all arrive at turns whose end
 * nobody waits for; in the third the first three kinds alternate, and in the fourth the last two.
 *
 * Checked: who reads finds the bytes of its step until it has read them, and nobody waits for ever (an
 * invalid end state). Each step is one atomic instruction of the C code, or a plain access; waiting
 * for a word is wait.pml's. Memory is sequentially consistent here: each reader acquires what was
 * released with the word that it waits for.
 *
 * Rules without which it must fail: NO_HALVES NO_LEFT NO_ACKS NO_ORDER NO_MEETING NO_RESET
 */
#define MEMBERS 3
#define HALF 2
#define RING 4
#ifndef STEPS
#define STEPS 8
#endif

typedef cell {
    byte step;
    byte bytes; /* of which step; 0: being written */
    byte acks
};

typedef ring { cell at[RING] };

ring cells[MEMBERS];
byte memory[MEMBERS]; /* of its own: the step that it is for */
byte got[MEMBERS];    /* copies from others, at this step */
byte turns[RING];
byte latest[RING];
byte left[2];
byte over[2];
byte program;

#define CELL(rank) cells[rank].at[step % RING]
#define ROOT (program == 0 -> 0 : step % MEMBERS)
#define ALL_GIVE (program == 2 && step % 2 == 0)
#define END_AWAITED (program == 2 && step % 2 == 0)
#define NEXT ((me + 1) % MEMBERS)
#define KIND (program == 3 -> 3 + step % 2 : (program == 2 -> step * 5 / 3 % 3 : program))

inline fill() {
    CELL(me).bytes = 0;
    CELL(me).bytes = step
}

inline post() {
#ifdef NO_ORDER
    CELL(me).step = step;
    fill()
#else
    fill();
    CELL(me).step = step
#endif
}

inline take(rank) {
    CELL(rank).step == step;
    assert(CELL(rank).bytes == step)
}

inline begin_half(half) {
#ifndef NO_HALVES
    over[half % 2] == half - 1;
#endif
    d_step { before = left[(half + 1) % 2]; left[(half + 1) % 2]++ };
    if
    :: before + 1 == MEMBERS ->
#ifndef NO_LEFT
         left[(half + 1) % 2] = 0;
#endif
         over[(half + 1) % 2] = half
    :: else -> skip
    fi;
    before = 0
}

inline post_step() {
    if
    :: me == ROOT || ALL_GIVE -> post()
    :: else -> skip
    fi;
    for (rank : 0 .. MEMBERS - 1) {
        if
        :: rank != me && (rank == ROOT || ALL_GIVE) -> take(rank)
        :: else -> skip
        fi
    }
}

inline tree_step() {
    if
    :: me == ROOT ->
         memory[me] = step;
         post();
#ifndef NO_ACKS
         CELL(me).acks == MEMBERS - 1;
         CELL(me).acks = 0;
#endif
         memory[me] = 0
    :: else ->
         take(ROOT);
         assert(memory[ROOT] == step);
         CELL(ROOT).acks++
    fi
}

inline turn_step() {
    CELL(me).bytes = step;
    if
    :: turns[step % RING] == MEMBERS - 1 -> before = MEMBERS - 1
    :: else -> d_step { before = turns[step % RING]; turns[step % RING]++ }
    fi;
    if
    :: before == MEMBERS - 1 ->
         d_step {
             assert(CELL(0).bytes == step && CELL(1).bytes == step && CELL(2).bytes == step);
             before = 0
         };
         turns[step % RING] = 0
    :: before != MEMBERS - 1 && END_AWAITED -> before = 0; turns[step % RING] == 0
    :: else -> before = 0
    fi
}

inline copy_between(from, to) {
    assert(memory[from] == step && memory[to] == step);
    got[to]++
}

inline meet(where, from) {
    d_step { before = CELL(where).acks; CELL(where).acks++ };
    if
#ifdef NO_MEETING
    :: true ->
#else
    :: before == 1 ->
#endif
#ifndef NO_RESET
         CELL(where).acks = 0;
#endif
         copy_between(from, where);
         CELL(where).step = step
    :: else -> skip
    fi;
    before = 0
}

inline pair_step() {
    memory[me] = step;
    meet(NEXT, me);
    meet(me, (me + MEMBERS - 1) % MEMBERS);
    CELL(NEXT).step == step;
    CELL(me).step == step;
    d_step { assert(got[me] == 1); got[me] = 0; memory[me] = 0 }
}

/* The exchange that succeeds; those that fail change nothing. `bytes` is the place of who came before. */
inline list_step() {
    memory[me] = step;
    d_step { rank = latest[step % RING]; CELL(me).bytes = rank; latest[step % RING] = me + 1 };
    do
    :: rank > 0 ->
         copy_between(me, rank - 1);
         copy_between(rank - 1, me);
         rank = CELL(rank - 1).bytes
    :: else -> break
    od;
    skip;
    d_step { before = turns[step % RING]; turns[step % RING]++ };
    if
    :: before == MEMBERS - 1 ->
#ifndef NO_RESET
         latest[step % RING] = 0;
#endif
         turns[step % RING] = 0
    :: else -> turns[step % RING] == 0
    fi;
    d_step { assert(got[me] == MEMBERS - 1); got[me] = 0; memory[me] = 0; before = 0 }
}

proctype member(byte me) {
    byte step, rank, before;

    for (step : 1 .. STEPS) {
        if
        :: step % HALF == 0 -> begin_half(step / HALF)
        :: else -> skip
        fi;
        if
        :: KIND == 0 -> post_step()
        :: KIND == 1 -> turn_step()
        :: KIND == 2 -> tree_step()
        :: KIND == 3 -> pair_step()
        :: KIND == 4 -> list_step()
        fi
    }
}

init {
    byte i;
    select (program : 0 .. 3);
    atomic {
        for (i : 0 .. MEMBERS - 1) {
            run member(i)
        }
    }
}
