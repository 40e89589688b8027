/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the read cache (read_cache.h) share: its lines, and a fetch of some of them. */
#ifndef FL_COMM_READ_CACHE_INSIDE_H
#define FL_COMM_READ_CACHE_INSIDE_H

#include "comm/comm.h"
#include "comm/inside.h"
#include "comm/read_cache.h"

/*
 * Lines are found by a hash of their chunk's number. A chunk of neighbours lies together, so that one get
 * fetches it, but begins at any place: strides by powers of two use all sets.
 */
enum {
    LINE = FL_READ_LINE,
    CHUNK = 32, /* lines */
    CHUNK_BYTES = CHUNK * LINE,
    CHUNKS = 64, /* of a way */
    SETS = CHUNK * CHUNKS,
    WAYS = 8,
    STREAMS = 8,
    MISSES = 16,
    RUNS = 16,
    REGIONS = 1024,
    DENSE = 2,        /* lines of a chunk that are read in an epoch, before the rest is fetched whole */
    DENSE_MOST = 8,   /* chunks that are fetched then */
    EXPECTED = 8,     /* lines of a chunk that an epoch reads, before the next one expects all of it */
    EXPECTED_MOST = 16, /* chunks that are fetched then */
    MOST_LINES = 128, /* of a fetch */
    FIRST_LINES = 16, /* of a stream's first fetch */
    GROWTH = 8,       /* of the next ones */
    NARROW = 4,       /* lines of a stride, up to which what lies between is fetched as well */
    WORD = LINE / 64,
    REPEATS = 32,     /* of a read, before it fetches anew */
    FEW_LINES = 64,   /* that a gather fetches, however little it reads of each */
    AHEAD_LINES = 8,  /* up to which it is like single reads: others are fetched with them */
    MANY_LINES = 512, /* that it fetches at most, so that each finds a place */
    CLOSE = 4,        /* elements of a gather in a line, from which more than few are worth it */
    UNSEEN = 1021,    /* reads by compiled code; a prime, so that loops over flags come to each */
    REST = 8,         /* times as long as an old line's fetch took, before another one is fetched */
    ALONE = 64,       /* misses like no others without a hit, after which lines are fetched seldom: */
    PROBE = 16,       /* once in so many */
    PIECE = 4096,     /* bytes; longer ones would not travel in one message */
    FORGET_LINES = FL_READ_RUN / LINE /* a longer write drops everything */
};
struct line {
    uint64_t address; /* 0: none */
    uint64_t epoch;
    uint64_t since_ns;
    uint64_t was_read; /* a bit for each word */
    uint64_t filled;   /* by which fetch */
    bool by_stride;    /* longer than a line: reading it is no sign that its chunk is dense */
};

/* Misses at a stride. */
struct stream {
    int64_t stride; /* 0: none */
    uint64_t next;  /* line of the next miss if the stream goes on */
    unsigned lines; /* that the last miss fetched */
};

/* Reads of many lines, that came one after the other. */
struct run {
    uint64_t begin, end;
};

/* How much of a chunk has been read, in the epoch in which some of it was read last. */
struct region {
    uint64_t chunk, epoch;
    unsigned lines;
    bool was_dense; /* in the epoch before, in which some of it was read */
};

struct fl_read_cache {
    uint64_t max_age_ns;
    bool shows_all;
    uint32_t repeats; /* reads of the address read last */
    uint64_t rests_until_ns; /* no line is too old before */
    uint64_t took_ns; /* the last fetch */
    uint64_t fetches;
    uint64_t filled_epoch; /* of the last fetch: in another one no line is of use */
    unsigned next_way, next_stream, next_miss, next_run;
    unsigned alone; /* misses like no others, since the last hit */
    struct stream streams[STREAMS];
    uint64_t misses[MISSES]; /* lines, that were missed last */
    struct run runs[RUNS];   /* the last read of each */
    struct region regions[REGIONS];
    uint64_t dense_epoch; /* of the next */
    unsigned dense;       /* chunks that have been fetched whole */
    struct line lines[SETS][WAYS];
    /* Objects are as aligned here as in the memory of their host: they are read in place. */
    _Alignas(FL_CACHE_LINE) unsigned char bytes[WAYS][SETS][LINE];
};

/* What is being fetched. */
struct fetch {
    struct fl_comm_piece pieces[MOST_LINES];
    unsigned n;
    uint64_t now_ns;
};

static inline uint64_t line_of(uint64_t address) {
    return address & ~(uint64_t)(LINE - 1);
}

/* By Fibonacci hashing: segments lie at strides of powers of two, and have their arrays at the same
 * places, which the low bits of a chunk's number would not tell apart. */
static inline unsigned hash_of(uint64_t chunk) {
    return (unsigned)(chunk * 0x9e3779b97f4a7c15u >> 48);
}

static inline unsigned set_of(uint64_t address) {
    uint64_t line = address / LINE;
    unsigned hash = hash_of(line / CHUNK);
    return hash % CHUNKS * CHUNK + (unsigned)(line + hash / CHUNKS) % CHUNK;
}

/* The line that has the address, if it was fetched in this epoch. */
static inline struct line *find(struct fl_read_cache *cache, unsigned set, uint64_t address) {
    uint64_t wanted = line_of(address);
    for (unsigned way = 0; way < WAYS; way++) {
        struct line *line = &cache->lines[set][way];
        if (line->address == wanted && line->epoch == fl_read_copies.epoch) {
            return line;
        }
    }
    return NULL;
}
/* Begins a fetch: from here on its lines are told from others. */
void fl_read_cache_begin_fetch(struct fl_read_cache *cache);

/* The way that a line and its neighbours are fetched to: one where the line takes no other's place, or that
 * of the line that was fetched first. */
unsigned fl_read_cache_choose_way(struct fl_read_cache *cache, uint64_t line);

/* Adds a line to what is fetched; false if its place is taken by another one of the same fetch. */
bool fl_read_cache_plan_line(struct fl_read_cache *cache, struct fetch *fetch, unsigned way,
                             uint64_t address);

/* Plans to fetch the line, and lines after it that the thread will probably want; or nothing, if no line is
 * of use. `is_stale`: the line is cached, and too old. */
void fl_read_ahead_plan(struct fl_read_cache *cache, struct fetch *fetch, uint64_t line,
                        bool is_stale);

/* The first read of a line in this epoch. */
void fl_read_ahead_note_line(struct fl_read_cache *cache, uint64_t line);

#endif
