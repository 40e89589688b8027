/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The protocol of coherent memory in runtime/dsm: one page, several writers, barriers after which
 * its home follows a sole writer, and a lock. A host is a thread of the program, and a handler of
 * messages. Each host has a word of the page, which it alone writes, and one is the lock's. Spin
 * finds every interleaving. At a barrier a page's home may push what has changed to a host that has
 * had it, which makes a copy of that without asking. Checked: the lock's word is always the latest
 * under the lock; after a barrier all words are at least what they were before it; and nobody waits
 * for ever (an invalid end state).
 *
 * Rules without which it must fail: NO_EPOCH NO_WAIT NO_FLUSH TELL_LATE NO_SINCE NO_SOLE NO_HELD NO_STALE NO_END NO_END_MET
 * NO_EPOCH: messages of a later epoch are put off. NO_WAIT: a home that learns of intervals waits for
 * their diffs. NO_FLUSH: a dirty copy that a notice ends sends its diff first. TELL_LATE: a lock does
 * not tell of the interval whose diff is kept until the barrier is over. NO_SINCE: a home drops diffs
 * that were sent to it before the page's home moved away and back. NO_SOLE: a push is taken only where
 * its home alone has written since the last barrier; NO_HELD: and where that is held which the push
 * makes another of. NO_STALE: a notice ends what a push has made. NO_END: an interval whose end a
 * release has put off ends when another host wants the lock; NO_END_MET: and where hosts meet. That a
 * fetch waits for diffs (-DNO_NEEDED) matters from three hosts on, which are too many to explore here:
 * -DHOSTS=3.
 *
 * A grant is one step: it says what its last host knows when it goes. Barriers are a count: what
 * host 0 tells all is what each had written. What a thread does until it must wait or others may
 * see it is one step, too: handlers of its host find the same before and after.
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
bool put_off[HOSTS];           /* the end of the interval in which the host released it last */

/* What changes at a home is counted, from each time it becomes one on: when each word did, what others
 * were given. What a host holds is of its page's home. A push is of changes from one count to another. */
byte count[HOSTS], changed[HOSTS * WORDS], given[HOSTS * HOSTS];
byte held[HOSTS];              /* 0: nothing */
bool ready[HOSTS];             /* what is held is what it should be */
byte pushed_epoch[HOSTS], pushed_held[HOSTS], pushed_count[HOSTS], pusher[HOSTS], pushed[HOSTS * WORDS]; /* to a host */

/* A fetch under way: of which each host has one at most. */
byte asked[HOSTS], asked_epoch[HOSTS], answered[HOSTS];
byte answer[HOSTS * WORDS], answer_count[HOSTS];
chan diffs[HOSTS * HOSTS] = [3] of { byte, byte, byte, byte }; /* interval, epoch, words: own, lock's */

inline count_writer(me) {
    writer[epoch[me]] = (writer[epoch[me]] == 0 || writer[epoch[me]] == me + 1 -> me + 1 : MANY)
}

/* At their home: a host's word, the lock's. */
inline count_changes(me, who, own_word, lock_word) {
    count[me]++;
    changed[AT(me, who)] = (own_word -> count[me] : changed[AT(me, who)]);
    changed[AT(me, LOCKED)] = (lock_word -> count[me] : changed[AT(me, LOCKED)])
}

/* 0: the word is as it was. */
inline send_diff(me, number) {
    diffs[OF(me, home[me])] ! number, epoch[me],
        (page[AT(me, me)] != twin[AT(me, me)] -> page[AT(me, me)] : 0),
        (page[AT(me, LOCKED)] != twin[AT(me, LOCKED)] -> page[AT(me, LOCKED)] : 0);
    twin[AT(me, me)] = page[AT(me, me)];
    twin[AT(me, LOCKED)] = page[AT(me, LOCKED)]
}

inline end_interval(me) {
    if
    :: dirty[me] ->
         if
         :: home[me] != me -> send_diff(me, known[OF(me, me)] + 1)
         :: else -> count_changes(me, me, page[AT(me, me)] != twin[AT(me, me)],
                                  page[AT(me, LOCKED)] != twin[AT(me, LOCKED)])
         fi;
         known[OF(me, me)]++;
         count_writer(me);
         dirty[me] = false
    :: else -> skip
    fi;
    put_off[me] = false
}

/* Until the page can be read. */
inline touch() {
    if
    :: present[h] || home[h] == h -> skip
    :: !present[h] && home[h] != h && ready[h] -> present[h] = true; ready[h] = false
    :: !present[h] && home[h] != h && !ready[h] ->
         asked_epoch[h] = epoch[h]; answered[h] = 0; asked[h] = home[h];
         answered[h] ->
         answered[h] = 0;
         k = 0;
         do
         :: k < WORDS -> page[AT(h, k)] = answer[AT(h, k)]; answer[AT(h, k)] = 0; k++
         :: else -> break
         od;
         k = 0;
         held[h] = answer_count[h];
         answer_count[h] = 0;
         present[h] = true
    fi
}

inline write(word) {
    touch();
    if
    :: !dirty[h] -> twin[AT(h, h)] = page[AT(h, h)]; twin[AT(h, LOCKED)] = page[AT(h, LOCKED)]
    :: else -> skip
    fi;
    dirty[h] = true;
    truth[word]++;
    page[AT(h, word)] = truth[word]
}

/* Of interval `n` of a host. */
inline notice(who, n) {
    known[OF(h, who)] = n;
    if
    :: home[h] == h -> skip
    :: else ->
#ifndef NO_FLUSH
         if
         :: present[h] && dirty[h] ->
              /* An interval of its own: the rest of this one is told when it ends. */
              send_diff(h, known[OF(h, h)] + 1);
              known[OF(h, h)]++;
              count_writer(h)
         :: else -> skip
         fi;
#endif
         dirty[h] = false;
#ifndef NO_STALE
         ready[h] = false;
#endif
         needed[OF(h, who)] = n;
         present[h] = false
    fi
#ifndef NO_WAIT
    ;
    (home[h] != h || arrived[OF(h, who)] >= n)
#endif
}

/* Until notices of all intervals are taken that `upto` tells of, which are new here. */
inline learn() {
    i = 0;
    do
    :: i < HOSTS ->
         if
         :: i != h && upto[i] > known[OF(h, i)] -> notice(i, upto[i])
         :: else -> skip
         fi;
         upto[i] = 0;
         i++
    :: else -> break
    od;
    i = 0
}

/* What comes with the lock may be some time on its way. */
inline acquire() {
    atomic {
        holder == NONE -> holder = h;
#ifndef NO_END
        if
        :: last != h && put_off[last] -> end_interval(last)
        :: else -> skip
        fi;
#endif
        do
        :: i < HOSTS -> upto[i] = known[OF(last, i)]; i++
        :: else -> break
        od;
        i = 0;
#ifndef TELL_LATE
        upto[last] = (late[last] -> late[last] - 1 : upto[last]);
#endif
        last = h
    };
    atomic { learn() }
}

inline release() {
    if
    :: end_interval(h)
    :: put_off[h] = true
    fi;
    holder = NONE
}

/* What has changed since the host got it, to be taken when all have come. */
inline push(to) {
    pusher[to] = h + 1;
    pushed_epoch[to] = epoch[h];
    pushed_held[to] = given[OF(h, to)];
    pushed_count[to] = count[h];
    given[OF(h, to)] = count[h];
    k = 0;
    do
    :: k < WORDS ->
         pushed[AT(to, k)] = (changed[AT(h, k)] > pushed_held[to] -> page[AT(h, k)] : 0);
         k++
    :: else -> break
    od;
    k = 0
}

inline take_push() {
    if
    :: pusher[h] && pushed_epoch[h] == epoch[h] ->
         if
         :: (home[h] == pusher[h] - 1 && !present[h] && held[h] > 0
#ifndef NO_SOLE
             && writer[epoch[h]] == pusher[h]
#endif
#ifndef NO_HELD
             && held[h] >= pushed_held[h]
#endif
            ) ->
              k = 0;
              do
              :: k < WORDS ->
                   page[AT(h, k)] = (pushed[AT(h, k)] -> pushed[AT(h, k)] : page[AT(h, k)]);
                   pushed[AT(h, k)] = 0;
                   k++
              :: else -> break
              od;
              k = 0;
              held[h] = pushed_count[h];
              ready[h] = true
         :: else -> skip
         fi;
         pusher[h] = 0; pushed_epoch[h] = 0; pushed_held[h] = 0; pushed_count[h] = 0
    :: else -> skip
    fi
}

inline arrive() {
    atomic {
#ifndef NO_END_MET
        if
        :: put_off[h] -> end_interval(h)
        :: else -> skip
        fi;
#endif
        if
        :: dirty[h] ->
             known[OF(h, h)]++;
             count_writer(h);
             late[h] = (home[h] != h -> known[OF(h, h)] : 0);
             if
             :: home[h] == h ->
                  count_changes(h, h, page[AT(h, h)] != twin[AT(h, h)],
                                page[AT(h, LOCKED)] != twin[AT(h, LOCKED)]);
                  i = 0;
                  do
                  :: i < HOSTS ->
                       if
                       :: i != h && given[OF(h, i)] && !pusher[i] -> push(i)
                       :: else -> skip
                       fi;
                       i++
                  :: else -> break
                  od;
                  i = 0
             :: else -> skip
             fi
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
    if
    :: writer[epoch[h]] != 0 && writer[epoch[h]] != MANY && home[h] != writer[epoch[h]] - 1 ->
         home[h] = writer[epoch[h]] - 1;
         since[h] = epoch[h] + 1;
         held[h] = 0;
         count[h]++; /* given before: nothing */
         k = 0;
         do
         :: k < HOSTS -> needed[OF(h, k)] = 0; given[OF(h, k)] = 0; k++
         :: else -> break
         od;
         k = 0
    :: else -> skip
    fi;
    if
    :: dirty[h] && home[h] != h -> send_diff(h, known[OF(h, h)])
    :: else -> skip
    fi;
    dirty[h] = false;
    do
    :: i < HOSTS -> upto[i] = told[OF(epoch[h], i)]; i++
    :: else -> break
    od;
    learn();
    take_push();
    late[h] = 0;
    epoch[h]++
}

/* What others wrote before the last barrier. */
inline check() {
    touch();
    k = 0;
    do
    :: k < WORDS && epoch[h] > 0 ->
         assert(page[AT(h, k)] >= before[AT(epoch[h] - 1, k)] && page[AT(h, k)] <= truth[k]);
         k++
    :: else -> break
    od;
    k = 0
}

proctype thread(byte h) {
    byte k, i, upto[HOSTS];
    do
    :: epoch[h] == EPOCHS -> break
    :: epoch[h] < EPOCHS ->
         if
         :: atomic { write(h) }
         :: skip
         fi;
         if
         :: acquire();
            atomic { touch(); assert(page[AT(h, LOCKED)] == truth[LOCKED]); write(LOCKED) };
            atomic { release() };
            if
            :: atomic { write(h) }
            :: skip
            fi
         :: skip
         fi;
         arrive();
         atomic { depart() };
         if
         :: atomic { check() }
         :: skip
         fi
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
           answer_count[from] = (home[h] == h -> count[h] : 0);
           given[OF(h, from)] = answer_count[from];
           answered[from] = 1;
           asked[from] = NONE
       }
    :: atomic {
           diffs[OF(from, h)] ? interval, at, own, locked ->
#ifndef NO_EPOCH
           at <= epoch[h];
#endif
           if
           :: (home[h] == h
#ifndef NO_SINCE
               && at >= since[h]
#endif
              ) ->
                page[AT(h, from)] = (own -> own : page[AT(h, from)]);
                page[AT(h, LOCKED)] = (locked -> locked : page[AT(h, LOCKED)]);
                count_changes(h, from, own, locked)
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
        count[0] = 1;
        do
        :: h < HOSTS ->
             asked[h] = NONE;
             /* All have had it once. */
             present[h] = h != 0; held[h] = h != 0; given[OF(0, h)] = h != 0;
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
