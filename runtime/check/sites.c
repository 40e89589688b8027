/* SPDX-License-Identifier: BSD-3-Clause */
/* See sites.h. */
#include "check/sites.h"

#include <stdio.h>
#include <string.h>

#define LISTS (sizeof check_memory.shared->site_lists / sizeof(uint32_t))

static uint32_t hash_text(uint32_t hash, const char *text) {
    while (text && *text) {
        hash = (hash ^ (unsigned char)*text++) * 0x01000193u; /* FNV-1a */
    }
    return hash;
}

static const char *text_at(uint32_t at) {
    return at ? check_memory.texts + at : NULL;
}

static bool same(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* 0 if there is no text, or no room. */
static uint32_t keep_text(const char *text) {
    struct check_shared *shared = check_memory.shared;
    uint32_t at = shared->text_bytes ? shared->text_bytes : 1;
    size_t bytes = text ? strlen(text) + 1 : 0;
    if (bytes == 0 || bytes > CHECK_TEXT_BYTES - at) {
        return 0;
    }
    memcpy(check_memory.texts + at, text, bytes);
    shared->text_bytes = at + (uint32_t)bytes;
    return at;
}

static uint32_t find_or_add(const char *file, int line, const char *what) {
    struct check_shared *shared = check_memory.shared;
    uint32_t hash = hash_text(hash_text(0x811c9dc5u + (uint32_t)line, file), what);
    uint32_t *list = &shared->site_lists[hash % LISTS];
    uint32_t file_text = 0, what_text = 0;
    for (uint32_t i = *list; i; i = check_memory.sites[i].next) {
        const struct check_site *site = &check_memory.sites[i];
        if ((int)site->line == line && same(text_at(site->file), file) &&
            same(text_at(site->what), what)) {
            return i;
        }
    }
    if (shared->n_sites + 1 >= CHECK_MAX_SITES) {
        return 0;
    }
    file_text = keep_text(file);
    what_text = keep_text(what);
    uint32_t new = ++shared->n_sites;
    check_memory.sites[new] = (struct check_site){(uint32_t)line, file_text, what_text, *list};
    *list = new;
    return new;
}

uint32_t check_site_slow(struct check_known_site *known, const char *file, int line,
                         const char *what) {
    fl_mutex_lock(&check_memory.shared->mutex);
    uint32_t site = find_or_add(file, line, what);
    fl_mutex_unlock(&check_memory.shared->mutex);
    *known = (struct check_known_site){file, what, line, site};
    return site;
}

struct check_place check_place_of(uint32_t number) {
    struct check_place place;
    const struct check_site *site = &check_memory.sites[number];
    const char *file = text_at(site->file), *what = text_at(site->what);
    if (!file) {
        snprintf(place.text, sizeof place.text, "%s%s", what ? what : "C code",
                 what ? " (called by C code)" : "");
    } else {
        snprintf(place.text, sizeof place.text, "%s:%u%s%s%s", file, site->line, what ? " (" : "",
                 what ? what : "", what ? ")" : "");
    }
    return place;
}
