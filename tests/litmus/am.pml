/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who waits for whom in runtime/am/am.c: three processes, each of which sends a request to both
 * others and waits for the replies; inboxes hold one message each. A sender without room reads both
 * of its inboxes, a reply without room only the replies. Checked: everybody gets through (an invalid
 * end state otherwise). How an inbox works is inbox.pml's business: here it is a channel.
 */
#define PROCS 3

chan requests[PROCS] = [1] of { byte };
chan replies[PROCS] = [1] of { byte };
byte through = 0;

inline read_reply() {
    replies[me] ? _;
    got++
}

/* The handler of a request: replies, and meanwhile reads only replies. */
inline read_request() {
    requests[me] ? from;
    replied = false;
    do
    :: replied -> break
    :: else ->
         if
         :: atomic { nfull(replies[from]) -> replies[from] ! me; replied = true }
         :: nempty(replies[me]) -> read_reply()
         fi
    od
}

active [PROCS] proctype process() {
    byte me = _pid;
    byte to = 0;
    byte got = 0;
    byte from;
    bool replied;
    do
    :: to == PROCS -> break
    :: to == me -> to++
    :: to < PROCS && to != me ->
         if
         :: atomic { nfull(requests[to]) -> requests[to] ! me; to++ }
         :: nempty(replies[me]) -> read_reply()
         :: full(requests[to]) && nempty(requests[me]) -> read_request()
         fi
    od;
    do
    :: got == PROCS - 1 -> break
    :: nempty(replies[me]) -> read_reply()
    :: nempty(requests[me]) -> read_request()
    od;
    through++;
    do
    :: through == PROCS -> break
    :: nempty(requests[me]) -> read_request()
    od
}
