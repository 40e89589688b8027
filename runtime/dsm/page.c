/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * States of pages, and faults. If the page's state allows the access, a fault only restores the
 * mapping, since another thread has just changed the state or the kernel has dropped the mapping;
 * else it changes the state first.
 */
#include "dsm/inside.h"

#include <errno.h>
#include <string.h>

enum {
    OWN_RUN = 16,  /* pages without copies that one fault maps */
    WRITE_RUN = 16 /* pages that one fault makes writable, at most */
};

_Thread_local unsigned fl_page_chunks_held;

void fl_page_start(void) {
    fl_dsm.twins.memory = fl_dsm_memory((size_t)fl_dsm.map.pages + 1, FL_MAP_PAGE);
    fl_dsm.twins.free = fl_dsm_memory(fl_dsm.map.pages, sizeof *fl_dsm.twins.free);
    fl_dsm.chunks = fl_dsm_memory(fl_dsm.map.pages / FL_MAP_CHUNK + 1, sizeof *fl_dsm.chunks);
}

void fl_page_begin_chunk(uint32_t chunk) {
    const struct fl_map_range *range = fl_map_range_of(&fl_dsm.map, chunk * FL_MAP_CHUNK);
    uint64_t at = (uint64_t)(chunk * FL_MAP_CHUNK - range->first) * FL_MAP_PAGE;
    for (uint32_t i = 0; i < FL_MAP_CHUNK && at < range->bytes; i++, at += FL_MAP_PAGE) {
        struct fl_page *page = &fl_dsm.pages[chunk * FL_MAP_CHUNK + i];
        page->home = (uint16_t)fl_map_home(range, at);
        page->fixed = range->fixed;
        page->state = page->home == fl_dsm.me ? FL_PAGE_OWN : FL_PAGE_ABSENT;
    }
    fl_dsm.chunks[chunk].begun = true;
}

static void check(int error, uint64_t since) {
    FL_DSM_ADD(protections, 1);
    FL_DSM_ADD(protections_ns, fl_os_now_ns() - since);
    if (FL_UNLIKELY(error)) {
        fl_fatal(FL_CODE_SHARED_MEMORY,
                 "the kernel refuses to change what may be done with a page: %s%s",
                 strerror(-error),
                 error == -ENOMEM ? "; raise vm.max_map_count (sysctl)" : "");
    }
}

static int handle_of(uint32_t page) {
    return fl_dsm_chunk(page)->on ? fl_dsm.track.handle : fl_dsm.map.handle;
}

/* Through the alias: from then on the file has the page. */
static void touch(uint32_t first, uint32_t n) {
    for (uint32_t p = first; p < first + n; p++) {
        (void)*(volatile unsigned char *)fl_map_alias(&fl_dsm.map, p);
    }
}

void fl_page_allow(uint32_t first, uint32_t n, bool writable) {
    touch(first, n);
    uint64_t since = fl_os_now_ns();
    check(fl_dsm.map.ops->allow(handle_of(first), fl_map_address(&fl_dsm.map, first),
                                (size_t)n * FL_MAP_PAGE, writable || fl_dsm.original),
          since);
    if (fl_dsm.original && !writable) {
        fl_page_protect(first, n);
    }
}

void fl_page_upgrade(uint32_t first, uint32_t n) {
    uint64_t since = fl_os_now_ns();
    check(fl_dsm.map.ops->upgrade(handle_of(first), fl_map_address(&fl_dsm.map, first),
                                  (size_t)n * FL_MAP_PAGE),
          since);
}

static struct fl_os_run run_of(uint32_t first, uint32_t n) {
    return (struct fl_os_run){fl_map_address(&fl_dsm.map, first), (size_t)n * FL_MAP_PAGE};
}

void fl_page_protect(uint32_t first, uint32_t n) {
    struct fl_os_run run = run_of(first, n);
    uint64_t since = fl_os_now_ns();
    check(fl_dsm.map.ops->protect(handle_of(first), &run, 1), since);
}

void fl_page_forbid(uint32_t first, uint32_t n) {
    struct fl_os_run run = run_of(first, n);
    uint64_t since = fl_os_now_ns();
    check(fl_dsm.map.ops->forbid(handle_of(first), &run, 1), since);
}

/* ---- twins ---- */

void fl_page_make_twin(uint32_t page) {
    FL_DSM_ADD(twins, 1);
    fl_mutex_lock(&fl_dsm.twins.mutex);
    uint32_t twin = fl_dsm.twins.n_free ? fl_dsm.twins.free[--fl_dsm.twins.n_free]
                                        : ++fl_dsm.twins.used;
    fl_mutex_unlock(&fl_dsm.twins.mutex);
    fl_assert(!fl_dsm.pages[page].twin && twin <= fl_dsm.map.pages);
    fl_dsm.pages[page].twin = twin;
    memcpy(fl_page_twin(&fl_dsm.pages[page]), fl_map_alias(&fl_dsm.map, page), FL_MAP_PAGE);
}

void fl_page_drop_twin(uint32_t page) {
    fl_assert(fl_dsm.pages[page].twin && fl_page_chunks_held > 0);
    fl_mutex_lock(&fl_dsm.twins.mutex);
    fl_dsm.twins.free[fl_dsm.twins.n_free++] = fl_dsm.pages[page].twin;
    fl_mutex_unlock(&fl_dsm.twins.mutex);
    fl_dsm.pages[page].twin = 0;
}

/* ---- faults ---- */

void fl_page_note_dirty(uint32_t page) {
    if (fl_dsm.pages[page].listed) {
        return;
    }
    fl_dsm.pages[page].listed = true;
    fl_mutex_lock(&fl_dsm.dirty.mutex);
    fl_assert(fl_dsm.dirty.list.n < fl_dsm.map.pages);
    fl_dsm.dirty.list.pages[fl_dsm.dirty.list.n++] = page;
    fl_mutex_unlock(&fl_dsm.dirty.mutex);
}

static void become_writable(uint32_t page) {
    if (fl_dsm.pages[page].home != fl_dsm.me || !fl_dsm.pages[page].dense) {
        fl_page_make_twin(page);
    }
    fl_page_become(page, FL_PAGE_WRITABLE);
}

void fl_page_become_readable(uint32_t page) {
    if (fl_dsm_chunk(page)->on) {
        become_writable(page);
        fl_track_add(page);
    } else {
        fl_page_become(page, FL_PAGE_READABLE);
    }
}

/* Sequential accesses of the thread: of each, where its last run of pages ended, and how many pages
 * that run had. */
enum { SEQUENCES = 8 };

struct sequence {
    uint32_t next, pages;
};

struct sequences {
    struct sequence all[SEQUENCES];
    unsigned turn;
};
static _Thread_local struct sequences writes, own;

/* The sequence that goes on at the page, or a new one, which has no pages. */
static struct sequence *sequence_at(struct sequences *sequences, uint32_t page) {
    for (unsigned i = 0; i < SEQUENCES && !fl_dsm.original; i++) {
        if (sequences->all[i].pages > 0 && sequences->all[i].next == page) {
            return &sequences->all[i];
        }
    }
    struct sequence *new = &sequences->all[sequences->turn++ % SEQUENCES];
    new->pages = 0;
    return new;
}

static void sequence_go_on(struct sequence *sequence, uint32_t first, uint32_t end) {
    sequence->next = end;
    sequence->pages = end - first;
}

/* Makes the page writable, and some after it: twice as many each time that the thread goes on where
 * the last run ended. A page that is not written to after all equals its twin, and has no diff. */
static void first_write(uint32_t page, uintptr_t address, uintptr_t pc) {
    FL_DSM_ADD(write_faults, 1);
    bool checks = fl_dsm.setup.check;
    if (FL_UNLIKELY(checks)) {
        fl_check_note_first(page, address, pc);
    }
    fl_track_note_fault(page);
    struct sequence *sequence = sequence_at(&writes, page);
    uint32_t pages = sequence->pages;
    uint32_t most = pages == 0 || checks ? 1 : pages < WRITE_RUN ? 2 * pages : WRITE_RUN;
    uint32_t end = page;
    do {
        become_writable(end);
        fl_page_note_dirty(end++);
    } while (end < page + most && end % FL_MAP_CHUNK &&
             fl_dsm.pages[end].state == FL_PAGE_READABLE &&
             !(fl_dsm.pages[end].home == fl_dsm.me && fl_dsm.pages[end].dense));
    fl_page_upgrade(page, end - page);
    sequence_go_on(sequence, page, end);
}

/* Maps pages of which there is no copy: some at once, or, for a thread that goes on from the last
 * run, up to the end of the chunk. */
static void allow_own(uint32_t page) {
    uint32_t end = page + 1;
    struct sequence *sequence = sequence_at(&own, page);
    uint32_t most = fl_dsm.original || sequence->pages > 0 ? FL_MAP_CHUNK : OWN_RUN;
    const struct fl_map_range *range = fl_map_range_of(&fl_dsm.map, page);
    uint32_t last = range->first + (uint32_t)(range->bytes / FL_MAP_PAGE);
    while (end < last && end % FL_MAP_CHUNK && end < page + most &&
           fl_dsm.pages[end].state == FL_PAGE_OWN) {
        end++;
    }
    fl_page_allow(page, end - page, true);
    sequence_go_on(sequence, page, end);
}

/* Makes a ready page accessible, and those after it, which are likely to be used as well. */
static void use_ready(uint32_t page) {
    uint32_t end = page;
    do {
        fl_dsm.pages[end].ready = false;
        fl_dsm.pages[end].unused = 0;
        fl_page_become_readable(end++);
    } while (end % FL_MAP_CHUNK && fl_dsm.pages[end].state == FL_PAGE_ABSENT &&
             fl_dsm.pages[end].ready);
    fl_page_allow(page, end - page, false);
}

/* The kernel has dropped a page's mapping, and with it the note whether it has been written. */
static void allow_again(uint32_t page) {
    bool tracked = fl_track_has(page);
    if (tracked) {
        fl_page_note_dirty(page);
    }
    fl_page_allow(page, 1, !tracked);
}

/* A page of this home's own is watched as if others had copies. */
static void watch_own(uint32_t page) {
    fl_page_allow(page, 1, false);
    fl_log_begin(page);
    fl_page_become_readable(page);
}

static bool resolve(uintptr_t address, bool write, uintptr_t pc) {
    uint32_t page = fl_map_page(&fl_dsm.map, address);
    if (page == FL_MAP_NONE) {
        return false;
    }
    bool fetched = false;
    for (;;) {
        fl_page_lock(page);
        if (fl_dsm.pages[page].fixed && fl_dsm.pages[page].home == fl_dsm.me) {
            fl_page_unlock(page);
            return false; /* never restricted: another fault */
        }
        switch ((enum fl_page_state)fl_dsm.pages[page].state) {
        case FL_PAGE_ABSENT:
            FL_DSM_ADD(read_faults, 1);
            if (fl_dsm.pages[page].ready) {
                use_ready(page);
                fetched = true;
                fl_page_unlock(page);
                continue;
            }
            fl_fetch(page);
            fetched = true;
            continue;
        case FL_PAGE_FETCHING:
            fl_fetch_await(page);
            fetched = true;
            continue;
        case FL_PAGE_READABLE:
            if (write) {
                first_write(page, address, pc);
            } else if (!fetched) {
                fl_page_allow(page, 1, false);
            }
            break;
        case FL_PAGE_WRITABLE:
            if (!fetched) {
                allow_again(page);
            }
            break;
        case FL_PAGE_OWN:
            if (FL_UNLIKELY(fl_dsm.setup.check)) {
                watch_own(page);
                fl_page_unlock(page);
                continue;
            }
            allow_own(page);
            break;
        }
        fl_page_unlock(page);
        return true;
    }
}

bool fl_page_resolve_sigsafe(uintptr_t address, bool write, uintptr_t pc) {
    uint64_t since = fl_os_now_ns();
    bool resolved = resolve(address, write, pc);
    uint64_t ns = fl_os_now_ns() - since;
    fl_dsm_thread_spent_ns += ns;
    if (FL_UNLIKELY(fl_dsm.setup.note_sigsafe) && resolved) {
        fl_dsm.setup.note_sigsafe(&(struct fl_dsm_event){
            write ? FL_DSM_WRITE_FAULT : FL_DSM_READ_FAULT, address, pc, ns});
    }
    return resolved;
}

void fl_dsm_claim(const void *memory, size_t bytes) {
    uintptr_t end = (uintptr_t)memory + bytes;
    for (uintptr_t at = (uintptr_t)memory / FL_MAP_PAGE * FL_MAP_PAGE; at < end;
         at += FL_MAP_PAGE) {
        uint32_t page = fl_map_page(&fl_dsm.map, at);
        if (page == FL_MAP_NONE) {
            continue;
        }
        /* Reads in order, so that fetches run ahead. The page stays: no notice comes meanwhile. */
        (void)*(volatile unsigned char *)at;
        fl_page_lock(page);
        struct fl_page *p = &fl_dsm.pages[page];
        bool readable = p->state == FL_PAGE_READABLE;
        if ((readable || fl_track_has(page)) && !p->fixed && p->home != fl_dsm.me) {
            if (readable) {
                become_writable(page);
                fl_page_upgrade(page, 1);
            }
            fl_page_note_dirty(page);
            p->claimed = true;
        }
        fl_page_unlock(page);
    }
}
