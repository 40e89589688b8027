/* SPDX-License-Identifier: BSD-3-Clause */
/* See record.h. Sites are found by a private table with open addresses, whose keys are the addresses
 * of the texts. */
#include "core/record.h"

#include "core/fatal.h"
#include "platform/os.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SLOTS = 2 * FL_RECORD_MAX_SITES, PAGE = 4096 };

struct slot {
    const char *what, *file, *call; /* what null: free */
    int line;
    uint32_t site;
};

struct fl_record {
    struct fl_record_header *header;
    struct fl_record_site *sites;
    struct fl_record_peer *peers;
    char *strings;
    char *rows;
    struct fl_record_event *events;
    struct slot slots[SLOTS];
};

static FL_COLD _Noreturn void refuse(const char *path, int error) {
    fl_fatal(FL_CODE_SETTING,
             "FURLONG_REPORT: the recording `%s` cannot be written: %s; name a folder that all hosts "
             "can write, with room for it (FURLONG_REPORT_EVENTS events of 32 bytes for each "
             "thread)",
             path, strerror(-error));
}

static void copy_text(char *to, size_t room, const char *from) {
    snprintf(to, room, "%s", from ? from : "");
}

static void name_program(struct fl_record_header *header) {
    if (!fl_os_program_path(header->program, sizeof header->program)) {
        header->program[0] = 0;
    }
}

void fl_record_begin(struct fl_record *record, uint64_t at_ns) {
    record->header->begin_ns = at_ns;
    record->header->begin_real_ns = fl_os_real_ns() - (fl_os_now_ns() - at_ns);
}

static uint64_t row_bytes(unsigned counts) {
    return sizeof(struct fl_record_row) + counts * sizeof(uint64_t);
}

static uint64_t max_rows(const struct fl_record_setup *setup) {
    uint64_t most = FL_RECORD_ROWS_BYTES / row_bytes(setup->near);
    return setup->near == 0 ? 0 : most < FL_RECORD_MAX_SITES ? most : FL_RECORD_MAX_SITES;
}

/* The magic number comes last: a reader takes a file without it for one that is not begun. */
static void describe(struct fl_record *record, const struct fl_record_setup *setup) {
    struct fl_record_header *header = record->header;
    header->version = FL_RECORD_VERSION;
    header->header_bytes = sizeof *header;
    header->model = setup->model;
    header->thread = setup->thread;
    header->threads = setup->threads;
    header->process = setup->process;
    header->host = setup->host;
    header->hosts = setup->hosts;
    header->used_sites = 1; /* the first one counts what finds no site of its own */
    header->used_string_bytes = 1;
    header->max_rows = (uint32_t)max_rows(setup);
    header->row_counts = setup->near;
    header->first_peer = setup->first_near;
    fl_record_begin(record, fl_os_now_ns());
    copy_text(header->host_name, sizeof header->host_name, setup->host_name);
    name_program(header);
    atomic_signal_fence(memory_order_seq_cst);
    header->magic = FL_RECORD_MAGIC;
}

struct fl_record *fl_record_open(const struct fl_record_setup *setup) {
    struct fl_record *record = FL_ALLOCATED(fl_os_memory_private(sizeof *record),
                                            "the recording of thread %u", setup->thread);
    uint64_t events = 1ull << fl_log2_ceil(setup->events);
    uint64_t sites_at = fl_round_up(sizeof *record->header, FL_CACHE_LINE);
    uint64_t peers_at = sites_at + FL_RECORD_MAX_SITES * sizeof *record->sites;
    uint64_t strings_at = peers_at + setup->peers * sizeof *record->peers;
    uint64_t rows_at = fl_round_up(strings_at + FL_RECORD_STRING_BYTES, FL_CACHE_LINE);
    uint64_t events_at = fl_round_up(rows_at + max_rows(setup) * row_bytes(setup->near), PAGE);
    (void)mkdir(setup->folder, 0777); /* another thread may have done it */
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/thread-%u.rec", setup->folder, setup->thread);
    int fd;
    uint64_t bytes = events_at + events * sizeof *record->events;
    int error = fl_os_file_create(path, bytes, &fd);
    void *base = NULL;
    if (!error) {
        error = fl_os_memory_map(fd, 0, bytes, &base);
        close(fd);
    }
    if (error) {
        refuse(path, error);
    }
    record->header = base;
    record->sites = (struct fl_record_site *)((char *)base + sites_at);
    record->peers = (struct fl_record_peer *)((char *)base + peers_at);
    record->strings = (char *)base + strings_at;
    record->rows = (char *)base + rows_at;
    record->events = (struct fl_record_event *)((char *)base + events_at);
    record->header->sites_at = sites_at;
    record->header->peers_at = peers_at;
    record->header->strings_at = strings_at;
    record->header->rows_at = rows_at;
    record->header->events_at = events_at;
    record->header->max_sites = FL_RECORD_MAX_SITES;
    record->header->max_peers = setup->peers;
    record->header->max_string_bytes = FL_RECORD_STRING_BYTES;
    record->header->max_events = (uint32_t)events;
    describe(record, setup);
    return record;
}

/* Where the copy of the text begins; 0: no text, or no room. */
static uint32_t add_text(struct fl_record *record, const char *text) {
    size_t bytes = text ? strlen(text) + 1 : 0;
    uint64_t at = record->header->used_string_bytes;
    if (!bytes || at + bytes > FL_RECORD_STRING_BYTES) {
        return 0;
    }
    memcpy(record->strings + at, text, bytes);
    record->header->used_string_bytes = at + bytes;
    return (uint32_t)at;
}

static FL_COLD uint32_t add_site(struct fl_record *record, struct slot *slot,
                                 const struct fl_record_step *step) {
    uint64_t number = record->header->used_sites;
    if (number >= FL_RECORD_MAX_SITES) {
        return 0;
    }
    *slot = (struct slot){step->what, step->file, step->call, step->line, (uint32_t)number};
    struct fl_record_site *site = &record->sites[number];
    *site = (struct fl_record_site){.line = step->line,
                                    .least_size = UINT32_MAX,
                                    .peer = FL_RECORD_NOBODY,
                                    .first_peer = FL_RECORD_NOBODY};
    site->what = add_text(record, step->what);
    for (uint64_t i = 1; i < number && !site->file; i++) {
        const char *file = record->strings + record->sites[i].file;
        site->file = step->file && strcmp(file, step->file) == 0 ? record->sites[i].file : 0;
    }
    site->file = site->file ? site->file : add_text(record, step->file);
    site->call = add_text(record, step->call);
    record->header->used_sites = number + 1;
    return (uint32_t)number;
}

static inline uint32_t find_site(struct fl_record *record, const struct fl_record_step *step) {
    uint64_t texts = ((uint64_t)step->file * 31 + (uint64_t)step->what) * 31 + (uint64_t)step->call;
    uint64_t hash = texts * 31 + (uint64_t)step->line;
    size_t i = (hash * 0x9e3779b97f4a7c15) >> 32;
    for (unsigned tries = 0; tries < SLOTS; i++, tries++) {
        struct slot *slot = &record->slots[i & (SLOTS - 1)];
        if (FL_UNLIKELY(!slot->what)) {
            return add_site(record, slot, step);
        }
        if (FL_LIKELY(slot->line == step->line && slot->what == step->what &&
                      slot->file == step->file && slot->call == step->call)) {
            return slot->site;
        }
    }
    return 0;
}

/* Boyer and Moore's majority vote: a peer of more than half of the operations wins. */
static inline void vote(struct fl_record_site *site, uint32_t peer, unsigned operations) {
    if (site->peer == peer) {
        site->votes += operations;
    } else if (site->votes <= operations) {
        site->votes = operations - site->votes;
        site->peer = peer;
    } else {
        site->votes -= operations;
    }
}

static inline void count_peer(struct fl_record *record, struct fl_record_site *site,
                              const struct fl_record_step *step) {
    struct fl_record_peer *peer = &record->peers[step->peer];
    if (step->side == FL_RECORD_READS) {
        peer->reads += step->operations;
        peer->read_bytes += step->bytes;
    } else {
        peer->writes += step->operations;
        peer->written_bytes += step->bytes;
    }
    if (step->reach != FL_RECORD_OWN) {
        vote(site, step->peer, step->operations);
    }
}

static inline void count(struct fl_record *record, struct fl_record_site *site,
                         const struct fl_record_step *step) {
    site->operations += step->operations;
    site->bytes += step->bytes;
    site->ns += step->ns;
    site->longest_ns = step->ns > site->longest_ns ? step->ns : site->longest_ns;
    if (step->side == FL_RECORD_WAITS) {
        return;
    }
    uint64_t *reach = step->reach == FL_RECORD_OWN    ? &site->own
                      : step->reach == FL_RECORD_NEAR ? &site->near
                                                      : &site->far;
    *reach += step->operations;
    if (step->operations) {
        uint64_t each = step->operations == 1 ? step->bytes : step->bytes / step->operations;
        uint32_t size = each < UINT32_MAX ? (uint32_t)each : UINT32_MAX;
        site->least_size = size < site->least_size ? size : site->least_size;
        site->largest_size = size > site->largest_size ? size : site->largest_size;
    }
    if (step->peer < record->header->max_peers) {
        count_peer(record, site, step);
    }
}

void fl_record_add(struct fl_record *record, const struct fl_record_step *step) {
    uint32_t number = find_site(record, step);
    count(record, &record->sites[number], step);
    if (!step->begin_ns) {
        return;
    }
    struct fl_record_header *header = record->header;
    /* Relaxed: the thread itself writes, and readers come after its end. */
    uint64_t at = atomic_load_explicit(&header->events, memory_order_relaxed);
    record->events[at & (header->max_events - 1)] = (struct fl_record_event){
        step->begin_ns, step->ns, number, step->peer, step->value};
    atomic_signal_fence(memory_order_seq_cst); /* a signal may end the thread in between */
    atomic_store_explicit(&header->events, at + 1, memory_order_relaxed);
}

uint64_t *fl_record_row(struct fl_record *record, const struct fl_record_place *place) {
    struct fl_record_header *header = record->header;
    if (header->used_rows >= header->max_rows) {
        return NULL;
    }
    uint64_t at = header->used_rows * row_bytes(header->row_counts);
    struct fl_record_row *row = (struct fl_record_row *)(record->rows + at);
    struct fl_record_step step = {.file = place->file, .line = place->line};
    row->bytes = place->bytes;
    row->flags = place->with_own ? FL_RECORD_ROW_WITH_OWN : 0;
    if (place->reads) {
        step.what = FL_RECORD_READ;
        row->reads = find_site(record, &step);
    }
    if (place->writes) {
        step.what = FL_RECORD_WRITE;
        row->writes = find_site(record, &step);
    }
    atomic_signal_fence(memory_order_seq_cst); /* a signal may end the thread in between */
    header->used_rows++;
    return row->counts;
}

void fl_record_memory(struct fl_record *record, uint64_t bytes) {
    struct fl_record_header *header = record->header;
    header->shared_bytes = bytes;
    header->shared_peak_bytes = bytes > header->shared_peak_bytes ? bytes : header->shared_peak_bytes;
}

void fl_record_close_sigsafe(struct fl_record *record) {
    record->header->resident_bytes = fl_os_resident_peak_sigsafe();
    record->header->end_ns = fl_os_now_ns();
}
