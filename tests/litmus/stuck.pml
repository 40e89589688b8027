/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How two hosts find out that no thread can go on (runtime/upc/stuck.h): threads 0 and 1 are processes
 * of host 0, thread 2 is one of host 1; 0 and 2 are the first of their hosts. A thread that runs lets
 * others go on, up to WAKES times in all: on its host by their word, elsewhere by a message, which a
 * handler in any process of the host turns into that. Then it waits, and looks at its word from time
 * to time. Spin finds every interleaving. Checked: whoever reports is right, so nobody runs, no word
 * has changed, and no message is on its way.
 *
 * A look at the word is a step, and what a thread then notes in its entry another. Sending, and what
 * a handler does, are one step each: so they are for who reads the counters, by comm's mutex.
 * Questions and answers are words here, which are read at any later time. Looks are counted up to what
 * is enough. What the first thread of a host sees of the entries is one step.
 *
 * Rules without which it must fail: NO_COUNTS ONE_QUESTION ONE_LOOK
 */
#define THREADS 3
#define WAKES 2
#define QUESTIONS 3
#define HOST(t) (t / 2)

bool word[THREADS];      /* the thread may go on */
bool waits[THREADS];
byte wait[THREADS];      /* the number of its wait, from 1 on */
chan to[2] = [WAKES] of { byte };
byte wakes;

byte sent[THREADS], received[THREADS];             /* by each process */
byte noted_sent[THREADS], noted_received[THREADS]; /* entries */
byte since[THREADS], seen[THREADS], looks[THREADS];

bool reported;
byte asked, begun[2], answered[2], come;
byte now_waits[2], now_sent[2], now_received[2];
byte before_waits[2], before_sent[2], before_received[2];

#ifdef ONE_LOOK
#define ENOUGH 1
#else
#define ENOUGH 2
#endif

#define FIRST(h) (h * 2)
#define END(h) (h -> 3 : 2)

#ifdef NO_COUNTS
#define QUIET true
#else
#define QUIET (now_sent[0] + now_sent[1] == now_received[0] + now_received[1] && \
               now_sent[0] == before_sent[0] && now_sent[1] == before_sent[1] && \
               now_received[0] == before_received[0] && now_received[1] == before_received[1])
#endif

#ifdef ONE_QUESTION
#define SAME (now_sent[0] + now_sent[1] == now_received[0] + now_received[1])
#else
#define SAME (QUIET && now_waits[0] == before_waits[0] && now_waits[1] == before_waits[1])
#endif

/* Of host h; stuck: all of it have looked often enough in the waits in which they were seen. */
inline look_at_all(h) {
    d_step {
        same = true;
        stuck = true;
        i = FIRST(h);
        do
        :: i < END(h) ->
             same = same && since[i] != 0 && since[i] == seen[i];
             stuck = stuck && looks[i] >= ENOUGH;
             seen[i] = since[i];
             i++
        :: else -> break
        od;
        stuck = stuck && same
    };
    d_step {
        i = FIRST(h);
        do
        :: i < END(h) && !same -> looks[i] = 0; i++
        :: else -> break
        od;
        i = 0;
        same = false
    }
}

inline judge() {
    d_step {
        if
        :: SAME ->
             assert(waits[0] && waits[1] && waits[2]);
             assert(!word[0] && !word[1] && !word[2]);
             assert(empty(to[0]) && empty(to[1]));
             reported = true
        :: else -> skip
        fi;
        before_waits[0] = now_waits[0]; before_waits[1] = now_waits[1];
        before_sent[0] = now_sent[0]; before_sent[1] = now_sent[1];
        before_received[0] = now_received[0]; before_received[1] = now_received[1];
        come = 0;
        asked++
    }
}

/* Thread t is the first of host h. */
inline questions(t, h) {
    if
    :: t == 0 && asked == 0 -> asked = 1
    :: t == 0 && asked > 0 && asked < QUESTIONS && come == 2 -> judge()
    :: else ->
         if
         :: asked != begun[h] ->
              atomic { begun[h] = asked; seen[t] = 0 };
              look_at_all(h)
         :: asked == begun[h] && asked != answered[h] ->
              look_at_all(h);
              d_step {
                  if
                  :: stuck ->
                       answered[h] = asked;
                       now_waits[h] = seen[t] + (h -> 0 : seen[1]);
                       now_sent[h] = noted_sent[t] + (h -> 0 : noted_sent[1]);
                       now_received[h] = noted_received[t] + (h -> 0 : noted_received[1]);
                       come++
                  :: else -> skip
                  fi;
                  stuck = false
              }
         :: else -> skip
         fi
    fi;
    stuck = false
}

proctype thread(byte t) {
    bool same, stuck;
    byte i;
running:
    if
    :: atomic { wakes < WAKES -> wakes++ };
       if
       :: t != 0 && HOST(t) == 0 -> word[0] = true
       :: t != 1 && HOST(t) == 0 -> word[1] = true
       :: atomic { sent[t]++; to[1 - HOST(t)] ! 0 }
       :: HOST(t) == 1 -> atomic { sent[t]++; to[0] ! 1 }
       fi;
       goto running
    :: atomic { waits[t] = true; wait[t]++ }
    fi;
end_waiting:
    if
    :: atomic { word[t] -> word[t] = false; waits[t] = false };
       goto running
    :: !word[t] && !reported -> /* a look */
         d_step {
             since[t] = wait[t];
             noted_sent[t] = sent[t];
             noted_received[t] = received[t];
             looks[t] = (looks[t] < ENOUGH -> looks[t] + 1 : ENOUGH)
         };
         if
         :: t != 1 -> atomic { questions(t, HOST(t)) }
         :: else -> skip
         fi;
         goto end_waiting
    fi
}

/* Messages come in process p, which is of host h. */
proctype handler(byte p; byte h) {
    byte whom;
end:
    do
    :: atomic { to[h] ? whom -> received[p]++; word[whom + FIRST(h)] = true; whom = 0 }
    od
}

init {
    atomic {
        run thread(0);
        run thread(1);
        run thread(2);
        run handler(0, 0);
        run handler(2, 1)
    }
}
