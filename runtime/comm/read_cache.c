/* SPDX-License-Identifier: BSD-3-Clause */
/* See read_cache.h. */
#include "comm/read_cache_inside.h"
#include "platform/os.h"

#include <string.h>
#include <sys/mman.h>

_Thread_local struct fl_read_cache *fl_read_cache;
_Thread_local struct fl_read_copies fl_read_copies = {.epoch = 1};

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

static unsigned char *bytes_of(struct fl_read_cache *cache, unsigned set, const struct line *line) {
    fl_assert(line >= cache->lines[set] && line < cache->lines[set] + WAYS);
    return cache->bytes[line - cache->lines[set]][set];
}

/* The line serves no further reads. */
static void discard(struct line *line) {
    struct fl_read_copy *copy = fl_read_copy_of(line->address);
    if (copy->address == line->address) {
        copy->address = 0;
    }
    line->address = 0;
}

/* ---- fetches ---- */

bool fl_read_cache_plan_line(struct fl_read_cache *cache, struct fetch *fetch, unsigned way,
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

unsigned fl_read_cache_choose_way(struct fl_read_cache *cache, uint64_t line) {
    const struct line *set = cache->lines[set_of(line)];
    unsigned oldest = cache->next_way % WAYS;
    for (unsigned i = 0; i < WAYS; i++) {
        unsigned way = (cache->next_way + i) % WAYS;
        if (!set[way].address || set[way].epoch != fl_read_copies.epoch) {
            return way;
        }
        oldest = set[way].filled < set[oldest].filled ? way : oldest;
    }
    return oldest;
}

void fl_read_cache_begin_fetch(struct fl_read_cache *cache) {
    cache->fetches++;
    cache->filled_epoch = fl_read_copies.epoch;
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

static inline void note_use(struct fl_read_cache *cache, struct line *line, uint64_t from) {
    if (FL_UNLIKELY(!line->was_read) && !line->by_stride) {
        fl_read_ahead_note_line(cache, line->address);
    }
    line->was_read |= word_of(from);
}

static inline void read_line(struct fl_read_cache *cache, unsigned set, struct line *line, void *to,
                             uint64_t from, size_t bytes) {
    size_t at = from % LINE;
    fl_assert(line->address == line_of(from) && line->epoch == fl_read_copies.epoch);
    fl_assert(at + bytes <= LINE);
    fl_comm_copy_small(to, bytes_of(cache, set, line) + at, bytes);
    note_use(cache, line, from);
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
                fl_read_ahead_plan(cache, &fetch, line_of(part.from), stale);
            } else {
                note_use(cache, line, part.from);
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
            fl_read_ahead_plan(cache, &fetch, line_of(at[i]), find(cache, set_of(at[i]), at[i]));
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
    fl_read_cache_begin_fetch(cache);
    for (unsigned slot = 0; slot < wanted->slots; slot++) {
        uint64_t first = wanted->chunk[slot].number * CHUNK_BYTES;
        unsigned way = cache->next_way++;
        for (uint32_t left = wanted->chunk[slot].lines; left; left &= left - 1) {
            uint64_t line = first + (uint64_t)__builtin_ctz(left) * LINE;
            for (unsigned i = 0; i < WAYS && !fl_read_cache_plan_line(cache, &fetch, way % WAYS, line); i++) {
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
