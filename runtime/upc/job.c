/* SPDX-License-Identifier: BSD-3-Clause */
/* See job.h. */
#include "upc/job.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1 };

void upc_job_alone(struct upc_job *job) {
    *job = (struct upc_job){.threads = 1, .procs = 1, .count = 1, .mem = -1, .ctl = -1,
                            .freeze = -1};
}

static bool number(const char *text, uint64_t most, uint64_t *value_p) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end || errno || value > most) {
        return false;
    }
    *value_p = value;
    return true;
}

/* The pairs as read, before they go into their fields. */
struct pairs {
    uint64_t v, threads, procs, proc, first, count, mem, ctl, heap, quiet, polite, freeze;
};

static const struct {
    const char *key;
    size_t offset;
    uint64_t most;
} keys[] = {
    {"v", offsetof(struct pairs, v), 1000},
    {"threads", offsetof(struct pairs, threads), UPC_THREADS_MOST},
    {"procs", offsetof(struct pairs, procs), UPC_THREADS_MOST},
    {"proc", offsetof(struct pairs, proc), UPC_THREADS_MOST},
    {"first", offsetof(struct pairs, first), UPC_THREADS_MOST},
    {"count", offsetof(struct pairs, count), UPC_THREADS_MOST},
    {"mem", offsetof(struct pairs, mem), INT32_MAX},
    {"ctl", offsetof(struct pairs, ctl), INT32_MAX},
    {"heap", offsetof(struct pairs, heap), UINT64_MAX},
    {"quiet", offsetof(struct pairs, quiet), 1},
    {"polite", offsetof(struct pairs, polite), 1},
    {"freeze", offsetof(struct pairs, freeze), UPC_THREADS_MOST},
};

static const char *take_pair(struct upc_job *job, struct pairs *pairs, char *pair) {
    char *equals = strchr(pair, '=');
    if (!equals) {
        return "a pair without =";
    }
    *equals = '\0';
    char **list_p = strcmp(pair, "cpus") == 0     ? &job->cpus
                    : strcmp(pair, "places") == 0 ? &job->places
                                                  : NULL;
    if (list_p) {
        *list_p = equals[1] ? equals + 1 : NULL;
        return NULL;
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(pair, keys[i].key) == 0) {
            uint64_t *field = (uint64_t *)((char *)pairs + keys[i].offset);
            return number(equals + 1, keys[i].most, field) ? NULL : "a number out of range";
        }
    }
    return NULL; /* a newer launcher may say more */
}

const char *upc_job_parse(struct upc_job *job, char *text) {
    struct pairs pairs = {.mem = UINT64_MAX, .ctl = UINT64_MAX, .freeze = UINT64_MAX};
    upc_job_alone(job);
    char *rest;
    for (char *pair = strtok_r(text, ",", &rest); pair; pair = strtok_r(NULL, ",", &rest)) {
        const char *wrong = take_pair(job, &pairs, pair);
        if (wrong) {
            return wrong;
        }
    }
    if (pairs.v != VERSION) {
        return "another version; upcrun and the program come from different installations";
    }
    if (pairs.threads == 0 || pairs.count == 0 || pairs.first + pairs.count > pairs.threads ||
        pairs.proc >= pairs.procs || pairs.procs > pairs.threads) {
        return "threads and processes that do not add up";
    }
    if (pairs.mem == UINT64_MAX && pairs.procs > 1) {
        return "no memory file";
    }
    job->threads = (unsigned)pairs.threads;
    job->procs = (unsigned)pairs.procs;
    job->proc = (unsigned)pairs.proc;
    job->first = (unsigned)pairs.first;
    job->count = (unsigned)pairs.count;
    job->mem = pairs.mem == UINT64_MAX ? -1 : (int)pairs.mem;
    job->ctl = pairs.ctl == UINT64_MAX ? -1 : (int)pairs.ctl;
    job->heap = pairs.heap;
    job->quiet = pairs.quiet;
    job->polite = pairs.polite;
    job->freeze = pairs.freeze == UINT64_MAX ? -1 : (int)pairs.freeze;
    return NULL;
}

/* The i-th part of a list with colons; null beyond its end. */
static const char *element(const char *list, unsigned i) {
    for (; list && i > 0; i--) {
        list = strchr(list, ':');
        list = list ? list + 1 : NULL;
    }
    return list;
}

int upc_job_cpu(const struct upc_job *job, unsigned i) {
    const char *at = element(job->cpus, i);
    return at && isdigit((unsigned char)*at) ? atoi(at) : -1;
}

/* Threads take the places in turn. */
bool upc_job_place(const struct upc_job *job, unsigned thread, struct upc_job_place *place_p) {
    unsigned places = 1;
    for (const char *at = job->places; at && (at = strchr(at, ':')) != NULL; at++) {
        places++;
    }
    const char *at = element(job->places, thread % places);
    char *dot;
    if (!at || !isdigit((unsigned char)*at)) {
        return false;
    }
    place_p->cache = (unsigned)strtoul(at, &dot, 10);
    place_p->node = *dot == '.' ? (unsigned)strtoul(dot + 1, NULL, 10) : 0;
    return true;
}
