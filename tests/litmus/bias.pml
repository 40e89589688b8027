/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The biased lines of runtime/check/bias.h: three threads record accesses to two lines, in batches where
 * a line is biased to them. Checked: one thread at a time has a line's shadow, and nobody waits for
 * ever (an invalid end state).
 * Rules without which it must fail: NO_BATCH NO_AWAIT NO_END NO_LOOK
 *
 * Each atomic block is one atomic instruction of the C code. A batch begins by an exchange, and the bias
 * changes by compare-and-exchange, all sequentially consistent there. Polling loops are conditions here.
 */
#define THREADS 3
#define LINES 2
#define ROUNDS 1

#define NOBODY 0 /* else the owner and 1, or one of these */
#define LOCKED 10
#define SHARED 11

byte bias[LINES];
byte number[THREADS];  /* odd: in a batch */
byte inside[LINES];    /* threads that have the line */

inline batch_begin() {
#ifdef NO_BATCH
    skip
#else
    if
    :: number[_pid] % 2 == 0 -> number[_pid]++
    :: else -> skip
    fi
#endif
}

inline batch_end() {
    if
    :: number[_pid] % 2 == 1 -> number[_pid]++
    :: else -> skip
    fi
}

inline await_batch_of(owner) {
#ifdef NO_AWAIT
    skip
#else
    began = number[owner];
    if
    :: began % 2 == 1 -> number[owner] != began
    :: else -> skip
    fi
#endif
}

/* check_line_take */
inline take(line) {
    do
    :: if
       :: bias[line] == NOBODY ->
            batch_begin();
            atomic {
                if
                :: bias[line] == NOBODY -> bias[line] = _pid + 1; biased = true
                :: else -> skip
                fi
            }
       :: else -> skip
       fi;
       if
       :: biased -> break
       :: else -> skip
       fi;
#ifndef NO_END
       batch_end();
#endif
       now = bias[line];
       taken = false;
       if
       :: now == NOBODY -> skip
       :: now == LOCKED -> bias[line] != LOCKED
       :: else ->
            atomic {
                if
                :: bias[line] == now -> bias[line] = LOCKED; taken = true
                :: else -> skip
                fi
            }
       fi;
       if
       :: taken && now != SHARED -> await_batch_of(now - 1); break
       :: taken && now == SHARED -> break
       :: else -> skip
       fi
    od
}

/* check_line_enter */
inline enter(line) {
    biased = false;
    if
    :: bias[line] == SHARED -> take(line)
    :: else ->
         batch_begin();
#ifdef NO_LOOK
         biased = true; /* as it was when the line was entered before */
#else
         if
         :: bias[line] == _pid + 1 -> biased = true
         :: else -> take(line)
         fi
#endif
    fi
}

inline leave(line) {
    if
    :: biased -> skip /* until the batch ends */
    :: else -> bias[line] = SHARED
    fi
}

inline record(line) {
    enter(line);
    inside[line]++;
    assert(inside[line] == 1);
    inside[line]--;
    leave(line)
}

active [THREADS] proctype thread() {
    byte i, began, now;
    bool biased, taken;
    for (i : 1 .. ROUNDS) {
        record((_pid + i) % LINES);
        record((_pid + i + 1) % LINES);
        batch_end()
    }
}
