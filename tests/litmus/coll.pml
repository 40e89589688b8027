/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cells, turns and halves of runtime/coll/team.h: three members on one host go through steps of
 * all kinds, in a ring of four in place of sixteen, and each as far ahead of the others as it may.
 * A step is one of
 *
 *   post  one member, or each, leaves bytes in its cell; the others read them (post.c, flat.c);
 *   tree  one posts, the others copy from its memory, and say so; it waits for that (tree.c);
 *   turn  each leaves bytes, the last to arrive reads all, and who waits is told of the end (last.c);
 *         or nobody waits for the end, as without synchronisation.
 *
 * In one program one member gives to all, and waits for nobody; in one all arrive at turns whose end
 * nobody waits for; in the third all kinds alternate.
 *
 * Checked: who reads finds the bytes of its step until it has read them, and nobody waits for ever (an
 * invalid end state). Each step is one atomic instruction of the C code, or a plain access; waiting
 * for a word is wait.pml's. Memory is sequentially consistent here: each reader acquires what was
 * released with the word that it waits for.
 *
 * Rules without which it must fail: NO_HALVES NO_LEFT NO_ACKS NO_ORDER
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
byte turns[RING];
byte left[2];
byte over[2];
byte program;

#define CELL(rank) cells[rank].at[step % RING]
#define ROOT (program == 0 -> 0 : step % MEMBERS)
#define ALL_GIVE (program == 2 && step % 2 == 0)
#define END_AWAITED (program == 2 && step % 2 == 0)
#define KIND (program == 2 -> step * 5 / 3 % 3 : program)

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
    d_step { before = left[(half + 1) % 2]; left[(half + 1) % 2]++ };
    if
    :: before + 1 == MEMBERS ->
#ifndef NO_LEFT
         left[(half + 1) % 2] = 0;
#endif
         over[(half + 1) % 2] = half
    :: else -> skip
    fi;
    before = 0;
#ifndef NO_HALVES
    over[half % 2] == half - 1
#endif
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
        fi
    }
}

init {
    byte i;
    select (program : 0 .. 2);
    atomic {
        for (i : 0 .. MEMBERS - 1) {
            run member(i)
        }
    }
}
