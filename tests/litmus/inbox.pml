/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The inbox of runtime/am/inbox.h and the bell of runtime/am/am.c: two senders, three messages each,
 * into a ring of two lines, and a reader that sleeps when it finds nothing. Checked: the reader sees
 * each sender's messages whole and in order, nobody writes a line that is being read, and nobody
 * waits for ever (an invalid end state).
 *
 * Each atomic block is one atomic instruction of the C code, or the kernel's futex call. The reader
 * gives back each line at once, as it does with the last quarter of a ring.
 */
#define LINES 2
#define EACH 3
#define NONE 99

byte position = 0;   /* tail: reserved so far ... */
bool marked = false; /* ... and the reader's mark, in one word */
byte head = 0;
byte turn[LINES];    /* position + 1 of the message that stands there */
byte content[LINES];
byte reading = NONE; /* line that the reader looks at */
byte bell = 0;
bool asleep = false;

proctype sender(byte me) {
    byte n = 0;
    byte seen, free_from;
    bool seen_mark, got, ring;
    do
    :: n == EACH -> break
    :: else ->
         got = false;
         atomic { seen = position; seen_mark = marked };
         do
         :: got -> break
         :: else ->
              free_from = head;
              if
              :: seen - free_from >= LINES -> /* FL_AGAIN: come again when something has changed */
                   head != free_from;
                   atomic { seen = position; seen_mark = marked }
              :: else ->
                   atomic { /* the exchange; one that fails shows the new word */
                       if
                       :: position == seen && marked == seen_mark ->
                            position = seen + 1;
                            marked = false;
                            ring = seen_mark;
                            got = true
                       :: else ->
                            seen = position;
                            seen_mark = marked
                       fi
                   }
              fi
         od;
         assert(reading != seen % LINES);
         content[seen % LINES] = me * EACH + n;
         assert(reading != seen % LINES);
         turn[seen % LINES] = seen + 1;
         if
         :: ring -> bell++; asleep = false
         :: else -> skip
         fi;
         n++
    od
}

proctype reader() {
    byte read = 0;
    byte next[2];
    byte heard, seen, what;
    bool seen_mark, may_sleep;
    do
    :: read == 2 * EACH -> break
    :: else ->
         if
         :: turn[read % LINES] == read + 1 ->
              reading = read % LINES;
              what = content[read % LINES];
              assert(what % EACH == next[what / EACH]);
              next[what / EACH]++;
              reading = NONE;
              read++;
              head = read
         :: else ->
              heard = bell;
              may_sleep = false;
              atomic { seen = position; seen_mark = marked };
              do
              :: seen != read || may_sleep -> break
              :: else ->
                   atomic {
                       if
                       :: position == seen && marked == seen_mark -> marked = true; may_sleep = true
                       :: else ->
                            seen = position;
                            seen_mark = marked
                       fi
                   }
              od;
              if
              :: may_sleep ->
                   atomic { /* futex_wait */
                       if
                       :: bell == heard -> asleep = true
                       :: else -> skip
                       fi
                   };
                   !asleep
              :: else -> skip
              fi
         fi
    od
}

init {
    atomic {
        run sender(0);
        run sender(1);
        run reader()
    }
}
