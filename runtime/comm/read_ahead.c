/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The policy of the read cache's fetches: with a line that is missed come lines that go on in a direction
 * or by a stride, the rest of a chunk that is read densely, and what was read densely before the thread
 * synchronised. Where lines have been of no use for long, none is fetched.
 */
#include "comm/read_cache_inside.h"
#include "platform/os.h"

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

/* Whether the thread has read the end of what was fetched for the stream last. A column goes on in the next
 * line of each row: as the neighbours of one line they would be fetched in vain. */
static bool is_read(struct fl_read_cache *cache, const struct fetch *fetch,
                    const struct stream *stream) {
    bool has_all = stream->stride == LINE || stream->stride == -LINE;
    for (int64_t back = 1; back <= (has_all ? NARROW : 1); back++) {
        uint64_t last = stream->next - (uint64_t)(back * stream->stride);
        const struct line *line = find(cache, set_of(last), last);
        if (line && (line->was_read || (fetch->n > 0 && line->filled == cache->fetches))) {
            return true;
        }
    }
    return false;
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
static struct stream *stream_of(struct fl_read_cache *cache, const struct fetch *fetch,
                                uint64_t line) {
    for (unsigned i = 0; i < STREAMS; i++) {
        struct stream *stream = &cache->streams[i];
        if (!goes_on(stream, line)) {
            continue;
        }
        if (is_read(cache, fetch, stream)) {
            stream->lines = stream->lines < MOST_LINES / GROWTH ? stream->lines * GROWTH : MOST_LINES;
            return stream;
        }
        stream->stride = 0;
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

void fl_read_ahead_note_line(struct fl_read_cache *cache, uint64_t line) {
    region_of(cache, line)->lines++;
}

/* Chunks that are fetched whole for a miss of the line, a power of two; 0: none. Their number grows with
 * that of chunks that have been dense since the thread synchronised: a table that is looked up at random
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
    unsigned way = fl_read_cache_choose_way(cache, first);
    for (uint64_t next = first; next < first + (uint64_t)n * LINE; next += LINE) {
        if (is_of_one_thread(line, next) && !find(cache, set_of(next), next)) {
            fl_read_cache_plan_line(cache, fetch, way, next);
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

void fl_read_ahead_plan(struct fl_read_cache *cache, struct fetch *fetch, uint64_t line, bool is_stale) {
    bool expected = !is_stale && is_expected(cache, line / CHUNK_BYTES);
    struct stream *stream = is_stale || expected ? NULL : stream_of(cache, fetch, line);
    uint64_t chunks = is_stale || expected || stream ? 0 : dense_chunks(cache, line);
    if (!is_stale && !expected && !stream && !chunks && is_hopeless(cache)) {
        fl_read_ahead_note_line(cache, line);
        return;
    }
    if (fetch->n == 0) {
        fetch->now_ns = fl_os_now_ns();
        fl_read_cache_begin_fetch(cache);
    }
    unsigned way = fl_read_cache_choose_way(cache, line);
    if (!fl_read_cache_plan_line(cache, fetch, way, line)) {
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
        bool is_alone = !is_narrow(stream->stride);
        if (is_alone || next / CHUNK_BYTES != (next - (uint64_t)stream->stride) / CHUNK_BYTES) {
            way = fl_read_cache_choose_way(cache, next);
        }
        if (!fl_read_cache_plan_line(cache, fetch, way, next)) {
            break;
        }
        cache->lines[set_of(next)][way].by_stride = is_alone;
        next += (uint64_t)stream->stride;
        done++;
    }
    stream->lines = done;
    stream->next = next;
}
