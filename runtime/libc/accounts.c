/* SPDX-License-Identifier: BSD-3-Clause */
/* Users and groups (POSIX): the entry that was asked for last. */
#include "libc/state.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>

struct entry {
    union {
        struct passwd user;
        struct group group;
    };
    char *texts;
    size_t bytes;
};

/* More room for the texts of an entry. False: there is no memory. */
static bool grow(struct entry *entry) {
    size_t bytes = entry->bytes ? 2 * entry->bytes : 1024;
    char *texts = realloc(entry->texts, bytes);
    if (texts) {
        entry->texts = texts;
        entry->bytes = bytes;
    }
    return texts;
}

/* The reentrant form, until its texts fit. */
#define LOOK_UP(type, which, call)                                                                 \
    struct entry *entry = libc_state(which, sizeof *entry);                                        \
    type *found = NULL;                                                                            \
    int error = entry->bytes ? (call) : ERANGE;                                                    \
    while (error == ERANGE && grow(entry)) {                                            \
        error = (call);                                                                            \
    }                                                                                              \
    if (error) {                                                                                   \
        errno = error;                                                                             \
    }                                                                                              \
    return found

LIBC_OWN struct passwd *getpwnam(const char *name) {
    LOOK_UP(struct passwd, UPC_LIBC_USER,
            getpwnam_r(name, &entry->user, entry->texts, entry->bytes, &found));
}

LIBC_OWN struct passwd *getpwuid(uid_t user) {
    LOOK_UP(struct passwd, UPC_LIBC_USER,
            getpwuid_r(user, &entry->user, entry->texts, entry->bytes, &found));
}

LIBC_OWN struct group *getgrnam(const char *name) {
    LOOK_UP(struct group, UPC_LIBC_GROUP,
            getgrnam_r(name, &entry->group, entry->texts, entry->bytes, &found));
}

LIBC_OWN struct group *getgrgid(gid_t group) {
    LOOK_UP(struct group, UPC_LIBC_GROUP,
            getgrgid_r(group, &entry->group, entry->texts, entry->bytes, &found));
}
