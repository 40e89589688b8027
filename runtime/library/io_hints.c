/* SPDX-License-Identifier: BSD-3-Clause */
/* See io_hints.h. */
#include "library/io_hints.h"

#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

static const char *const known[] = {
    "access_style", "collective_buffering", "cb_buffer_size",  "cb_nodes",        "file_perm",
    "io_node_list", "nb_proc",              "striping_factor", "start_io_device", "striping_unit",
};

static bool is_known(const char *key) {
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i], key) == 0) {
            return true;
        }
    }
    return false;
}

static upc_hint_t *find(const struct upc_io_hints *hints, const char *key) {
    for (size_t i = 0; i < hints->count; i++) {
        if (strcmp(hints->list[i].key, key) == 0) {
            return &hints->list[i];
        }
    }
    return NULL;
}

int upc_io_hints_set(struct upc_io_hints *hints, const upc_hint_t *hint) {
    if (!hint->key || !hint->value || !is_known(hint->key)) {
        return 0;
    }
    char *value = strdup(hint->value);
    upc_hint_t *old = find(hints, hint->key);
    if (old && value) {
        free((char *)old->value);
        old->value = value;
        return 0;
    }
    char *key = strdup(hint->key);
    upc_hint_t *list = realloc(hints->list, (hints->count + 1) * sizeof *list);
    hints->list = list ? list : hints->list;
    if (!value || !key || !list) {
        free(value);
        free(key);
        return ENOMEM;
    }
    list[hints->count++] = (upc_hint_t){key, value};
    return 0;
}

void upc_io_hints_free(struct upc_io_hints *hints) {
    for (size_t i = 0; i < hints->count; i++) {
        free((char *)hints->list[i].key);
        free((char *)hints->list[i].value);
    }
    free(hints->list);
    *hints = (struct upc_io_hints){0};
}

static uint64_t number(const struct upc_io_hints *hints, const char *key, int base,
                       uint64_t otherwise) {
    const upc_hint_t *hint = find(hints, key);
    char *end;
    if (!hint || hint->value[0] < '0' || hint->value[0] > '9') {
        return otherwise;
    }
    uint64_t value = strtoull(hint->value, &end, base);
    return *end == '\0' ? value : otherwise;
}

unsigned upc_io_hints_mode(const struct upc_io_hints *hints) {
    return (unsigned)number(hints, "file_perm", 8, 0666) & 07777;
}

uint64_t upc_io_hints_number(const struct upc_io_hints *hints, const char *key) {
    return number(hints, key, 10, 0);
}

/* Whether `word` is among the comma-separated ones. */
static bool lists(const char *text, const char *word) {
    size_t length = strlen(word);
    while (*text) {
        size_t size = strcspn(text, ",");
        if (size == length && memcmp(text, word, length) == 0) {
            return true;
        }
        text += size;
        text += *text == ',';
    }
    return false;
}

void upc_io_hints_advise(const struct upc_io_hints *hints, int fd) {
    const upc_hint_t *style = find(hints, "access_style");
    if (style && lists(style->value, "sequential")) {
        fl_io_advise(fd, POSIX_FADV_SEQUENTIAL);
    } else if (style && lists(style->value, "random")) {
        fl_io_advise(fd, POSIX_FADV_RANDOM);
    }
    if (style && lists(style->value, "read_once")) {
        fl_io_advise(fd, POSIX_FADV_NOREUSE);
    }
}
