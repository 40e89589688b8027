/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GASNet-EX, active messages: a hash table over all ranks, which counts words. The hash of a word
 * says which rank has it; a message takes the word there, and a handler does the rest. Nobody else
 * touches a rank's part of the table, so no lock ever crosses the network.
 *
 *     cc gex_hashtable.c -o gex_hashtable $(pkg-config --cflags --libs gasnet-ucx-par)
 *     upcrun -n 4 ./gex_hashtable
 */
#include <gasnetex.h>

#include <stdatomic.h>
#include <stdio.h>

enum { ADD = GEX_AM_INDEX_BASE, ADDED, FIND, FOUND }; /* the handlers' numbers */
enum { WORDS = 1000, DRAWS = 5000, SLOTS = 2048, LONGEST = 16 };

static gex_TM_t all;
static gex_Rank_t me, size;

/* ---- this rank's part ---- */

static struct slot {
    char word[LONGEST]; /* empty: the slot is free */
    int count;
} table[SLOTS];
static gex_HSL_t lock = GEX_HSL_INITIALIZER; /* handlers run in any thread that polls */

static uint32_t hash(const char *word) {
    uint32_t h = 2166136261u;
    for (; *word; word++) {
        h = (h ^ (unsigned char)*word) * 16777619u;
    }
    return h ^ h >> 16;
}

/* The word's slot, or the free one that it would get. */
static struct slot *slot_of(const char *word) {
    uint32_t i = hash(word) / size % SLOTS;
    while (table[i].word[0] && strcmp(table[i].word, word) != 0) {
        i = (i + 1) % SLOTS;
    }
    return &table[i];
}

/* ---- handlers: a request's runs where the word is, and may send one reply ---- */

static atomic_int added, answer;

static void on_add(gex_Token_t token, void *word, size_t bytes, gex_AM_Arg_t n) {
    gex_HSL_Lock(&lock);
    struct slot *slot = slot_of(word);
    memcpy(slot->word, word, bytes);
    slot->count += n;
    gex_HSL_Unlock(&lock);
    gex_AM_ReplyShort0(token, ADDED, 0);
}

static void on_added(gex_Token_t token) {
    (void)token;
    added++;
}

static void on_find(gex_Token_t token, void *word, size_t bytes) {
    (void)bytes;
    gex_HSL_Lock(&lock);
    int count = slot_of(word)->count;
    gex_HSL_Unlock(&lock);
    gex_AM_ReplyShort1(token, FOUND, 0, count);
}

static void on_found(gex_Token_t token, gex_AM_Arg_t count) {
    (void)token;
    answer = count;
}

/* ---- the table as its users see it ---- */

/* Returns before the word is there: `added` grows when it is. */
static void add(const char *word, int n) {
    gex_AM_RequestMedium1(all, hash(word) % size, ADD, word, strlen(word) + 1, GEX_EVENT_NOW, 0, n);
}

static int find(const char *word) {
    answer = -1;
    gex_AM_RequestMedium0(all, hash(word) % size, FIND, word, strlen(word) + 1, GEX_EVENT_NOW, 0);
    GASNET_BLOCKUNTIL(answer >= 0);
    return answer;
}

/* ---- the words: a rank's i-th is the same whoever asks ---- */

static unsigned draw(gex_Rank_t rank, unsigned i) {
    return ((rank * DRAWS + i) * 2654435761u >> 8) % WORDS;
}

int main(int argc, char **argv) {
    gex_Client_t client;
    gex_EP_t ep;
    gex_Segment_t segment;
    gex_AM_Entry_t handlers[] = {
        {ADD, (gex_AM_Fn_t)on_add, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 1, NULL, "add"},
        {ADDED, (gex_AM_Fn_t)on_added, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 0, NULL, "added"},
        {FIND, (gex_AM_Fn_t)on_find, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 0, NULL, "find"},
        {FOUND, (gex_AM_Fn_t)on_found, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 1, NULL, "found"}};
    gex_Client_Init(&client, &ep, &all, "HASHTABLE", &argc, &argv, 0);
    gex_Segment_Attach(&segment, all, GASNET_PAGESIZE);
    gex_EP_RegisterHandlers(ep, handlers, 4);
    me = gex_TM_QueryRank(all);
    size = gex_TM_QuerySize(all);
    gex_Event_Wait(gex_Coll_BarrierNB(all, 0)); /* all have registered their handlers */

    char word[LONGEST];
    for (unsigned i = 0; i < DRAWS; i++) {
        snprintf(word, sizeof word, "word%u", draw(me, i));
        add(word, 1);
    }
    GASNET_BLOCKUNTIL(added == DRAWS);
    gex_Event_Wait(gex_Coll_BarrierNB(all, 0)); /* the words of all ranks are there */

    static int expected[WORDS];
    for (gex_Rank_t rank = 0; rank < size; rank++) {
        for (unsigned i = 0; i < DRAWS; i++) {
            expected[draw(rank, i)]++;
        }
    }
    for (unsigned w = me; w < WORDS; w += size) { /* each rank looks some up */
        snprintf(word, sizeof word, "word%u", w);
        if (find(word) != expected[w]) {
            printf("%s is counted %d times instead of %d\n", word, find(word), expected[w]);
            gasnet_exit(1);
        }
    }
    gex_Event_Wait(gex_Coll_BarrierNB(all, 0));
    if (me == 0) {
        printf("%u ranks counted %u words: ok\n", size, size * DRAWS);
    }
    return 0;
}
