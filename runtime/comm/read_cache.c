/* SPDX-License-Identifier: BSD-3-Clause */
/* See read_cache.h. */
#include "comm/read_cache.h"

#include "comm/comm.h"
#include "comm/inside.h"
#include "platform/os.h"

#include <string.h>
#include <sys/mman.h>

/*
 * Lines are found by a hash of their chunk's number. A chunk of neighbours lies together, so that one get
 * fetches it, but begins at any place: strides by powers of two use all sets.
 */
enum {
    LINE = FL_READ_LINE,
    CHUNK = 32, /* lines */
    CHUNK_BYTES = CHUNK * LINE,
    CHUNKS = 16, /* of a way */
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

_Thread_local struct fl_read_cache *fl_read_cache;
_Thread_local struct fl_read_copies fl_read_copies = {.epoch = 1};

/* What is being fetched. */
struct fetch {
    struct fl_comm_piece pieces[MOST_LINES];
    unsigned n;
    uint64_t now_ns;
};

void fl_read_cache_start(uint64_t max_age_ns) {
    struct fl_read_cache *cache = mmap(NULL, sizeof *cache, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (cache != MAP_FAILED) {
        cache->max_age_ns = max_age_ns;
        fl_read_cache = cache;
    }
}

void fl_read_cache_show_all(void) {
    if (fl_read_cache) {
        fl_read_cache->shows_all = true;
    }
}

static uint64_t line_of(uint64_t address) {
    return address & ~(uint64_t)(LINE - 1);
}

/* By Fibonacci hashing: segments lie at strides of powers of two, and have their arrays at the same
 * places, which the low bits of a chunk's number would not tell apart. */
static unsigned hash_of(uint64_t chunk) {
    return (unsigned)(chunk * 0x9e3779b97f4a7c15u >> 48);
}

static unsigned set_of(uint64_t address) {
    uint64_t line = address / LINE;
    unsigned hash = hash_of(line / CHUNK);
    return hash % CHUNKS * CHUNK + (unsigned)(line + hash / CHUNKS) % CHUNK;
}

static unsigned char *bytes_of(struct fl_read_cache *cache, unsigned set, const struct line *line) {
    fl_assert(line >= cache->lines[set] && line < cache->lines[set] + WAYS);
    return cache->bytes[line - cache->lines[set]][set];
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

/* The line serves no further reads. */
static void discard(struct line *line) {
    struct fl_read_copy *copy = fl_read_copy_of(line->address);
    if (copy->address == line->address) {
        copy->address = 0;
    }
    line->address = 0;
}

/* ---- misses ---- */

/* Adds a line to what is fetched; false if its place is taken by another one of the same fetch. */
static bool plan_line(struct fl_read_cache *cache, struct fetch *fetch, unsigned way,
                      uint64_t address) {
    unsigned set = set_of(address);
    fl_assert(way < WAYS && address % LINE == 0 && fetch->n <= MOST_LINES);
    struct line *line = &cache->lines[set][way];
    if (fetch->n == MOST_LINES ||
        (line->filled == cache->fetches && line->epoch == fl_read_copies.epoch)) {
        return false;
    }
    struct line *old = find(cache, set, address);
    if (old) {
        discard(old);
    }
    discard(line);
    *line = (struct line){.address = address,
                          .epoch = fl_read_copies.epoch,
                          .since_ns = fetch->now_ns,
                          .filled = cache->fetches};
    unsigned char *to = bytes_of(cache, set, line);
    struct fl_comm_piece *last = fetch->n ? &fetch->pieces[fetch->n - 1] : NULL;
    if (last && last->bytes < PIECE && last->address + last->bytes == address &&
        (unsigned char *)last->memory + last->bytes == to) {
        last->bytes += LINE;
    } else {
        fetch->pieces[fetch->n++] = (struct fl_comm_piece){address, to, LINE};
    }
    return true;
}

static bool is_of_one_thread(uint64_t a, uint64_t b) {
    const struct fl_space *space = fl_comm_state.setup.space;
    return fl_space_holds(space, b) && fl_space_thread(space, a) == fl_space_thread(space, b);
}

/* Whether what lies between two lines that a stride goes by is fetched as well. */
static bool is_narrow(int64_t stride) {
    return stride && stride >= -NARROW * LINE && stride <= NARROW * LINE;
}

static uint64_t miss_before(const struct fl_read_cache *cache, unsigned turns) {
    return turns > MISSES ? 0 : cache->misses[(cache->next_miss - turns) % MISSES];
}

/* The stride by which the line follows an earlier miss: as its neighbour, or as that one followed another,
 * as many misses before. In a table that is looked up at random any three would be by some stride. 0:
 * none. */
static int64_t stride_to(const struct fl_read_cache *cache, uint64_t line) {
    for (unsigned i = 1; i <= MISSES; i++) {
        uint64_t before = miss_before(cache, i);
        int64_t stride = (int64_t)(line - before);
        bool goes_on = stride && miss_before(cache, 2 * i) == before - (uint64_t)stride;
        if (before && (goes_on || stride == LINE || stride == -LINE)) {
            return stride;
        }
    }
    return 0;
}

static bool goes_on(const struct stream *stream, uint64_t line) {
    int64_t beyond = (int64_t)(line - stream->next);
    if (stream->stride == -LINE) {
        beyond = -beyond;
    }
    bool has_all = stream->stride == LINE || stream->stride == -LINE;
    return stream->stride && (beyond == 0 || (has_all && beyond > 0 && beyond < NARROW * LINE));
}

/* The stream that a miss of the line continues, or begins; null: it is an isolated miss. */
static struct stream *stream_of(struct fl_read_cache *cache, uint64_t line) {
    for (unsigned i = 0; i < STREAMS; i++) {
        struct stream *stream = &cache->streams[i];
        if (goes_on(stream, line)) {
            stream->lines = stream->lines < MOST_LINES / GROWTH ? stream->lines * GROWTH : MOST_LINES;
            return stream;
        }
    }
    int64_t stride = stride_to(cache, line);
    cache->misses[cache->next_miss++ % MISSES] = line;
    if (!stride) {
        return NULL;
    }
    if (is_narrow(stride)) {
        stride = stride > 0 ? LINE : -LINE;
    }
    struct stream *stream = &cache->streams[cache->next_stream++ % STREAMS];
    *stream = (struct stream){.stride = stride, .lines = FIRST_LINES};
    return stream;
}

/* The way that a line and its neighbours are fetched to: one where the line takes no other's place, or
 * each in turn. */
static unsigned choose_way(struct fl_read_cache *cache, uint64_t line) {
    const struct line *set = cache->lines[set_of(line)];
    for (unsigned i = 0; i < WAYS; i++) {
        unsigned way = (cache->next_way + i) % WAYS;
        if (!set[way].address || set[way].epoch != fl_read_copies.epoch) {
            return way;
        }
    }
    return cache->next_way++ % WAYS;
}

/* Of a line's chunk, in this epoch. */
static struct region *region_of(struct fl_read_cache *cache, uint64_t line) {
    uint64_t chunk = line / CHUNK_BYTES;
    struct region *region = &cache->regions[hash_of(chunk) % REGIONS];
    if (region->chunk != chunk || region->epoch != fl_read_copies.epoch) {
        bool was_dense = region->chunk == chunk && region->lines >= DENSE;
        *region = (struct region){chunk, fl_read_copies.epoch, 0, was_dense};
    }
    return region;
}

/* The first read of a line in this epoch. */
static void note_line(struct fl_read_cache *cache, uint64_t line) {
    region_of(cache, line)->lines++;
}

/* Chunks that are fetched whole for a miss of the line, a power of two; 0: none. Their number grows with
 * that of those that have been dense since the thread synchronised: a table that is looked up at random
 * comes in few fetches, and at most about twice of what is used. */
static uint64_t dense_chunks(struct fl_read_cache *cache, uint64_t line) {
    const struct region *region = region_of(cache, line);
    if (region->lines < DENSE && !region->was_dense) {
        return 0;
    }
    if (cache->dense_epoch != fl_read_copies.epoch) {
        cache->dense_epoch = fl_read_copies.epoch;
        cache->dense = 0;
    }
    uint64_t chunks = 1;
    while (2 * chunks <= cache->dense && chunks < DENSE_MOST) {
        chunks *= 2;
    }
    cache->dense += (unsigned)chunks;
    return chunks;
}

/* Lines of a chunk, without cached lines and lines of another thread than `line`. */
static void plan_lines(struct fl_read_cache *cache, struct fetch *fetch, uint64_t line,
                       uint64_t first, unsigned n) {
    unsigned way = choose_way(cache, first);
    for (uint64_t next = first; next < first + (uint64_t)n * LINE; next += LINE) {
        if (is_of_one_thread(line, next) && !find(cache, set_of(next), next)) {
            plan_line(cache, fetch, way, next);
        }
    }
}

static void plan_chunk(struct fl_read_cache *cache, struct fetch *fetch, uint64_t line,
                       uint64_t chunk) {
    plan_lines(cache, fetch, line, chunk * CHUNK_BYTES, CHUNK);
}

/* Chunks around the line. */
static void plan_chunks(struct fl_read_cache *cache, struct fetch *fetch, uint64_t line,
                        uint64_t chunks) {
    uint64_t first = line / CHUNK_BYTES / chunks * chunks;
    for (uint64_t chunk = first; chunk < first + chunks; chunk++) {
        plan_chunk(cache, fetch, line, chunk);
    }
}

/* The lines of a chunk that will be read: as many as the last epoch has read that read any, unless this
 * one has. */
static unsigned expected_lines(const struct fl_read_cache *cache, uint64_t chunk) {
    const struct region *region = &cache->regions[hash_of(chunk) % REGIONS];
    return region->chunk == chunk && region->epoch != fl_read_copies.epoch ? region->lines : 0;
}

/* Whether the chunk will be read densely, or is where a range ends that will. */
static bool is_expected(const struct fl_read_cache *cache, uint64_t chunk) {
    unsigned lines = expected_lines(cache, chunk);
    return lines >= EXPECTED ||
           (lines > 0 && (expected_lines(cache, chunk - 1) >= EXPECTED ||
                          expected_lines(cache, chunk + 1) >= EXPECTED));
}

/* At most so many chunks after the one of the line, or before it, as far as they are expected to be read
 * densely; and of the next one the expected lines that lie there: arrays end anywhere. For all of them
 * this epoch counts as the last one that has read, so that they are expected in vain only once. */
static unsigned plan_run(struct fl_read_cache *cache, struct fetch *fetch, uint64_t line, int step,
                         unsigned most) {
    uint64_t chunk = line / CHUNK_BYTES;
    unsigned done = 0, lines = CHUNK;
    for (; done < most && lines == CHUNK; done++) {
        chunk += (uint64_t)step;
        lines = expected_lines(cache, chunk);
        lines = lines >= EXPECTED ? CHUNK : lines;
        if (lines > 0) {
            region_of(cache, chunk * CHUNK_BYTES);
            plan_lines(cache, fetch, line,
                       chunk * CHUNK_BYTES + (step > 0 ? 0 : (CHUNK - lines) * LINE), lines);
        }
    }
    return done;
}

/* What was read densely in an earlier epoch, in whatever order, comes in one fetch. */
static void plan_expected(struct fl_read_cache *cache, struct fetch *fetch, uint64_t line) {
    region_of(cache, line);
    plan_chunk(cache, fetch, line, line / CHUNK_BYTES);
    unsigned after = plan_run(cache, fetch, line, 1, EXPECTED_MOST - 1);
    plan_run(cache, fetch, line, -1, EXPECTED_MOST - 1 - after);
}

/* Whether an isolated miss should fetch no line: none has been of use for long. */
static bool is_hopeless(struct fl_read_cache *cache) {
    return ++cache->alone > ALONE && cache->alone % PROBE != 0;
}

static void begin_fetch(struct fl_read_cache *cache) {
    cache->fetches++;
    cache->filled_epoch = fl_read_copies.epoch;
}

/* Plans to fetch the line, and those after it that the thread will probably want; or nothing, if no
 * line is of use. */
static void plan(struct fl_read_cache *cache, struct fetch *fetch, uint64_t line, bool is_stale) {
    bool expected = !is_stale && is_expected(cache, line / CHUNK_BYTES);
    struct stream *stream = is_stale || expected ? NULL : stream_of(cache, line);
    uint64_t chunks = is_stale || expected || stream ? 0 : dense_chunks(cache, line);
    if (!is_stale && !expected && !stream && !chunks && is_hopeless(cache)) {
        note_line(cache, line);
        return;
    }
    if (fetch->n == 0) {
        fetch->now_ns = fl_os_now_ns();
        begin_fetch(cache);
    }
    unsigned way = choose_way(cache, line);
    if (!plan_line(cache, fetch, way, line)) {
        return;
    }
    if (expected) {
        plan_expected(cache, fetch, line);
    } else if (chunks) {
        plan_chunks(cache, fetch, line, chunks);
    }
    if (!stream) {
        return;
    }
    uint64_t next = line + (uint64_t)stream->stride;
    unsigned done = 1;
    while (done < stream->lines && is_of_one_thread(line, next)) {
        if (next / CHUNK_BYTES != (next - (uint64_t)stream->stride) / CHUNK_BYTES) {
            way = choose_way(cache, next);
        }
        if (!plan_line(cache, fetch, way, next)) {
            break;
        }
        cache->lines[set_of(next)][way].by_stride = !is_narrow(stream->stride);
        next += (uint64_t)stream->stride;
        done++;
    }
    stream->lines = done;
    stream->next = next;
}

/* ---- reads ---- */

static uint64_t word_of(uint64_t from) {
    return 1ull << from % LINE / WORD;
}

static bool is_old(const struct fl_read_cache *cache, const struct line *line, uint64_t age_ns) {
    return age_ns > cache->max_age_ns && line->since_ns + age_ns >= cache->rests_until_ns;
}

/* Whether the line is too old to be read there. Only a word that has been read may be one that a loop
 * waits for. */
static inline bool is_stale(const struct fl_read_cache *cache, const struct line *line,
                            uint64_t from) {
    if (!(line->was_read & word_of(from))) {
        return false;
    }
    uint64_t age_ns = fl_os_now_ns() - line->since_ns;
    /* The age counts from the begin of the fetch: at least half of the time is the thread's own. */
    bool waits = from == fl_read_copies.last && cache->repeats >= REPEATS;
    return (waits && age_ns >= 2 * cache->took_ns) || is_old(cache, line, age_ns);
}

/* A line has been fetched because it was old. If its host answers late, other lines are as old by
 * then, and each read of a gather would wait: so for some time no line is too old. */
static void rest(struct fl_read_cache *cache) {
    cache->rests_until_ns = fl_os_now_ns() + REST * cache->took_ns;
}

/* The line of the address, if it may serve a read. */
static inline struct line *find_fresh(struct fl_read_cache *cache, unsigned set, uint64_t from) {
    struct line *line = find(cache, set, from);
    return line && !is_stale(cache, line, from) ? line : NULL;
}

static inline void read_line(struct fl_read_cache *cache, unsigned set, struct line *line, void *to,
                             uint64_t from, size_t bytes) {
    size_t at = from % LINE;
    fl_assert(line->address == line_of(from) && line->epoch == fl_read_copies.epoch);
    fl_assert(at + bytes <= LINE);
    fl_comm_copy_small(to, bytes_of(cache, set, line) + at, bytes);
    if (FL_UNLIKELY(!line->was_read) && !line->by_stride) {
        note_line(cache, line->address);
    }
    line->was_read |= word_of(from);
}

static inline void note_read(struct fl_read_cache *cache, uint64_t from) {
    cache->repeats = from == fl_read_copies.last ? cache->repeats + 1 : 0;
    fl_read_copies.last = from;
    fl_read_copies.left = UNSEEN;
}

/* The line has served a read: compiled code may find it. */
static inline void show(struct fl_read_cache *cache, unsigned set, const struct line *line) {
    if (FL_LIKELY(!cache->shows_all)) {
        *fl_read_copy_of(line->address) = (struct fl_read_copy){line->address, line->epoch,
                                                        bytes_of(cache, set, line)};
    }
}

/* The parts of a read in each line. */
struct part {
    char *to;
    uint64_t from;
    size_t bytes;
};
static struct part first_part(const struct fl_comm_piece *read) {
    size_t left = LINE - read->address % LINE;
    return (struct part){read->memory, read->address, read->bytes < left ? read->bytes : left};
}
static bool next_part(const struct fl_comm_piece *read, struct part *part) {
    size_t done = part->from + part->bytes - read->address, left = read->bytes - done;
    *part = (struct part){(char *)read->memory + done, read->address + done,
                          left < LINE ? left : LINE};
    return left > 0;
}

static void end_fetch(struct fl_read_cache *cache, const struct fetch *fetch,
                      struct fl_comm_op *op) {
    fl_comm_get_pieces_nb(fetch->pieces, fetch->n, op);
    fl_comm_wait(op);
    cache->took_ns = fl_os_now_ns() - fetch->now_ns;
}

static void get_several(struct fl_read_cache *cache, const struct fl_comm_piece *reads,
                                unsigned n) {
    struct fetch fetch;
    bool any_stale = false;
    fetch.n = 0;
    for (unsigned i = 0; i < n; i++) {
        struct part part = first_part(&reads[i]);
        do {
            unsigned set = set_of(part.from);
            struct line *line = find(cache, set, part.from);
            bool stale = line && is_stale(cache, line, part.from);
            cache->alone = line ? 0 : cache->alone;
            any_stale |= stale;
            if (!line || stale) {
                plan(cache, &fetch, line_of(part.from), stale);
            }
        } while (next_part(&reads[i], &part));
    }
    if (fetch.n > 0) {
        struct fl_comm_op op = {0};
        end_fetch(cache, &fetch, &op);
        cache->repeats = 0;
        if (any_stale) {
            rest(cache);
        }
    }
    for (unsigned i = 0; i < n; i++) {
        struct part part = first_part(&reads[i]);
        do {
            unsigned set = set_of(part.from);
            struct line *line = find(cache, set, part.from);
            if (FL_LIKELY(line)) {
                read_line(cache, set, line, part.to, part.from, part.bytes);
                show(cache, set, line);
            } else { /* not worth a line, or another one of the list took its place */
                fl_comm_get(part.to, part.from, part.bytes);
            }
        } while (next_part(&reads[i], &part));
        note_read(cache, reads[i].address);
    }
}

void fl_read_cache_get(const struct fl_comm_piece *reads, unsigned n) {
    struct fl_read_cache *cache = fl_read_cache;
    if (FL_LIKELY(n == 1 && reads->address % LINE + reads->bytes <= LINE)) {
        unsigned set = set_of(reads->address);
        struct line *line = find_fresh(cache, set, reads->address);
        if (FL_LIKELY(line)) {
            read_line(cache, set, line, reads->memory, reads->address, reads->bytes);
            show(cache, set, line);
            note_read(cache, reads->address);
            cache->alone = 0;
            return;
        }
    }
    get_several(cache, reads, n);
}

/* Whether the second place is where the first one is, or so little beyond that what lies between is
 * fetched as well: rows of a matrix without their borders. */
static bool is_next(uint64_t place, uint64_t next) {
    return next - place < NARROW * LINE;
}

/* Whether the read goes on where another one ended; it is the last one of its run from now on. */
static bool note_run(struct fl_read_cache *cache, struct run read) {
    for (unsigned i = 0; i < RUNS; i++) {
        struct run *run = &cache->runs[i];
        if (is_next(run->end, read.begin) || is_next(read.end, run->begin)) {
            *run = read;
            return true;
        }
    }
    cache->runs[cache->next_run++ % RUNS] = read;
    return false;
}

bool fl_read_cache_get_run(void *to, uint64_t from, size_t bytes) {
    struct fl_read_cache *cache = fl_read_cache;
    fl_assert(bytes <= FL_READ_RUN);
    if (!cache || !note_run(cache, (struct run){from, from + bytes})) {
        return false;
    }
    fl_read_cache_get(&(struct fl_comm_piece){from, to, bytes}, 1);
    return true;
}

/* ---- gathers ---- */

/* The lines that a gather has to fetch, by their chunks: those of a chunk come in one piece. */
struct wanted {
    unsigned n, most, slots; /* lines; a power of two, more than twice `most` */
    struct wanted_chunk {
        uint64_t number;
        uint32_t lines; /* a bit for each */
    } chunk[4 * MANY_LINES];
};

static unsigned most_lines(unsigned n) {
    unsigned worth = n / CLOSE;
    return worth < FEW_LINES ? FEW_LINES : worth > MANY_LINES ? MANY_LINES : worth;
}

/* Where the chunk is, or belongs. */
static inline struct wanted_chunk *slot_of(struct wanted *wanted, uint64_t chunk) {
    unsigned slot = (unsigned)(chunk * 0x9e3779b97f4a7c15u >> 40) & (wanted->slots - 1);
    fl_assert(wanted->n < wanted->slots); /* a free slot ends the search */
    while (wanted->chunk[slot].lines && wanted->chunk[slot].number != chunk) {
        slot = (slot + 1) & (wanted->slots - 1);
    }
    return &wanted->chunk[slot];
}

static inline bool is_cached(struct fl_read_cache *cache, uint64_t at, uint64_t fresh_ns) {
    const struct line *line = find(cache, set_of(at), at);
    return line && line->since_ns >= fresh_ns;
}

/* The time since which a line must have been fetched to be of use. */
static uint64_t oldest_ns(const struct fl_read_cache *cache, uint64_t now_ns) {
    bool rests = now_ns < cache->rests_until_ns || now_ns < cache->max_age_ns;
    return rests ? 0 : now_ns - cache->max_age_ns;
}

/* Finds the lines to fetch. */
static bool want_missing(struct fl_read_cache *cache, struct wanted *wanted, const uint64_t *at,
                         unsigned n, uint64_t fresh_ns) {
    uint64_t before = 0;
    for (unsigned i = 0; i < n && wanted->n <= wanted->most; i++) {
        uint64_t line = line_of(at[i]);
        if (line == before) {
            continue;
        }
        before = line;
        struct wanted_chunk *chunk = slot_of(wanted, line / CHUNK_BYTES);
        uint32_t bit = UINT32_C(1) << line / LINE % CHUNK;
        if (!(chunk->lines & bit) && !fl_comm_is_here(at[i]) &&
            !is_cached(cache, at[i], fresh_ns)) {
            chunk->number = line / CHUNK_BYTES;
            chunk->lines |= bit;
            wanted->n++;
        }
    }
    return wanted->n <= wanted->most;
}

/* Fetches what single reads would, that is also what later gathers will probably want: a row, say, and
 * the next ones. */
static void fetch_ahead(struct fl_read_cache *cache, const uint64_t *at, unsigned n,
                        uint64_t fresh_ns) {
    struct fetch fetch;
    fetch.n = 0;
    for (unsigned i = 0; i < n; i++) {
        if (!fl_comm_is_here(at[i]) && !is_cached(cache, at[i], fresh_ns)) {
            plan(cache, &fetch, line_of(at[i]), find(cache, set_of(at[i]), at[i]));
        }
    }
    if (fetch.n > 0) {
        end_fetch(cache, &fetch, &(struct fl_comm_op){0});
        rest(cache);
    }
}

static void fetch_wanted(struct fl_read_cache *cache, const struct wanted *wanted,
                         uint64_t now_ns) {
    struct fetch fetch = {.n = 0, .now_ns = now_ns};
    struct fl_comm_op op = {0};
    begin_fetch(cache);
    for (unsigned slot = 0; slot < wanted->slots; slot++) {
        uint64_t first = wanted->chunk[slot].number * CHUNK_BYTES;
        unsigned way = cache->next_way++;
        for (uint32_t left = wanted->chunk[slot].lines; left; left &= left - 1) {
            uint64_t line = first + (uint64_t)__builtin_ctz(left) * LINE;
            for (unsigned i = 0; i < WAYS && !plan_line(cache, &fetch, way % WAYS, line); i++) {
                way++;
            }
            if (fetch.n == MOST_LINES) {
                fl_comm_get_pieces_nb(fetch.pieces, fetch.n, &op);
                fetch.n = 0;
            }
        }
    }
    end_fetch(cache, &fetch, &op);
    rest(cache);
}

static void copy_gathered(char *to, const uint64_t *at, unsigned n, size_t bytes) {
    for (unsigned i = 0; i < n; i++, to += bytes) {
        const void *from = fl_comm_is_here(at[i]) ? (const void *)(uintptr_t)at[i]
                                                  : fl_read_copied(at[i], bytes);
        if (FL_LIKELY(from)) {
            fl_comm_copy_small(to, from, bytes);
        } else {
            fl_read_cache_get(&(struct fl_comm_piece){at[i], to, bytes}, 1);
        }
    }
}

bool fl_read_cache_gather(void *to, const uint64_t *at, unsigned n, size_t bytes) {
    struct fl_read_cache *cache = fl_read_cache;
    if (!cache) {
        return false;
    }
    uint64_t now_ns = fl_os_now_ns();
    struct wanted wanted;
    wanted.n = 0;
    wanted.most = most_lines(n);
    wanted.slots = 4 * FEW_LINES;
    while (wanted.slots <= 2 * wanted.most) {
        wanted.slots *= 2;
    }
    memset(wanted.chunk, 0, wanted.slots * sizeof *wanted.chunk);
    uint64_t fresh_ns = oldest_ns(cache, now_ns);
    if (!want_missing(cache, &wanted, at, n, fresh_ns)) {
        return false;
    }
    if (wanted.n > AHEAD_LINES) {
        fetch_wanted(cache, &wanted, now_ns);
    } else if (wanted.n > 0) {
        fetch_ahead(cache, at, n, fresh_ns);
    }
    copy_gathered(to, at, n, bytes);
    return true;
}

/* ---- writes ---- */

static inline void note_part(struct fl_read_cache *cache, uint64_t to, const void *from,
                             size_t bytes) {
    unsigned set = set_of(to);
    struct line *line = find(cache, set, to);
    if (line && from) {
        fl_comm_copy_small(bytes_of(cache, set, line) + to % LINE, from, bytes);
    } else if (line) {
        discard(line);
    }
}

static FL_COLD void note_long(struct fl_read_cache *cache, uint64_t to, const void *from,
                              size_t bytes) {
    if (bytes > (size_t)FORGET_LINES * LINE) {
        fl_read_cache_drop();
        return;
    }
    for (size_t done = 0, n; done < bytes; done += n) {
        size_t left = LINE - (to + done) % LINE;
        n = bytes - done < left ? bytes - done : left;
        note_part(cache, to + done, from ? (const char *)from + done : NULL, n);
    }
}

void fl_read_cache_note_write(uint64_t to, const void *from, size_t bytes) {
    struct fl_read_cache *cache = fl_read_cache;
    fl_read_copies.last = 0;
    if (cache->filled_epoch != fl_read_copies.epoch) {
        return;
    }
    if (FL_LIKELY(to % LINE + bytes <= LINE)) {
        note_part(cache, to, from, bytes);
    } else {
        note_long(cache, to, from, bytes);
    }
}

void fl_read_cache_note_update(uint64_t to, unsigned what, unsigned type, uint64_t operand) {
    struct fl_read_cache *cache = fl_read_cache;
    size_t at = to % LINE, bytes = fl_comm_type_bytes((enum fl_comm_type)type);
    fl_read_copies.last = 0;
    if (FL_LIKELY(cache->filled_epoch != fl_read_copies.epoch)) {
        return;
    }
    if (at + bytes > LINE || !fl_comm_is_plain((enum fl_comm_atomic)what)) {
        fl_read_cache_note_write(to, NULL, bytes);
        return;
    }
    unsigned char *cached = fl_read_copied(to, bytes);
    if (!cached) {
        unsigned set = set_of(to);
        const struct line *line = find(cache, set, to);
        cached = line ? bytes_of(cache, set, line) + at : NULL;
    }
    if (cached) {
        fl_comm_update_here((enum fl_comm_atomic)what, (enum fl_comm_type)type, cached, operand);
    }
}
