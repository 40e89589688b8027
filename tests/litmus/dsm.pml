/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The protocol of coherent memory in runtime/dsm: one page, several writers, barriers after which
 * its home follows a sole writer, and a lock. A host is a thread of the program, and a handler of
 * messages. Each host has a word of the page, which it alone writes, and one is the lock's. Spin
 * finds every interleaving. Checked: the lock's word is always the latest under the lock; after a
 * barrier the others' words are at least what they were before it; and nobody waits for ever (an
 * invalid end state).
 *
 * Each of these rules left out is found: -DNO_EPOCH (messages of a later epoch are put off),
 * -DNO_WAIT (a home that learns of intervals waits for their diffs), -DNO_FLUSH (a dirty copy that a
 * notice ends sends its diff first), -DTELL_LATE (a lock does not tell of the interval whose diff is
 * kept until the barrier is over), -DNO_SINCE (a home drops diffs that were sent to it before the
 * page's home moved away and back). That a fetch waits for diffs (-DNO_NEEDED) matters from three
 * hosts on, which are too many to explore here: -DHOSTS=3.
 *
 * A grant is one step: it says what its last host knows when it goes. Barriers are a count: what
 * host 0 tells all is what each had written.
 */
#ifndef HOSTS
#define HOSTS 2
#endif
#define EPOCHS 2
#define WORDS (HOSTS + 1)
#define LOCKED HOSTS
#define NONE 255
#define MANY 254

#define AT(h, w) ((h) * WORDS + (w))
#define OF(h, k) ((h) * HOSTS + (k))

byte truth[WORDS];             /* what the program has written last */
byte before[(EPOCHS + 1) * WORDS]; /* the same when the last host came to the barrier */
byte writer[EPOCHS + 1];       /* in an epoch: 0, 1 + host, or MANY */
byte come[EPOCHS + 1];

byte home[HOSTS], epoch[HOSTS];
byte since[HOSTS];             /* epoch in which the page's home came to the host */
bool present[HOSTS], dirty[HOSTS];
byte page[HOSTS * WORDS], twin[HOSTS * WORDS];
byte known[HOSTS * HOSTS];     /* vector times */
byte needed[HOSTS * HOSTS];    /* that a copy must contain */
byte arrived[HOSTS * HOSTS];   /* intervals of which diffs have come */
byte late[HOSTS];              /* interval of which the diff is kept; 0: none */

byte holder = NONE, last;      /* of the lock */

/* A fetch under way: of which each host has one at most. */
byte asked[HOSTS], asked_epoch[HOSTS], answered[HOSTS];
byte answer[HOSTS * WORDS];
chan diffs[HOSTS * HOSTS] = [3] of { byte, byte, byte, byte }; /* interval, epoch, words: own, lock's */

inline count_writer() {
    writer[epoch[h]] = (writer[epoch[h]] == 0 || writer[epoch[h]] == h + 1 -> h + 1 : MANY)
}

/* 0: the word is as it was. */
inline send_diff(number) {
    diffs[OF(h, home[h])] ! number, epoch[h],
        (page[AT(h, h)] != twin[AT(h, h)] -> page[AT(h, h)] : 0),
        (page[AT(h, LOCKED)] != twin[AT(h, LOCKED)] -> page[AT(h, LOCKED)] : 0);
    twin[AT(h, h)] = page[AT(h, h)];
    twin[AT(h, LOCKED)] = page[AT(h, LOCKED)]
}

inline end_interval() {
    atomic {
        if
        :: dirty[h] ->
             if
             :: home[h] != h -> send_diff(known[OF(h, h)] + 1)
             :: else -> skip
             fi;
             known[OF(h, h)]++;
             count_writer();
             dirty[h] = false
        :: else -> skip
        fi
    }
}

/* Until the page can be read. */
inline touch() {
    do
    :: present[h] || home[h] == h -> break
    :: else ->
         atomic { asked_epoch[h] = epoch[h]; answered[h] = 0; asked[h] = home[h] };
         atomic {
             answered[h] ->
             k = 0;
             do
             :: k < WORDS -> page[AT(h, k)] = answer[AT(h, k)]; k++
             :: else -> break
             od;
             k = 0;
             present[h] = true
         }
    od
}

inline write(word) {
    touch();
    atomic {
        if
        :: !dirty[h] -> twin[AT(h, h)] = page[AT(h, h)]; twin[AT(h, LOCKED)] = page[AT(h, LOCKED)]
        :: else -> skip
        fi;
        dirty[h] = true;
        truth[word]++;
        page[AT(h, word)] = truth[word]
    }
}

/* Of interval `n` of a host. */
inline notice(who, n) {
    atomic {
        known[OF(h, who)] = n;
        if
        :: home[h] == h -> skip
        :: else ->
#ifndef NO_FLUSH
             if
             :: present[h] && dirty[h] ->
                  /* An interval of its own: the rest of this one is told when it ends. */
                  send_diff(known[OF(h, h)] + 1);
                  known[OF(h, h)]++;
                  count_writer()
             :: else -> skip
             fi;
#endif
             dirty[h] = false;
             needed[OF(h, who)] = n;
             present[h] = false
        fi
    }
#ifndef NO_WAIT

    (home[h] != h || arrived[OF(h, who)] >= n)
#endif
}

inline acquire() {
    atomic { holder == NONE -> holder = h };
    from = last;
    i = 0;
    do
    :: i < HOSTS ->
         atomic {
             upto = known[OF(from, i)];
#ifndef TELL_LATE
             if
             :: i == from && late[from] -> upto = late[from] - 1
             :: else -> skip
             fi
#endif
         };
         if
         :: i != h && upto > known[OF(h, i)] -> notice(i, upto)
         :: else -> skip
         fi;
         i++
    :: else -> break
    od;
    upto = 0; i = 0; from = 0;
    last = h
}

inline release() {
    end_interval();
    holder = NONE
}

inline arrive() {
    atomic {
        if
        :: dirty[h] ->
             known[OF(h, h)]++;
             count_writer();
             late[h] = (home[h] != h -> known[OF(h, h)] : 0)
        :: else -> skip
        fi;
        come[epoch[h]]++;
        if
        :: come[epoch[h]] == HOSTS ->
             k = 0;
             do
             :: k < WORDS -> before[AT(epoch[h], k)] = truth[k]; k++
             :: else -> break
             od;
             k = 0;
             do
             :: k < HOSTS -> told[OF(epoch[h], k)] = known[OF(k, k)]; k++
             :: else -> break
             od;
             k = 0
        :: else -> skip
        fi
    }
}
byte told[(EPOCHS + 1) * HOSTS]; /* how many intervals each has when all have come */

inline depart() {
    come[epoch[h]] == HOSTS;
    atomic {
        if
        :: writer[epoch[h]] != 0 && writer[epoch[h]] != MANY && home[h] != writer[epoch[h]] - 1 ->
             home[h] = writer[epoch[h]] - 1;
             since[h] = epoch[h] + 1;
             k = 0;
             do
             :: k < HOSTS -> needed[OF(h, k)] = 0; k++
             :: else -> break
             od;
             k = 0
        :: else -> skip
        fi;
        if
        :: dirty[h] && home[h] != h -> send_diff(known[OF(h, h)])
        :: else -> skip
        fi;
        dirty[h] = false
    };
    i = 0;
    do
    :: i < HOSTS ->
         if
         :: i != h && told[OF(epoch[h], i)] > known[OF(h, i)] -> notice(i, told[OF(epoch[h], i)])
         :: else -> skip
         fi;
         i++
    :: else -> break
    od;
    i = 0;
    atomic { late[h] = 0; epoch[h]++ }
}

/* What others wrote before the last barrier. */
inline check() {
    touch();
    atomic {
        k = 0;
        do
        :: k < HOSTS && epoch[h] > 0 ->
             assert(page[AT(h, k)] >= before[AT(epoch[h] - 1, k)] && page[AT(h, k)] <= truth[k]);
             k++
        :: else -> break
        od;
        k = 0
    }
}

proctype thread(byte h) {
    byte k, i, upto, from;
    do
    :: epoch[h] == EPOCHS -> break
    :: else ->
         if
         :: write(h)
         :: skip
         fi;
         if
         :: acquire();
            touch();
            assert(page[AT(h, LOCKED)] == truth[LOCKED]);
            write(LOCKED);
            release();
            if
            :: write(h)
            :: skip
            fi
         :: skip
         fi;
         arrive();
         depart();
         check()
    od
}

/* Whether the diffs of a host have come that the asker needs. */
#define HAS(k) ((k) == h || (k) == from || arrived[OF(h, k)] >= needed[OF(from, k)])

proctype handler(byte h, from) {
    byte k, interval, at, own, locked;
end:
    do
    :: atomic {
           (asked[from] == h && !answered[from] && empty(diffs[OF(from, h)]) /* sent before */
#ifndef NO_EPOCH
           && asked_epoch[from] <= epoch[h]
#endif
#ifndef NO_NEEDED
           && HAS(0) && HAS(1) && HAS(HOSTS - 1)
#endif
           ) ->
           do
           :: k < WORDS -> answer[AT(from, k)] = (home[h] == h -> page[AT(h, k)] : 0); k++
           :: else -> break
           od;
           k = 0;
           answered[from] = 1;
           asked[from] = NONE
       }
    :: diffs[OF(from, h)] ? interval, at, own, locked ->
#ifndef NO_EPOCH
       at <= epoch[h];
#endif
       atomic {
           if
           :: (home[h] == h
#ifndef NO_SINCE
               && at >= since[h]
#endif
              ) ->
                page[AT(h, from)] = (own -> own : page[AT(h, from)]);
                page[AT(h, LOCKED)] = (locked -> locked : page[AT(h, LOCKED)])
           :: else -> skip
           fi;
           arrived[OF(h, from)] = interval;
           interval = 0; at = 0; own = 0; locked = 0
       }
    od
}

init {
    byte h, k;
    atomic {
        do
        :: h < HOSTS ->
             asked[h] = NONE;
             run thread(h);
             do
             :: k < HOSTS && k != h -> run handler(h, k); k++
             :: k == h -> k++
             :: k == HOSTS -> break
             od;
             k = 0;
             h++
        :: else -> break
        od
    }
}
