/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record.h"

#include "core/test.h"

#include <fcntl.h>
#include <signal.h>

enum { EVENTS = 1024, PEERS = 5 };

static char folder[] = "/tmp/furlong-record-XXXXXX";

static struct fl_record *open_of(unsigned thread) {
    return fl_record_open(&(struct fl_record_setup){.folder = folder,
                                                    .thread = thread,
                                                    .threads = PEERS,
                                                    .hosts = 1,
                                                    .peers = PEERS,
                                                    .first_near = 1,
                                                    .near = 3,
                                                    .events = EVENTS - 1, /* is rounded up */
                                                    .host_name = "here"});
}

static const char *read_file(unsigned thread) {
    char path[128];
    snprintf(path, sizeof path, "%s/thread-%u.rec", folder, thread);
    int fd = open(path, O_RDONLY);
    void *base = mmap(NULL, 1 << 20, PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    unlink(path);
    return base;
}

static const struct fl_record_header *header_of(const char *base) {
    return (const struct fl_record_header *)base;
}

static const struct fl_record_site *site_of(const char *base, unsigned number) {
    return (const struct fl_record_site *)(base + header_of(base)->sites_at) + number;
}

static const char *text_of(const char *base, uint32_t at) {
    return base + header_of(base)->strings_at + at;
}

static void sums(void) {
    struct fl_record *record = open_of(0);
    struct fl_record_step read = {.what = "read", .file = "a.upc", .line = 7, .operations = 1,
                                  .side = FL_RECORD_READS, .reach = FL_RECORD_NEAR, .bytes = 8};
    for (unsigned i = 0; i < 10; i++) {
        read.peer = i % 5 == 0 ? 4 : 3;
        fl_record_add(record, &read);
    }
    struct fl_record_step wait = {.what = "barrier", .file = "a.upc", .line = 9, .operations = 1,
                                  .peer = FL_RECORD_NOBODY, .begin_ns = 100, .ns = 50};
    fl_record_add(record, &wait);
    fl_record_memory(record, 4096);
    fl_record_memory(record, 64);
    fl_record_close_sigsafe(record);
    const char *base = read_file(0);
    const struct fl_record_header *header = header_of(base);
    CHECK(header->magic == FL_RECORD_MAGIC && header->end_ns >= header->begin_ns, "it has ended");
    CHECK(header->shared_bytes == 64 && header->shared_peak_bytes == 4096, "memory and its peak");
    const struct fl_record_site *site = site_of(base, 1);
    CHECK(site->operations == 10 && site->bytes == 80 && site->near == 10 && site->far == 0 &&
              site->least_size == 8 && site->largest_size == 8,
          "operations and bytes of a site");
    CHECK(site->peer == 3, "thread 3 has the majority");
    CHECK(strcmp(text_of(base, site->file), "a.upc") == 0 && site->line == 7 &&
              strcmp(text_of(base, site->what), "read") == 0,
          "its place");
    CHECK(site_of(base, 2)->file == site->file && site_of(base, 2)->ns == 50, "a name stands once");
    const struct fl_record_peer *peers = (const struct fl_record_peer *)(base + header->peers_at);
    CHECK(peers[3].reads == 8 && peers[3].read_bytes == 64 && peers[4].reads == 2, "the peers");
    CHECK(atomic_load_explicit(&header->events, memory_order_relaxed) == 1, "only waits are events");
}

static void rows(void) {
    struct fl_record *record = open_of(2);
    struct fl_record_place place = {.file = "a.upc", .line = 7, .reads = true, .writes = true,
                                    .bytes = 4};
    uint64_t *both = fl_record_row(record, &place);
    place.reads = false;
    uint64_t *writes = fl_record_row(record, &place);
    both[2] = 5;
    writes[0] = 6;
    unsigned more = 0;
    while (fl_record_row(record, &place)) {
        more++;
    }
    fl_record_close_sigsafe(record);
    const char *base = read_file(2);
    const struct fl_record_header *header = header_of(base);
    CHECK(header->used_rows == more + 2 && header->max_rows == more + 2, "all rows have room");
    CHECK(header->row_counts == 3 && header->first_peer == 1, "a count for each thread here");
    const struct fl_record_row *row = (const struct fl_record_row *)(base + header->rows_at);
    CHECK(row->bytes == 4 && row->flags == 0 && row->counts[2] == 5, "the first row");
    CHECK(strcmp(text_of(base, site_of(base, row->reads)->what), "read") == 0, "it reads");
    uint32_t written = row->writes;
    CHECK(strcmp(text_of(base, site_of(base, written)->what), "write") == 0, "and writes");
    row = (const struct fl_record_row *)((const char *)row + sizeof *row + 3 * sizeof *both);
    CHECK(row->writes == written && row->reads == 0 && row->counts[0] == 6, "the same place again");
}

static void ring(void) {
    struct fl_record *record = open_of(1);
    struct fl_record_step wait = {.what = "barrier", .operations = 1, .peer = FL_RECORD_NOBODY};
    for (unsigned i = 1; i <= EVENTS + 3; i++) {
        wait.begin_ns = i;
        fl_record_add(record, &wait);
    }
    const char *base = read_file(1);
    const struct fl_record_event *events =
        (const struct fl_record_event *)(base + header_of(base)->events_at);
    CHECK(header_of(base)->max_events == EVENTS, "a power of two");
    CHECK(atomic_load_explicit(&header_of(base)->events, memory_order_relaxed) == EVENTS + 3,
          "all are counted");
    CHECK(events[2].begin_ns == EVENTS + 3 && events[3].begin_ns == 4, "the newest ones stay");
}

/* More places than there is room for: the rest counts as one place. */
static void too_many_sites(void) {
    struct fl_record *record = open_of(2);
    struct fl_record_step step = {.what = "barrier", .operations = 1, .peer = FL_RECORD_NOBODY};
    for (step.line = 1; step.line <= FL_RECORD_MAX_SITES + 9; step.line++) {
        fl_record_add(record, &step);
    }
    const char *base = read_file(2);
    CHECK(header_of(base)->used_sites == FL_RECORD_MAX_SITES && site_of(base, 0)->operations == 10,
          "ten places share one");
}

static void killed(void) {
    pid_t child = fork();
    if (child == 0) {
        struct fl_record_step wait = {.what = "lock", .operations = 1, .peer = FL_RECORD_NOBODY};
        fl_record_add(open_of(3), &wait);
        raise(SIGKILL);
    }
    waitpid(child, NULL, 0);
    const char *base = read_file(3);
    CHECK(header_of(base)->magic == FL_RECORD_MAGIC && header_of(base)->end_ns == 0 &&
              site_of(base, 1)->operations == 1,
          "who is killed leaves what it has done");
}

int main(void) {
    if (!mkdtemp(folder)) {
        return 77;
    }
    sums();
    rows();
    ring();
    too_many_sites();
    killed();
    rmdir(folder);
    return test_done();
}
