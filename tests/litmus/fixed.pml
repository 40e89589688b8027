/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A page whose home never moves, and may write to it at any time without a fault: its first reader's
 * fetch makes the twin (share in runtime/dsm/fetch.c) while a thread of the home writes, gives a lock
 * back that stays, and another ends the interval (fl_interval_end). Checked: who has fetched the page,
 * and then gets the lock, has what was written, or a notice of it.
 *
 * Memory is sequentially consistent: the pairs [E1] and [E2] of interval.c see to that.
 *
 * Rules without which it must fail: NO_LIST_FIRST NO_END_AFTER
 */
#define ENDS 2

bool unit = 0, twin = 0, copy = 0;
bool listed = false, noticed = false;
bool chunk = false; /* is taken */
bool answered = false, released = false;
byte begun = 0, over = 0, since;

#define TAKE atomic { !chunk -> chunk = true }
#define GIVE chunk = false

active proctype home_handler() {
    TAKE;
#ifdef NO_LIST_FIRST
    twin = unit;
    listed = true;
#else
    listed = true;
    twin = unit;
#endif
    copy = twin;
    GIVE;
    answered = true
}

active proctype home_writer() {
#ifdef NO_END_AFTER
    since = begun;
    unit = 1;
#else
    unit = 1;
    since = begun;
#endif
    released = true
}

active proctype home_ender() {
    bool taken;
    do
    :: begun < ENDS ->
        begun++;
        atomic { taken = listed; listed = false };
        if
        :: taken ->
            TAKE;
            if
            :: twin != unit -> twin = unit; noticed = true
            :: else
            fi;
            listed = true; /* it cannot be protected */
            GIVE
        :: else
        fi;
        over = begun
    :: else -> break
    od
}

active proctype reader() {
end: answered && released && over > since;
    assert(noticed || copy == 1)
}
