/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runtime/dsm/carry.c: a lock whose holders write to one word of a page, and diffs that go with the
 * lock. Host 0 is the page's home; two others have copies, which they may also fetch while they do
 * not have the lock. An interval is a section under the lock, and has its number. Notices go with
 * the lock, and with them diffs or not. Of a copy that is fetched again only what has changed since
 * is sent. Spin finds every interleaving. Checked: who has the lock finds what was written last;
 * nobody waits for ever (an invalid end state).
 *
 * Rules without which it must fail: NO_SKIP NO_AFTER LATE_DATE NO_VAGUE CARRY_END
 * NO_SKIP: a diff that a copy has is not put into it again. NO_AFTER: diffs wait at the home for those
 * that were put into the writer's copy.
 * LATE_DATE: which sections an answer has is found out before its content is; NO_VAGUE: and again
 * afterwards: if it is not the same, nobody knows. CARRY_END: when the home stops to notice its
 * writes, the notice ends all copies.
 */
#define HOSTS 3
#define SECTIONS 4
#define NONE 255

byte written;                 /* sections so far: the word's value */
byte who[SECTIONS + 1] = NONE;     /* had the section; HOSTS: the home, which did not notice it */
bool carried[SECTIONS + 1];
bool locked;

byte page[HOSTS], seen[HOSTS]; /* the word; the section up to which notices are known */
bool present[HOSTS], mixed[HOSTS];
byte needed[HOSTS * HOSTS], holds[HOSTS * HOSTS];
#define OF(h, k) ((h) * HOSTS + (k))

/* At the home. */
bool serving, waits[HOSTS];   /* a fetch; diffs of a host */
bool own;                     /* its writes are not noticed, and no copy is valid */
byte content, count = 1, changed = 1, arrived[HOSTS], held[HOSTS];
byte asked[HOSTS];            /* 1: yes, 2: answered */
bool vague[HOSTS];
byte answer[HOSTS], answer_count[HOSTS], answer_has[HOSTS * HOSTS];
chan diffs[HOSTS] = [2] of { byte, byte }; /* section, of the other host's what must come before */

inline touch() {
    if
    :: h == 0 || present[h] -> skip
    :: else ->
         asked[h] = 1;
         asked[h] == 2;
         page[h] = (answer[h] -> answer[h] : page[h]); /* 0: as it was */
         held[h] = answer_count[h];
         k = 0;
         do
         :: k < HOSTS -> holds[OF(h, k)] = answer_has[OF(h, k)]; answer_has[OF(h, k)] = 0; k++
         :: else -> break
         od;
         k = 0;
         present[h] = true;
         asked[h] = 0; answer[h] = 0; answer_count[h] = 0
    fi
}

#define has() (holds[OF(h, who[seen[h]])] >= seen[h])

inline learn() {
    do
    :: seen[h] < written ->
         seen[h]++;
         if
         :: who[seen[h]] == h || who[seen[h]] == HOSTS -> skip
         :: who[seen[h]] != h && who[seen[h]] != HOSTS && h == 0 -> arrived[who[seen[h]]] >= seen[h]
         :: who[seen[h]] != h && who[seen[h]] != HOSTS && h != 0 ->
              needed[OF(h, who[seen[h]])] = seen[h];
              if
              :: !present[h] -> skip
#ifndef NO_SKIP
              :: present[h] && !vague[h] && has() -> skip
              :: present[h] && !vague[h] && !has() && carried[seen[h]] ->
#else
              :: present[h] && !vague[h] && carried[seen[h]] ->
#endif
                   page[h] = seen[h];
                   mixed[h] = true
              :: present[h] && (vague[h] || !carried[seen[h]] && !has()) ->
                   present[h] = false
              fi
         fi
    :: else -> break
    od
}

inline end_at_home() {
    if
    :: !noticed -> who[written] = HOSTS
    :: noticed ->
         atomic { content = page[0]; count++; changed = count };
         if
         :: true -> carried[written] = true
         :: true -> skip
         :: true ->
#ifdef CARRY_END
              carried[written] = true;
#endif
              own = true
         fi;
         who[written] = 0
    fi
}

inline end_elsewhere() {
    atomic {
        diffs[h] ! written, (mixed[h] -> needed[OF(h, HOSTS - h)] : 0);
        who[written] = h;
        if
        :: carried[written] = true
        :: skip
        fi
    }
}

proctype thread(byte h) {
    byte k;
    bool noticed;
    do
    :: atomic { written == SECTIONS && !locked -> break }
    :: written < SECTIONS && h != 0 && !present[h] -> atomic { touch() }
    :: atomic { !locked && written < SECTIONS -> locked = true };
       atomic { learn() };
       atomic { touch() };
       assert(page[h] == written);
       atomic { noticed = !own; written++; page[h] = written; seen[h] = written };
       if
       :: h == 0 -> end_at_home()
       :: h != 0 -> end_elsewhere()
       fi;
       locked = false
    od
}

/* The last section that the home has noticed. */
inline find_own() {
    k = written;
    do
    :: k > 0 && who[k] != 0 -> k--
    :: else -> break
    od
}

inline take_date() {
    find_own();
    answer_has[OF(from, 0)] = k;
    answer_has[OF(from, 1)] = arrived[1];
    answer_has[OF(from, 2)] = arrived[2];
    k = 0
}

proctype fetches(byte from) {
    byte k;
end:
    do
    :: atomic {
           (asked[from] == 1 && !serving
           && empty(diffs[from]) && !waits[from] /* it asked after them */
           && (from == 1 || arrived[1] >= needed[OF(from, 1)])
           && (from == 2 || arrived[2] >= needed[OF(from, 2)])) ->
           serving = true;
#ifndef LATE_DATE
           take_date()
#endif
       };
       atomic {
           if
           :: own -> own = false; content = page[0]; count++; changed = count
           :: else -> skip
           fi;
           answer[from] = (changed > held[from] -> content : 0);
           answer_count[from] = count
       };
       atomic {
#ifdef LATE_DATE
           take_date();
#endif
#ifndef NO_VAGUE
           find_own();
           vague[from] = k != answer_has[OF(from, 0)];
           k = 0;
#endif
           serving = false;
           asked[from] = 2
       }
    od
}

proctype diffs_of(byte from) {
    byte section, before;
end:
    do
    :: atomic { diffs[from] ? section, before -> waits[from] = true };
       atomic {
           (!serving
#ifndef NO_AFTER
           && arrived[HOSTS - from] >= before
#endif
           ) ->
           page[0] = section; content = section;
           count++; changed = count;
           arrived[from] = section;
           section = 0; before = 0; waits[from] = false
       }
    od
}

init {
    atomic {
        run thread(0); run thread(1); run thread(2);
        run fetches(1); run diffs_of(1); run fetches(2); run diffs_of(2)
    }
}
