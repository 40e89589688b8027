/* SPDX-License-Identifier: BSD-3-Clause */
/* Active messages of gasnetex.h and gasnet.h between all ranks: every family with 0 to 16 arguments,
 * with and without a number in its name, negotiated payload, tokens, limits. Replies take all forms
 * in turn. C and C++. Prints "ok" and the number of ranks. */
#include <gasnetex.h>

#include <gasnet.h>
#include <gasnet_tools.h>

#include "gasnet_check.h"

#define ALL16(DO)                                                                                  \
    DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13)        \
    DO(14) DO(15) DO(16)
/* Values of M arguments, with a comma before; parameters; and whether they are right. */
#define V0
#define V1 , 1
#define V2 V1, -2
#define V3 V2, 3
#define V4 V3, -4
#define V5 V4, 5
#define V6 V5, -6
#define V7 V6, 7
#define V8 V7, -8
#define V9 V8, 9
#define V10 V9, -10
#define V11 V10, 11
#define V12 V11, -12
#define V13 V12, 13
#define V14 V13, -14
#define V15 V14, 15
#define V16 V15, -16
#define G0 1
#define G1 a0 == 1
#define G2 G1 && a1 == -2
#define G3 G2 && a2 == 3
#define G4 G3 && a3 == -4
#define G5 G4 && a4 == 5
#define G6 G5 && a5 == -6
#define G7 G6 && a6 == 7
#define G8 G7 && a7 == -8
#define G9 G8 && a8 == 9
#define G10 G9 && a9 == -10
#define G11 G10 && a10 == 11
#define G12 G11 && a11 == -12
#define G13 G12 && a12 == 13
#define G14 G13 && a13 == -14
#define G15 G14 && a14 == 15
#define G16 G15 && a15 == -16

enum { BYTES = 300, SLOT = 512 };

/* Numbers of handlers: the request of a category with M arguments, and its reply. */
enum { SHORT = 128, MEDIUM = SHORT + 17, LONG = MEDIUM + 17, REPLIES = LONG + 17 };
enum { SHORT_BACK = REPLIES, MEDIUM_BACK = SHORT_BACK + 17, LONG_BACK = MEDIUM_BACK + 17 };

static gasnett_atomic_t replies = gasnett_atomic_init(0);

static void got_reply(void) {
    gasnett_atomic_increment(&replies, 0);
}

/* Bytes of a long message from one rank to another. */
static char *slot(gex_Rank_t owner, gex_Rank_t other) {
    return (char *)segment_of(owner) + other * SLOT;
}

static gex_Rank_t check_token(gex_Token_t token, int is_req, int is_long, unsigned n) {
    gex_Token_Info_t info;
    gex_TI_t known = gex_Token_Info(token, &info, GEX_TI_ALL);
    CHECK((known & GEX_TI_SRCRANK) && (known & GEX_TI_EP) && info.gex_srcrank < size);
    CHECK(info.gex_ep == ep);
    CHECK(!(known & GEX_TI_IS_REQ) || !info.gex_is_req == !is_req);
    CHECK(!(known & GEX_TI_IS_LONG) || !info.gex_is_long == !is_long);
    CHECK(!(known & GEX_TI_ENTRY) || info.gex_entry->gex_nargs == n);
    CHECK(!(known & GEX_TI_ENTRY) || info.gex_entry->gex_cdata == &size);
    return info.gex_srcrank;
}

#define HANDLERS(M)                                                                                \
    static void short_back_##M(gex_Token_t token FL_GASNET_PARAMETERS_##M) {                       \
        check_token(token, 0, 0, M);                                                               \
        CHECK(G##M);                                                                               \
        got_reply();                                                                               \
    }                                                                                              \
    static void short_##M(gex_Token_t token FL_GASNET_PARAMETERS_##M) {                            \
        check_token(token, 1, 0, M);                                                               \
        CHECK(G##M);                                                                               \
        if (M % 2 == 0) {                                                                          \
            CHECK(gex_AM_ReplyShort##M(token, SHORT_BACK + M, 0 V##M) == GASNET_OK);               \
        } else if (M % 4 == 1) {                                                                   \
            CHECK(gasnet_AMReplyShort##M(token, SHORT_BACK + M V##M) == GASNET_OK);                \
        } else {                                                                                   \
            CHECK(gasnet_AMReplyShort(token, SHORT_BACK + M, M V##M) == GASNET_OK);                \
        }                                                                                          \
    }                                                                                              \
    static void medium_back_##M(gex_Token_t token, void *p, size_t n FL_GASNET_PARAMETERS_##M) {   \
        check_token(token, 0, 0, M);                                                               \
        CHECK(G##M && n == BYTES + M && filled(p, n, M));                                          \
        got_reply();                                                                               \
    }                                                                                              \
    static void medium_##M(gex_Token_t token, void *p, size_t n FL_GASNET_PARAMETERS_##M) {        \
        check_token(token, 1, 0, M);                                                               \
        CHECK(G##M && n == BYTES + M && filled(p, n, M));                                          \
        if (M % 3 == 0) {                                                                          \
            gex_AM_SrcDesc_t d =                                                                   \
                gex_AM_PrepareReplyMedium(token, NULL, n, n + 100, NULL, 0, M);                    \
            CHECK(gex_AM_SrcDescSize(d) >= n);                                                     \
            memcpy(gex_AM_SrcDescAddr(d), p, n);                                                   \
            gex_AM_CommitReplyMedium##M(d, MEDIUM_BACK + M, n V##M);                               \
        } else if (M % 6 == 1) {                                                                   \
            CHECK(gasnet_AMReplyMedium##M(token, MEDIUM_BACK + M, p, n V##M) == GASNET_OK);        \
        } else if (M % 6 == 2) {                                                                   \
            CHECK(gasnet_AMReplyMedium(token, MEDIUM_BACK + M, p, n, M V##M) == GASNET_OK);        \
        } else {                                                                                   \
            gex_AM_ReplyMedium##M(token, MEDIUM_BACK + M, p, n, GEX_EVENT_NOW, 0 V##M);            \
        }                                                                                          \
        memset(p, 0x55, n); /* the payload is the handler's */                                     \
    }                                                                                              \
    static void long_back_##M(gex_Token_t token, void *p, size_t n FL_GASNET_PARAMETERS_##M) {     \
        gex_Rank_t from = check_token(token, 0, 1, M);                                             \
        CHECK(G##M && n == BYTES + M && p == slot(me, size + from) && filled(p, n, M));            \
        got_reply();                                                                               \
    }                                                                                              \
    static void long_##M(gex_Token_t token, void *p, size_t n FL_GASNET_PARAMETERS_##M) {          \
        gex_Rank_t from = check_token(token, 1, 1, M);                                             \
        CHECK(G##M && n == BYTES + M && p == slot(me, from) && filled(p, n, M));                   \
        void *to = slot(from, size + me);                                                          \
        if (M % 3 == 1) {                                                                          \
            gex_AM_SrcDesc_t d =                                                                   \
                gex_AM_PrepareReplyLong(token, NULL, n, n, M % 2 ? to : NULL, NULL, 0, M);         \
            memcpy(gex_AM_SrcDescAddr(d), p, n);                                                   \
            gex_AM_CommitReplyLong##M(d, LONG_BACK + M, n, to V##M);                               \
        } else if (M % 6 == 0) {                                                                   \
            CHECK(gasnet_AMReplyLong##M(token, LONG_BACK + M, p, n, to V##M) == GASNET_OK);        \
        } else if (M % 6 == 2) {                                                                   \
            CHECK(gasnet_AMReplyLong(token, LONG_BACK + M, p, n, to, M V##M) == GASNET_OK);        \
        } else {                                                                                   \
            gex_AM_ReplyLong##M(token, LONG_BACK + M, p, n, to, GEX_EVENT_NOW, 0 V##M);            \
        }                                                                                          \
    }
ALL16(HANDLERS)

/* Long messages of no bytes: their address is any number, and arrives as it was given. The arguments
 * are its halves. */
enum { EMPTY = LONG_BACK + 17, EMPTY_BACK };
static void empty(gex_Token_t token, void *p, size_t n, gex_AM_Arg_t low, gex_AM_Arg_t high) {
    gex_Token_Info_t info;
    gex_Token_Info(token, &info, GEX_TI_ALL);
    CHECK(n == 0 && (uintptr_t)p == ((uintptr_t)(uint32_t)high << 32 | (uint32_t)low));
    CHECK(info.gex_is_long);
    if (info.gex_is_req) {
        gex_AM_ReplyLong2(token, EMPTY_BACK, NULL, 0, p, GEX_EVENT_NOW, 0, low, high);
    } else {
        got_reply();
    }
}

#define ENTRY(index, function, category, way, M)                                                   \
    {(gex_AM_Index_t)(index), (gex_AM_Fn_t)function, GEX_FLAG_AM_##category | GEX_FLAG_AM_##way,   \
     M, &size, #function},
#define ENTRIES(M)                                                                                 \
    ENTRY(SHORT + M, short_##M, SHORT, REQUEST, M)                                                 \
    ENTRY(SHORT_BACK + M, short_back_##M, SHORT, REPLY, M)                                         \
    ENTRY(MEDIUM + M, medium_##M, MEDIUM, REQUEST, M)                                              \
    ENTRY(MEDIUM_BACK + M, medium_back_##M, MEDLONG, REQREP, M)                                    \
    ENTRY(LONG + M, long_##M, LONG, REQUEST, M)                                                    \
    ENTRY(LONG_BACK + M, long_back_##M, LONG, REPLY, M)
static gex_AM_Entry_t entries[] = {
    ALL16(ENTRIES)
    ENTRY(EMPTY, empty, LONG, REQUEST, 2)
    ENTRY(EMPTY_BACK, empty, LONG, REPLY, 2)
};

static void wait_for(unsigned *sent, unsigned more) {
    *sent += more;
    GASNET_BLOCKUNTIL(gasnett_atomic_read(&replies, 0) == *sent);
}

static unsigned sent;
static char payload[BYTES + 16];

/* Every way in which a request of M arguments can be sent. */
#define SEND(M)                                                                                    \
    static void send_##M(gex_TM_t tm, gex_Rank_t to) {                                             \
        size_t n = BYTES + M;                                                                      \
        gex_Event_t local = GEX_EVENT_INVALID;                                                     \
        fill(payload, n, M);                                                                       \
        CHECK(gex_AM_RequestShort##M(tm, to, SHORT + M, 0 V##M) == 0);                             \
        CHECK(gex_AM_RequestShort(tm, to, SHORT + M, 0 V##M) == 0);                                \
        while (gex_AM_RequestShort##M(tm, to, SHORT + M, GEX_FLAG_IMMEDIATE V##M)) {               \
            gasnet_AMPoll();                                                                       \
        }                                                                                          \
        CHECK(gex_AM_RequestMedium##M(tm, to, MEDIUM + M, payload, n, GEX_EVENT_NOW, 0 V##M) == 0); \
        CHECK(gex_AM_RequestMedium(tm, to, MEDIUM + M, payload, n, GEX_EVENT_GROUP, 0 V##M) == 0); \
        CHECK(gex_AM_RequestMedium(tm, to, MEDIUM + M, payload, n, &local, 0 V##M) == 0);          \
        gex_Event_Wait(local);                                                                     \
        gex_NBI_Wait(GEX_EC_AM, 0);                                                                \
        wait_for(&sent, 6);                                                                        \
        gex_AM_SrcDesc_t d =                                                                       \
            gex_AM_PrepareRequestMedium(tm, to, NULL, n, 4 * n, NULL, 0, M);                       \
        CHECK(gex_AM_SrcDescSize(d) >= n && gex_AM_SrcDescSize(d) <= 4 * n);                       \
        fill(gex_AM_SrcDescAddr(d), n, M);                                                         \
        gex_AM_CommitRequestMedium##M(d, MEDIUM + M, n V##M);                                      \
        d = gex_AM_PrepareRequestMedium(tm, to, payload, 0, n, &local, 0, M);                      \
        CHECK(gex_AM_SrcDescAddr(d) == payload && gex_AM_SrcDescSize(d) == n);                     \
        gex_AM_CommitRequestMedium(d, MEDIUM + M, n V##M);                                         \
        gex_Event_Wait(local);                                                                     \
        do {                                                                                       \
            gasnet_AMPoll();                                                                       \
            d = gex_AM_PrepareRequestMedium(tm, to, NULL, n, n, NULL, GEX_FLAG_IMMEDIATE, M);      \
        } while (d == GEX_AM_SRCDESC_NO_OP);                                                       \
        CHECK(gex_AM_CancelRequestMedium(d, 0) == 0);                                              \
        d = gex_AM_PrepareRequestMedium(tm, to, NULL, n, n, NULL, 0, M);                           \
        fill(gex_AM_SrcDescAddr(d), n, M);                                                         \
        CHECK(gex_AM_CommitRequestMedium##M##_v2(d, MEDIUM + M, n, 0 V##M) == 0);                  \
        d = gex_AM_PrepareRequestMedium(tm, to, NULL, n, n, NULL, 0, M);                           \
        fill(gex_AM_SrcDescAddr(d), n, M);                                                         \
        CHECK(gex_AM_CommitRequestMedium_v2(d, MEDIUM + M, n, 0 V##M) == 0);                       \
        wait_for(&sent, 4);                                                                        \
        void *there = slot(job_rank(tm, to), me);                                                  \
        CHECK(gex_AM_RequestLong##M(tm, to, LONG + M, payload, n, there, GEX_EVENT_NOW,            \
                                    0 V##M) == 0);                                                 \
        wait_for(&sent, 1);                                                                        \
        CHECK(gex_AM_RequestLong(tm, to, LONG + M, payload, n, there, &local, 0 V##M) == 0);       \
        gex_Event_Wait(local);                                                                     \
        wait_for(&sent, 1);                                                                        \
        CHECK(gex_AM_RequestLong##M(tm, to, LONG + M, payload, n, there, GEX_EVENT_GROUP,          \
                                    0 V##M) == 0);                                                 \
        gex_NBI_Wait(GEX_EC_AM, 0);                                                                \
        wait_for(&sent, 1);                                                                        \
        d = gex_AM_PrepareRequestLong(tm, to, NULL, n, n, M % 2 ? there : NULL, NULL, 0, M);       \
        fill(gex_AM_SrcDescAddr(d), n, M);                                                         \
        gex_AM_CommitRequestLong(d, LONG + M, n, there V##M);                                      \
        wait_for(&sent, 1);                                                                        \
        d = gex_AM_PrepareRequestLong(tm, to, payload, 1, n, there, GEX_EVENT_NOW, 0, M);          \
        CHECK(gex_AM_CommitRequestLong##M##_v2(d, LONG + M, n, there, 0 V##M) == 0);               \
        wait_for(&sent, 1);                                                                        \
        d = gex_AM_PrepareRequestLong(tm, to, NULL, 1, n, there, NULL, 0, M);                      \
        CHECK(gex_AM_CancelRequestLong(d, 0) == 0);                                                \
        if (tm == all) {                                                                           \
            gasnet_AMRequestShort##M(to, SHORT + M V##M);                                          \
            gasnet_AMRequestMedium##M(to, MEDIUM + M, payload, n V##M);                            \
            gasnet_AMRequestLong##M(to, LONG + M, payload, n, there V##M);                         \
            wait_for(&sent, 3);                                                                    \
            gasnet_AMRequestLongAsync##M(to, LONG + M, payload, n, there V##M);                    \
            wait_for(&sent, 1);                                                                    \
            CHECK(gasnet_AMRequestShort(to, SHORT + M, M V##M) == GASNET_OK);                      \
            CHECK(gasnet_AMRequestMedium(to, MEDIUM + M, payload, n, M V##M) == GASNET_OK);        \
            CHECK(gasnet_AMRequestLong(to, LONG + M, payload, n, there, M V##M) == GASNET_OK);     \
            wait_for(&sent, 3);                                                                    \
            CHECK(gasnet_AMRequestLongAsync(to, LONG + M, payload, n, there, M V##M) == GASNET_OK); \
            wait_for(&sent, 1);                                                                    \
        }                                                                                          \
    }
ALL16(SEND)

static void send_empty(gex_Rank_t to) {
    const uintptr_t there[] = {0, 1, (uintptr_t)&sent, (uintptr_t)segment_of(me), UINTPTR_MAX};
    for (unsigned i = 0; i < sizeof there / sizeof *there; i++) {
        gex_AM_Arg_t low = (gex_AM_Arg_t)there[i], high = (gex_AM_Arg_t)(there[i] >> 32);
        void *p = (void *)there[i];
        gex_AM_RequestLong2(all, to, EMPTY, NULL, 0, p, GEX_EVENT_NOW, 0, low, high);
        while (gex_AM_RequestLong2(all, to, EMPTY, payload, 0, p, GEX_EVENT_NOW,
                                   GEX_FLAG_IMMEDIATE, low, high)) {
            gasnet_AMPoll();
        }
        gex_AM_SrcDesc_t d = gex_AM_PrepareRequestLong(all, to, NULL, 0, 8, NULL, NULL, 0, 2);
        gex_AM_CommitRequestLong2(d, EMPTY, 0, p, low, high);
        wait_for(&sent, 3);
    }
}

static void limits(gex_TM_t tm) {
    gex_Event_t event;
    CHECK(gex_AM_MaxArgs() >= 16 && gasnet_AMMaxArgs() >= 16);
    CHECK(gex_AM_MaxRequestMedium(tm, 0, NULL, 0, 16) >= gex_AM_LUBRequestMedium());
    CHECK(gex_AM_MaxReplyMedium(tm, 0, GEX_EVENT_NOW, 0, 16) >= gex_AM_LUBReplyMedium());
    CHECK(gex_AM_MaxRequestLong(tm, GEX_RANK_INVALID, &event, 0, 16) >= gex_AM_LUBRequestLong());
    CHECK(gex_AM_MaxReplyLong(tm, 0, &event, 0, 0) >= gex_AM_LUBReplyLong());
    CHECK(gex_AM_LUBRequestMedium() >= 4096 && gex_AM_LUBReplyMedium() >= 4096);
    CHECK(gex_AM_LUBRequestLong() >= 4096 && gasnet_AMMaxMedium() >= 4096);
    CHECK(gasnet_AMMaxLongRequest() >= 4096 && gasnet_AMMaxLongReply() >= 4096);
}

/* Numbers that the library chooses: the highest that are free. */
static void nobody(gex_Token_t token) {
    (void)token;
}
static void choice(void) {
    gex_AM_Entry_t table[] = {
        {0, (gex_AM_Fn_t)nobody, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
        {254, (gex_AM_Fn_t)nobody, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
        {0, (gex_AM_Fn_t)nobody, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, NULL}};
    CHECK(gex_EP_RegisterHandlers(ep, table, 3) == GASNET_OK);
    CHECK(table[0].gex_index == 255 && table[2].gex_index == 253);
    gex_System_SetVerboseErrors(0);
    CHECK(gex_EP_RegisterHandlers(ep, table, 1) == GASNET_ERR_BAD_ARG); /* 255 is taken */
    table[0].gex_index = 5;
    CHECK(gex_EP_RegisterHandlers(ep, table, 1) == GASNET_ERR_BAD_ARG);
    gex_System_SetVerboseErrors(1);
}

int main(int argc, char **argv) {
    start(&argc, &argv, entries, sizeof entries / sizeof *entries);
    choice();
    limits(all);
    limits(gex_TM_Pair(ep, 0));
#define SEND_ALL(M)                                                                                \
    send_##M(all, to);                                                                             \
    send_##M(gex_TM_Pair(ep, 0), to);
    for (gex_Rank_t to = 0; to < size; to++) {
        ALL16(SEND_ALL)
        send_empty(to);
    }
    gex_TM_t odd;
    gex_TM_Split(&odd, all, (int)(me % 2), -(int)me, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
    for (gex_Rank_t to = 0; to < gex_TM_QuerySize(odd); to++) {
        send_5(odd, to);
        send_16(odd, to);
    }
    gex_Coll_BarrierBlocking(all, 0);
    finish();
    return 0;
}
