/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts that the C library gives in memory of its own, and strtok. */
#include "libc/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

LIBC_OWN char *strtok(char *text, const char *separators) {
    char **rest = libc_state(UPC_LIBC_STRTOK, sizeof *rest);
    return strtok_r(text, separators, rest);
}

struct times {
    struct tm broken_down;
    char text[64];
};

static struct times *times_of_caller(void) {
    return libc_state(UPC_LIBC_TIME, sizeof(struct times));
}

LIBC_OWN struct tm *gmtime(const time_t *time) {
    return gmtime_r(time, &times_of_caller()->broken_down);
}

LIBC_OWN struct tm *localtime(const time_t *time) {
    tzset(); /* unlike localtime_r it always heeds TZ */
    return localtime_r(time, &times_of_caller()->broken_down);
}

LIBC_OWN char *asctime(const struct tm *broken_down) {
    return asctime_r(broken_down, times_of_caller()->text);
}

LIBC_OWN char *ctime(const time_t *time) {
    struct times *own = times_of_caller();
    tzset();
    struct tm *broken_down = localtime_r(time, &own->broken_down);
    return broken_down ? asctime_r(broken_down, own->text) : NULL;
}

/* Six bits a character, of 32, the lowest first. */
LIBC_OWN char *l64a(long number) {
    static const char digits[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    char *text = libc_state(UPC_LIBC_L64A, 8), *end = text;
    for (uint32_t rest = (uint32_t)number; rest; rest >>= 6) {
        *end++ = digits[rest & 63];
    }
    *end = '\0';
    return text;
}

LIBC_OWN char *ttyname(int fd) {
    enum { PATH = 256 };
    char *path = libc_state(UPC_LIBC_TTYNAME, PATH);
    return ttyname_r(fd, path, PATH) == 0 ? path : NULL;
}
