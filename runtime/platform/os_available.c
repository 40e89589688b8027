/* SPDX-License-Identifier: BSD-3-Clause */
/* See os_available.h. /proc/meminfo, and control groups of the second generation; the first
 * generation only where it shows the process's group as the root, as in containers. */
#include "platform/os_available.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GROUPS "/sys/fs/cgroup"

/* The beginning of a file as text; false if it cannot be read. */
static bool read_text(const char *path, char *text, size_t size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    ssize_t got = read(fd, text, size - 1);
    close(fd);
    text[got > 0 ? got : 0] = '\0';
    return got > 0;
}

/* The number after `key` at the beginning of a line; 0 if there is none. */
static uint64_t number_after(const char *text, const char *key) {
    size_t length = strlen(key);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, length) == 0) {
            return strtoull(line + length, NULL, 10);
        }
    }
    return 0;
}

uint64_t os_machine_available(void) {
    char text[4096];
    if (!read_text("/proc/meminfo", text, sizeof text) || !strstr(text, "MemAvailable:")) {
        return UINT64_MAX;
    }
    return (number_after(text, "MemAvailable:") + number_after(text, "SwapFree:")) * 1024;
}

/* The number in a file of a group; UINT64_MAX for "max", or if there is no such file. */
static uint64_t group_number(const char *folder, const char *name) {
    char path[512], text[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    bool good = read_text(path, text, sizeof text) && text[0] >= '0' && text[0] <= '9';
    return good ? strtoull(text, NULL, 10) : UINT64_MAX;
}

/* The page cache of files counts as used, but the kernel reclaims it for programs. */
static uint64_t reclaimable(const char *folder) {
    char path[512], text[8192];
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    if (!read_text(path, text, sizeof text)) {
        return 0;
    }
    return number_after(text, "inactive_file ") + number_after(text, "active_file ");
}

static uint64_t left_in(const char *folder, const char *limit_name, const char *used_name) {
    uint64_t limit = group_number(folder, limit_name);
    uint64_t used = group_number(folder, used_name);
    if (limit == UINT64_MAX || used == UINT64_MAX) {
        return UINT64_MAX;
    }
    uint64_t cache = reclaimable(folder);
    used -= cache < used ? cache : used;
    return limit > used ? limit - used : 0;
}

uint64_t os_group_available(void) {
    char folder[512] = GROUPS, text[512];
    if (read_text("/proc/self/cgroup", text, sizeof text)) {
        const char *own = strstr(text, "0::/");
        int length = own ? (int)strcspn(own + 3, "\n") : 0;
        snprintf(folder, sizeof folder, GROUPS "%.*s", length, own ? own + 3 : "");
    }
    uint64_t least = left_in(GROUPS "/memory", "memory.limit_in_bytes", "memory.usage_in_bytes");
    /* Each group is limited by those that contain it, too. */
    while (strlen(folder) >= strlen(GROUPS)) {
        uint64_t left = left_in(folder, "memory.max", "memory.current");
        least = left < least ? left : least;
        *strrchr(folder, '/') = '\0';
    }
    return least;
}
