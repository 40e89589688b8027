/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes of two hosts to the same bytes that nothing orders. While it makes diffs, each host notes which
 * bytes its intervals have written, with the vector time at the end of each. Where hosts meet, host 0
 * compares: two intervals race if neither host knew of the other's when its own ended.
 * D. Perkovic, P. Keleher: Online data-race detection via coherency guarantees (OSDI 1996).
 *
 * No race is invented: all of an interval counts as ordered after what the host learned of before its
 * end. What threads of one host do to each other is not seen, nor reads, nor stores of a value that was
 * there already; nor what a host that meets others has written in excess of NOTED_MOST.
 *
 * All writes must be seen. So, as long as this is wanted, a home watches its own pages as well, no page
 * is dense, none stays writable when an interval ends, and the kernel tracks none. Homes of fixed pages
 * look for writes only where others have copies: fl_check_watch says from when on.
 */
#include "dsm/inside.h"

#include <stdlib.h>
#include <string.h>

enum { NOTED_MOST = 64 << 20 }; /* bytes between two meetings */

/* The first write to a page since it was readable. */
struct first {
    uintptr_t pc;
    uint16_t offset;
};

/* Of one interval and page, as host 0 compares it. */
struct written {
    uint32_t page, host, interval;
    size_t known; /* where the vector time at the interval's end begins in `times` */
    struct first first;
    struct fl_text runs; /* { bytes between, bytes }... */
};

static struct {
    struct first *firsts;   /* [page]; guarded by the chunk */
    struct fl_bytes open;   /* { 1 + page, offset, pc, runs }... of the open interval */
    struct fl_bytes closed; /* { interval, vector time, what was open, 0 }... since hosts met */
    bool is_full;           /* and some of that is missing */
    struct fl_bytes *heard; /* [host]: the same of others; for host 0 */
    bool is_cut;            /* and some of that; for handlers, and host 0 when others wait for it */
    struct written *all;
    size_t n, room;
    uint32_t *times;
    size_t n_times, room_times;
} check;

void fl_check_start(void) {
    if (fl_dsm.setup.check) {
        check.firsts = fl_dsm_memory(fl_dsm.map.pages, sizeof *check.firsts);
        check.heard = fl_dsm_memory(fl_dsm.hosts, sizeof *check.heard);
    }
}

/* ---- what each host notes ---- */

void fl_check_note_first(uint32_t page, uintptr_t address, uintptr_t pc) {
    check.firsts[page] = (struct first){pc, (uint16_t)(address % FL_MAP_PAGE)};
}

/* The runs of a diff without its bytes. */
static void add_runs(struct fl_bytes *runs, struct fl_text diff) {
    uint32_t offset, end = 0;
    struct fl_text bytes;
    while (fl_text_number(&diff, &offset) && fl_text_piece(&diff, &bytes)) {
        fl_bytes_add_number(runs, offset - end);
        fl_bytes_add_number(runs, (uint32_t)fl_text_left(&bytes));
        end = offset + (uint32_t)fl_text_left(&bytes);
    }
}

void fl_check_note(uint32_t page, const unsigned char *now, const unsigned char *twin) {
    static unsigned char diff[FL_DIFF_MOST]; /* guarded by `order` */
    static struct fl_bytes runs;
    size_t n = fl_diff_make(diff, now, twin, false);
    check.is_full = check.is_full || check.open.n + check.closed.n > NOTED_MOST;
    if (n == 0 || check.is_full) {
        return;
    }
    runs.n = 0;
    add_runs(&runs, fl_text(diff, n));
    fl_bytes_add_number(&check.open, 1 + page);
    fl_bytes_add_number(&check.open, check.firsts[page].offset);
    fl_bytes_add(&check.open, &check.firsts[page].pc, sizeof check.firsts[page].pc);
    fl_bytes_add_piece(&check.open, runs.at, runs.n);
}

void fl_check_end_interval(void) {
    if (check.open.n == 0) {
        return;
    }
    fl_mutex_lock(&fl_dsm.known.mutex);
    fl_bytes_add_number(&check.closed, fl_dsm.known.time.known[fl_dsm.me]);
    fl_time_say(&fl_dsm.known.time, &check.closed);
    fl_mutex_unlock(&fl_dsm.known.mutex);
    fl_bytes_add(&check.closed, check.open.at, check.open.n);
    fl_bytes_add_number(&check.closed, 0);
    check.open.n = 0;
}

/* The frames of this thread, and of those that called it. */
void fl_check_watch(const void *frame) {
    uint32_t page = fl_map_page(&fl_dsm.map, (uintptr_t)frame);
    if (page == FL_MAP_NONE) {
        return;
    }
    const struct fl_map_range *range = fl_map_range_of(&fl_dsm.map, page);
    uint64_t stack = range->homes ? range->block_bytes : range->bytes;
    uint64_t from = (uint64_t)(page - range->first) * FL_MAP_PAGE;
    uint32_t end = page + (uint32_t)((stack - from % stack) / FL_MAP_PAGE);
    for (; range->fixed && page < end; page++) {
        fl_page_lock(page);
        fl_fetch_share(page, 1);
        fl_page_unlock(page);
    }
}

void fl_check_forget(void) {
    check.closed.n = 0;
}

void fl_check_send(void) {
    FL_DSM_SEND_PARTS(0, check, &check.closed, .cut = check.is_full);
    fl_check_forget();
}

/* ---- host 0 ---- */

void fl_dsm_serve_check(const struct fl_comm_call *call, const struct fl_dsm_check_message *word) {
    check.is_cut = check.is_cut || word->cut;
    fl_bytes_add(&check.heard[call->asker.proc], call->payload, call->bytes);
}

bool fl_dsm_check_is_whole(void) {
    return !check.is_full && !check.is_cut;
}

static void *grown(void *memory, size_t n, size_t *room, size_t size) {
    if (n >= *room) {
        *room = *room ? 2 * *room : 1024;
        memory = realloc(memory, *room * size);
        if (!memory) {
            fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory to compare what hosts have written");
        }
    }
    return memory;
}

static void add_written(const struct written *written) {
    check.all = grown(check.all, check.n, &check.room, sizeof *check.all);
    check.all[check.n++] = *written;
}

static bool take_known(struct fl_text *text) {
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        check.times = grown(check.times, check.n_times, &check.room_times, sizeof *check.times);
        if (!fl_text_number(text, &check.times[check.n_times++])) {
            return false;
        }
    }
    return true;
}

static bool take_first(struct fl_text *text, struct first *first) {
    uint32_t offset;
    if (!fl_text_number(text, &offset) || fl_text_left(text) < sizeof first->pc) {
        return false;
    }
    first->offset = (uint16_t)offset;
    memcpy(&first->pc, text->at, sizeof first->pc);
    text->at += sizeof first->pc;
    return true;
}

/* What a host has noted. False: it makes no sense. */
static bool take_noted(uint32_t host, struct fl_text text) {
    struct written written = {.host = host};
    while (fl_text_left(&text) > 0) {
        uint32_t page;
        written.known = check.n_times;
        if (!fl_text_number(&text, &written.interval) || !take_known(&text) ||
            !fl_text_number(&text, &page)) {
            return false;
        }
        while (page > 0) {
            written.page = page - 1;
            if (written.page >= fl_dsm.map.pages || !take_first(&text, &written.first) ||
                !fl_text_piece(&text, &written.runs) || !fl_text_number(&text, &page)) {
                return false;
            }
            add_written(&written);
        }
    }
    return true;
}

static int by_page(const void *a, const void *b) {
    const struct written *x = a, *y = b;
    if (x->page != y->page) {
        return x->page < y->page ? -1 : 1;
    }
    if (x->host != y->host) {
        return x->host < y->host ? -1 : 1;
    }
    return (x->interval > y->interval) - (x->interval < y->interval);
}

/* Whether the interval's host knew of another's interval when it ended. */
static bool knows(const struct written *written, uint32_t host, uint32_t interval) {
    return check.times[written->known + host] >= interval;
}

struct run {
    uint32_t from, end;
};

static bool next_run(struct fl_text *runs, struct run *run) {
    uint32_t between, bytes;
    if (!fl_text_number(runs, &between) || !fl_text_number(runs, &bytes)) {
        return false;
    }
    run->from = run->end + between;
    run->end = run->from + bytes;
    return true;
}

/* The first bytes that both have written. */
static bool find_common(struct fl_text a, struct fl_text b, struct run *common) {
    struct run x = {0}, y = {0};
    bool more = next_run(&a, &x) && next_run(&b, &y);
    while (more) {
        common->from = x.from > y.from ? x.from : y.from;
        common->end = x.end < y.end ? x.end : y.end;
        if (common->from < common->end) {
            return true;
        }
        more = x.end <= y.end ? next_run(&a, &x) : next_run(&b, &y);
    }
    return false;
}

static struct fl_dsm_race_side side_of(const struct written *written, const struct run *bytes) {
    return (struct fl_dsm_race_side){
        .host = written->host,
        .pc = written->first.pc,
        .is_exact = written->first.offset / 8 >= bytes->from / 8 &&
                    written->first.offset < bytes->end,
    };
}

static bool report_if_common(const struct written *a, const struct written *b) {
    struct run bytes;
    if (!find_common(a->runs, b->runs, &bytes)) {
        return false;
    }
    const unsigned char *page = fl_map_address(&fl_dsm.map, a->page);
    fl_dsm.setup.check(&(struct fl_dsm_race){.address = (uintptr_t)page + bytes.from,
                                             .bytes = bytes.end - bytes.from,
                                             .sides = {side_of(a, &bytes), side_of(b, &bytes)}});
    return true;
}

/* What two hosts have written to a page, in the order of their intervals: of those of `a`, the ones
 * that are not ordered with one of `b` follow one another, and so do their begins and ends. */
static void compare(const struct written *a, const struct written *a_end, const struct written *b,
                    const struct written *b_end) {
    for (; b < b_end; b++) {
        while (a < a_end && knows(b, a->host, a->interval)) {
            a++;
        }
        for (const struct written *i = a; i < a_end && !knows(i, b->host, b->interval); i++) {
            if (report_if_common(i, b)) {
                break;
            }
        }
    }
}

static const struct written *end_of_host(const struct written *from, const struct written *end) {
    const struct written *at = from;
    while (at < end && at->host == from->host) {
        at++;
    }
    return at;
}

static void compare_hosts(const struct written *from, const struct written *end) {
    for (const struct written *a = from, *a_end; a < end; a = a_end) {
        a_end = end_of_host(a, end);
        for (const struct written *b = a_end, *b_end; b < end; b = b_end) {
            b_end = end_of_host(b, end);
            compare(a, a_end, b, b_end);
        }
    }
}

void fl_check_compare(void) {
    check.n = check.n_times = 0;
    bool good = take_noted(0, fl_text(check.closed.at, check.closed.n));
    for (unsigned h = 1; h < fl_dsm.hosts; h++) {
        good = good && take_noted(h, fl_text(check.heard[h].at, check.heard[h].n));
    }
    if (!good) {
        fl_fatal(FL_CODE_BAD_MESSAGE, "what hosts say that they have written makes no sense");
    }
    if (check.n > 0) {
        qsort(check.all, check.n, sizeof *check.all, by_page);
    }
    for (size_t from = 0, end; from < check.n; from = end) {
        for (end = from; end < check.n && check.all[end].page == check.all[from].page; end++) {
        }
        compare_hosts(&check.all[from], &check.all[end]);
    }
    for (unsigned h = 1; h < fl_dsm.hosts; h++) {
        check.heard[h].n = 0;
    }
    fl_check_forget();
}
