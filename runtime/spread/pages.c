/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the report has of coherent memory (FURLONG_REPORT, docs/report.md): which places of the program
 * have had faults in which pages, and how often this host has written to pages that others may have. A
 * table in a mapped file for each host, DIR/host-N.pages, which stays whatever ends the host;
 * tools/src/report/pages.rs reads it, and finds the names.
 */
#include "spread/inside.h"

#include "core/mutex.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC 0x31474150474e4c46ull /* "FLNGPAG1" in memory */

enum { ENTRIES = 1 << 15, TRIES = 64, FOLDER_MOST = 4000 };

/* All hosts and the reader have the same, little-endian. */
struct header {
    uint64_t magic;
    uint32_t host, hosts;
    uint64_t entries;
    uint64_t lost;  /* for which there was no place */
    uint64_t shift; /* of the program's addresses */
    char program[512];
};
struct entry {
    uint64_t page; /* its address; 0: free */
    uint64_t pc;   /* 0: what has been written, by all places */
    uint64_t reads, writes; /* faults; of no place: writes are intervals in which it was written */
    uint64_t ns;
};
_Static_assert(sizeof(struct header) == 552 && sizeof(struct entry) == 40, "the format");

static struct {
    struct fl_mutex mutex;
    struct header *header;
    struct entry *entries;
} pages;

/* The caller has the mutex. */
static struct entry *find(uint64_t page, uint64_t pc) {
    uint64_t at = (page * 31 + pc) * 0x9e3779b97f4a7c15u >> 40;
    for (unsigned i = 0; i < TRIES; i++, at++) {
        struct entry *entry = &pages.entries[at % ENTRIES];
        if (entry->page == 0) {
            entry->page = page;
            entry->pc = pc;
        }
        if (entry->page == page && entry->pc == pc) {
            return entry;
        }
    }
    return NULL;
}

void fl_pages_note_sigsafe(const struct fl_dsm_event *event) {
    bool written = event->kind == FL_DSM_WRITTEN;
    fl_mutex_lock(&pages.mutex);
    struct entry *entry = find(event->address / FL_MAP_PAGE * FL_MAP_PAGE, written ? 0 : event->pc);
    if (entry) {
        entry->reads += event->kind == FL_DSM_READ_FAULT;
        entry->writes += event->kind != FL_DSM_READ_FAULT;
        entry->ns += event->ns;
    } else {
        pages.header->lost++;
    }
    fl_mutex_unlock(&pages.mutex);
}

static FL_COLD _Noreturn void refuse(const char *path, int error) {
    fl_fatal(FL_CODE_SETTING, "FURLONG_REPORT: `%s` cannot be written: %s; name a folder that all "
             "hosts can write", path, strerror(-error));
}

bool fl_pages_start(void) {
    const char *folder = fl_spread.params.report;
    if (!folder || !*folder) {
        return false;
    }
    char path[FOLDER_MOST + 64];
    (void)mkdir(folder, 0777); /* another host may have done it */
    snprintf(path, sizeof path, "%.*s/host-%u.pages", (int)FOLDER_MOST, folder, fl_spread_me());
    int fd;
    uint64_t bytes = sizeof(struct header) + ENTRIES * sizeof(struct entry);
    int error = fl_os_file_create(path, bytes, &fd);
    void *base = NULL;
    if (!error) {
        error = fl_os_memory_map(fd, 0, bytes, &base);
        close(fd);
    }
    if (error) {
        refuse(path, error);
    }
    pages.header = base;
    pages.entries = (struct entry *)(pages.header + 1);
    pages.header->host = fl_spread_me();
    pages.header->hosts = fl_spread_hosts();
    pages.header->entries = ENTRIES;
    pages.header->shift = fl_os_program_shift();
    if (!fl_os_program_path(pages.header->program, sizeof pages.header->program)) {
        pages.header->program[0] = 0;
    }
    pages.header->magic = MAGIC;
    return true;
}
