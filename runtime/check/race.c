/* SPDX-License-Identifier: BSD-3-Clause */
/* See race.h. */
#include "check/race.h"

#include "check/lines.h"
#include "check/record.h"
#include "check/report.h"
#include "check/unwritten.h"

#include <stdio.h>

void check_access(uint64_t address, uint64_t bytes, unsigned access, const char *file, int line) {
    uint32_t site = check_site(file, line, NULL);
    if (address % 8 + bytes > 8) {
        check_range(address, bytes, access, site);
        return;
    }
    if (!check_is_here(address)) {
        return; /* the access itself fails */
    }
    if (!check_bounds(address, bytes, access, site)) {
        return;
    }
    if (check_is_behind()) {
        check_tick();
    }
    check_record(address, check_word(access, site) | ((1u << bytes) - 1) << address % 8);
    if (access == CHECK_READ) {
        check_unwritten_read(address, bytes, site);
    }
    check_lines_open(address, access, file, line);
}

/* False if there is nothing to be recorded. */
static bool record_range(uint64_t address, uint64_t bytes, unsigned access, uint32_t site,
                         uint64_t clock) {
    if (bytes == 0 || !check_is_here(address) || !check_bounds(address, bytes, access, site)) {
        return false;
    }
    if (check_is_behind()) {
        check_tick();
    }
    check_record_range(address, bytes, check_word(access, site) | clock << CHECK_CLOCK_SHIFT);
    return true;
}

void check_range(uint64_t address, uint64_t bytes, unsigned access, uint32_t site) {
    if (record_range(address, bytes, access, site, 0) &&
        (access == CHECK_READ || access == CHECK_COLLECTIVE)) {
        check_unwritten_read(address, bytes, site);
    }
}

void check_range_open(uint64_t address, uint64_t bytes, unsigned access, uint32_t site) {
    (void)record_range(address, bytes, access, site, CHECK_OPEN);
}

/* Granules without shadow have not been accessed. */
void check_freed_range(uint64_t address, uint64_t bytes, uint32_t site) {
    if (check_is_behind()) {
        check_tick();
    }
    for (uint64_t end = address + bytes, next; address < end; address = next) {
        next = (address | (FL_HEAP_GRANULE - 1)) + 1;
        next = next < end ? next : end;
        /* Relaxed: a first access at this moment is missed. */
        if (atomic_load_explicit(&check_granule_of(address)->chunk, memory_order_relaxed)) {
            check_record_range(address, next - address, check_word(CHECK_WRITE, site));
        }
    }
}

static void outside(uint64_t address, uint64_t bytes, uint32_t number, char *text, size_t room) {
    const struct fl_space *space = &upc_process.space;
    uint64_t offset = fl_space_offset(space, address);
    unsigned thread = fl_space_thread(space, address);
    const struct check_object *object = &check_memory.objects[number];
    uint64_t end = object->start + check_object_share(object, thread);
    const struct check_name name = check_object_name(number);
    if (object->is_freed) {
        snprintf(text, room, "%s, which was freed at %s", check_name_of(address).text,
                 check_place_of(object->freed_at).text);
    } else if (end == object->start) {
        snprintf(text, room, "%s, of which thread %u has no part", name.text, thread);
    } else if (offset < object->start) {
        snprintf(text, room, "%llu bytes before the begin of %s at thread %u",
                 (unsigned long long)(object->start - offset), name.text, thread);
    } else if (offset < end) {
        snprintf(text, room, "%s, of which the last %llu are past the end",
                 check_name_of(address).text, (unsigned long long)(offset + bytes - end));
    } else {
        snprintf(text, room, "%llu bytes past the end of %s at thread %u",
                 (unsigned long long)(offset - end), name.text, thread);
    }
}

bool check_bounds_slow(uint64_t address, uint64_t bytes, unsigned access, uint32_t site) {
    const struct fl_space *space = &upc_process.space;
    uint64_t offset = fl_space_offset(space, address);
    unsigned thread = fl_space_thread(space, address);
    uint32_t number = check_owner(address, offset);
    const struct check_object *object = &check_memory.objects[number];
    uint64_t share = number && !object->is_freed ? check_object_share(object, thread) : 0;
    uint64_t within = offset - object->start;
    if (within < share && bytes <= share - within) {
        return true;
    }
    char text[2600];
    number = number ? number : check_nearest(address);
    if (number) {
        outside(address, bytes, number, text, sizeof text);
    } else {
        snprintf(text, sizeof text, "offset 0x%llx at thread %u, where there is no object",
                 (unsigned long long)offset, thread);
    }
    check_report_bounds(site, access, bytes, text);
    return false;
}
