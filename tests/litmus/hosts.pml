/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stage of a barrier between hosts in runtime/sync/rounds.h: three hosts, four epochs, so that
 * the bits of each parity flip on and off again. A host is a thread, which is the last of it to
 * arrive, and a handler of messages in another process; messages of different rounds overtake each
 * other. Spin finds every interleaving. Checked: nobody leaves a barrier before all have come; what
 * a message tells was heard in its own epoch; and nobody waits for ever (an invalid end state).
 *
 * The atomic block is one atomic instruction of the C code. How a thread sleeps on the word is
 * wait.pml's affair.
 */
#define HOSTS 3
#define ROUNDS 2
#define EPOCHS 4
#define ALL 7

byte entered[EPOCHS + 1];
byte word[HOSTS];                   /* last finished epoch */
byte state[HOSTS * 2];              /* [host][parity] */
byte heard[HOSTS * 2 * ROUNDS];     /* [host][parity][round]: the epoch that a message was of */
chan to[HOSTS * ROUNDS] = [2] of { byte };

#define PARITY(h, e) (h * 2 + e % 2)
#define FIRST(e) ((((e - 1) / 2) % 2) * ALL)
#define SENDABLE(bits) ((bits & 1) -> (((bits & 2) -> 2 : 1)) : 0)

/* Messages of the rounds before `n` are merged. */
inline merge(e, n) {
    k = 0;
    do
    :: k < n -> assert(heard[PARITY(h, e) * ROUNDS + k] == e); k++
    :: else -> break
    od
}

inline happen(e, flip) {
    atomic {
        before = state[PARITY(h, e)] ^ FIRST(e);
        state[PARITY(h, e)] = state[PARITY(h, e)] ^ flip
    }
    after = before | flip;
    assert(after != before);
    r = SENDABLE(before);
    do
    :: r < SENDABLE(after) ->
         merge(e, r);
         to[((h + (1 << r)) % HOSTS) * ROUNDS + r] ! e;
         r++
    :: else -> break
    od;
    if
    :: after == ALL ->
         merge(e, ROUNDS);
         word[h] = e
    :: else -> skip
    fi
}

proctype thread(byte h) {
    byte before, after, r, k;
    byte epoch = 1;
    do
    :: epoch > EPOCHS -> break
    :: else ->
         entered[epoch]++;
         happen(epoch, 1);
         word[h] == epoch;
         assert(entered[epoch] == HOSTS);
         epoch++
    od
}

proctype handler(byte h) {
    byte before, after, r, k, e, round;
end:
    do
    :: to[h * ROUNDS] ? e ->
         round = 0;
         heard[PARITY(h, e) * ROUNDS + round] = e;
         happen(e, (2 << round))
    :: to[h * ROUNDS + 1] ? e ->
         round = 1;
         heard[PARITY(h, e) * ROUNDS + round] = e;
         happen(e, (2 << round))
    od
}

init {
    atomic {
        run thread(0); run thread(1); run thread(2);
        run handler(0); run handler(1); run handler(2)
    }
}
