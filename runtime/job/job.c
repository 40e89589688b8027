/* SPDX-License-Identifier: BSD-3-Clause */
/* See job.h. */
#include "job/job.h"

#include "core/fatal.h"
#include "core/install.h"
#include "core/params.h"
#include "platform/os.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1 };

void fl_job_alone(struct fl_job *job) {
    *job = (struct fl_job){.threads = 1, .procs = 1, .count = 1, .mem = -1, .ctl = -1,
                           .freeze = -1, .hosts = 1, .pthreads = 1};
}

static bool number(const char *text, int base, uint64_t most, uint64_t *value_p) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, base);
    if (!isxdigit((unsigned char)text[0]) || *end || errno || value > most) {
        return false;
    }
    *value_p = value;
    return true;
}

/* The pairs as read, before they go into their fields. */
struct pairs {
    uint64_t v, threads, procs, proc, first, count, mem, ctl, heap, quiet, polite, trace, stats, tag,
        asked, freezes, freeze;
    uint64_t hosts, host, pthreads, id;
};

static const struct {
    const char *key;
    size_t offset;
    uint64_t most;
} numbers[] = {
    {"v", offsetof(struct pairs, v), 1000},
    {"threads", offsetof(struct pairs, threads), FL_JOB_THREADS_MOST},
    {"procs", offsetof(struct pairs, procs), FL_JOB_THREADS_MOST},
    {"proc", offsetof(struct pairs, proc), FL_JOB_THREADS_MOST},
    {"first", offsetof(struct pairs, first), FL_JOB_THREADS_MOST},
    {"count", offsetof(struct pairs, count), FL_JOB_THREADS_MOST},
    {"mem", offsetof(struct pairs, mem), INT32_MAX},
    {"ctl", offsetof(struct pairs, ctl), INT32_MAX},
    {"heap", offsetof(struct pairs, heap), UINT64_MAX},
    {"quiet", offsetof(struct pairs, quiet), 1},
    {"polite", offsetof(struct pairs, polite), 1},
    {"trace", offsetof(struct pairs, trace), 1},
    {"stats", offsetof(struct pairs, stats), 1},
    {"tag", offsetof(struct pairs, tag), 1},
    {"asked", offsetof(struct pairs, asked), 1},
    {"freezes", offsetof(struct pairs, freezes), 1},
    {"freeze", offsetof(struct pairs, freeze), FL_JOB_THREADS_MOST},
    {"hosts", offsetof(struct pairs, hosts), FL_JOB_THREADS_MOST},
    {"host", offsetof(struct pairs, host), FL_JOB_THREADS_MOST},
    {"pthreads", offsetof(struct pairs, pthreads), FL_JOB_THREADS_MOST},
    {"id", offsetof(struct pairs, id), UINT64_MAX},
};

static const struct {
    const char *key;
    size_t offset; /* in struct fl_job */
} texts[] = {
    {"cpus", offsetof(struct fl_job, cpus)},
    {"places", offsetof(struct fl_job, places)},
    {"hostfirst", offsetof(struct fl_job, host_first)},
    {"names", offsetof(struct fl_job, names)},
    {"net", offsetof(struct fl_job, net)},
    {"iface", offsetof(struct fl_job, interface)},
    {"root", offsetof(struct fl_job, root)},
};

static const char *take_pair(struct fl_job *job, struct pairs *pairs, char *pair) {
    char *equals = strchr(pair, '=');
    if (!equals) {
        return "a pair without =";
    }
    *equals = '\0';
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strcmp(pair, texts[i].key) == 0) {
            char **text_p = (char **)((char *)job + texts[i].offset);
            *text_p = equals[1] ? equals + 1 : NULL;
            return NULL;
        }
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (strcmp(pair, numbers[i].key) == 0) {
            uint64_t *field = (uint64_t *)((char *)pairs + numbers[i].offset);
            int base = field == &pairs->id ? 16 : 10;
            return number(equals + 1, base, numbers[i].most, field) ? NULL : "a number out of range";
        }
    }
    return NULL; /* a newer launcher may say more */
}

/* The i-th part of a list with colons; null beyond its end. */
static const char *element(const char *list, unsigned i) {
    for (; list && i > 0; i--) {
        list = strchr(list, ':');
        list = list ? list + 1 : NULL;
    }
    return list;
}

static unsigned count(const char *list) {
    unsigned parts = 1;
    for (const char *at = list; (at = strchr(at, ':')) != NULL; at++) {
        parts++;
    }
    return parts;
}

void fl_job_decode(char *text) {
    char *to = text;
    for (const char *from = text; from && *from; from++, to++) {
        const char hex[] = {from[0] == '%' ? from[1] : '\0', from[1] ? from[2] : '\0', '\0'};
        if (isxdigit((unsigned char)hex[0]) && isxdigit((unsigned char)hex[1])) {
            *to = (char)strtoul(hex, NULL, 16);
            from += 2;
        } else {
            *to = *from == ':' ? '\0' : *from;
        }
    }
    if (to) {
        *to = '\0';
    }
}

static const char *check(const struct fl_job *job, const struct pairs *pairs) {
    if (pairs->v != VERSION) {
        return "another version; upcrun and the program come from different installations";
    }
    if (pairs->threads == 0 || pairs->count == 0 || pairs->first + pairs->count > pairs->threads ||
        pairs->proc >= pairs->procs || pairs->procs > pairs->threads) {
        return "threads and processes that do not add up";
    }
    if (pairs->mem == UINT64_MAX && pairs->procs > 1) {
        return "no memory file";
    }
    if (job->names && count(job->names) != pairs->hosts) {
        return "names for another number of hosts";
    }
    if (pairs->hosts > 1 && (pairs->host >= pairs->hosts || pairs->pthreads == 0 ||
                             pairs->ctl == UINT64_MAX || pairs->id == 0 || !job->host_first ||
                             !job->net)) {
        return "several hosts, of which too little is said";
    }
    return NULL;
}

const char *fl_job_parse(struct fl_job *job, char *text) {
    struct pairs pairs = {
        .mem = UINT64_MAX, .ctl = UINT64_MAX, .freeze = UINT64_MAX, .hosts = 1};
    fl_job_alone(job);
    job->text = text;
    char *rest;
    for (char *pair = strtok_r(text, ",", &rest); pair; pair = strtok_r(NULL, ",", &rest)) {
        const char *wrong = take_pair(job, &pairs, pair);
        if (wrong) {
            return wrong;
        }
    }
    const char *wrong = check(job, &pairs);
    if (wrong) {
        return wrong;
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
    job->trace = pairs.trace;
    job->stats = pairs.stats;
    job->tag = pairs.tag;
    job->asked = pairs.asked;
    job->freezes = pairs.freezes;
    job->freeze = pairs.freeze == UINT64_MAX ? -1 : (int)pairs.freeze;
    job->hosts = (unsigned)pairs.hosts;
    job->host = (unsigned)pairs.host;
    job->id = pairs.id;
    /* On one host it need not be said: all processes before this one are full. */
    job->pthreads = pairs.hosts > 1 ? (unsigned)pairs.pthreads
                    : job->proc > 0 ? job->first / job->proc
                                    : job->count;
    fl_job_decode(job->names);
    fl_job_decode(job->net);
    fl_job_decode(job->interface);
    fl_job_decode(job->root);
    fl_install_offer(job->root);
    return NULL;
}

void fl_job_refuse(const char *wrong) {
    fl_fatal(FL_CODE_JOB_VARIABLE,
             "FURLONG_JOB cannot be understood: %s; start the program with upcrun", wrong);
}

size_t fl_job_bytes(const char *hex, unsigned char *bytes, size_t room) {
    size_t n = 0;
    for (; n < room && isxdigit((unsigned char)hex[0]) && isxdigit((unsigned char)hex[1]); hex += 2) {
        const char digits[] = {hex[0], hex[1], '\0'};
        bytes[n++] = (unsigned char)strtoul(digits, NULL, 16);
    }
    return *hex == '\0' ? n : 0;
}

/* The launcher's first packet. It is not in the environment, which others may read in /proc and
 * programs print. */
static void take_key(struct fl_job *job) {
    static const char kind[] = "key ";
    char packet[sizeof kind + 2 * sizeof job->key];
    size_t length, skip = sizeof kind - 1;
    if (fl_os_receive_packet(job->ctl, packet, sizeof packet - 1, &length) != 0) {
        fl_job_refuse("no key comes with it");
    }
    packet[length] = '\0';
    if (strncmp(packet, kind, skip) != 0 ||
        fl_job_bytes(packet + skip, job->key, sizeof job->key) != sizeof job->key) {
        fl_job_refuse("no key comes with it");
    }
    explicit_bzero(packet, sizeof packet);
}

bool fl_job_take(struct fl_job *job) {
    char *text = fl_params_take("FURLONG_JOB");
    if (!text) {
        return false;
    }
    const char *wrong = fl_job_parse(job, text);
    if (wrong) {
        fl_job_refuse(wrong);
    }
    const int fds[] = {job->mem, job->ctl};
    for (size_t i = 0; i < 2; i++) {
        if (fds[i] >= 0 && fl_os_close_on_exec(fds[i]) != 0) {
            fl_job_refuse("its descriptors are not open");
        }
    }
    if (job->hosts > 1) {
        take_key(job);
    }
    return true;
}

bool fl_job_layout(const struct fl_job *job, struct fl_layout *layout) {
    unsigned *first = calloc(job->hosts, sizeof *first);
    bool good = first != NULL;
    for (unsigned host = 1; good && host < job->hosts; host++) {
        const char *at = element(job->host_first, host);
        good = at != NULL;
        first[host] = good ? (unsigned)strtoul(at, NULL, 10) : 0;
    }
    good = good && fl_layout_make(layout, job->threads, job->pthreads, job->hosts, first, job->proc);
    free(first);
    if (!good) {
        return false;
    }
    good = layout->procs == job->procs && layout->my_host == job->host &&
           fl_layout_first_thread_of_proc(layout, job->proc) == job->first &&
           fl_layout_threads_of_proc(layout, job->proc) == job->count;
    if (!good) {
        fl_layout_release(layout);
    }
    return good;
}

const char *fl_job_host_name(const struct fl_job *job, unsigned host) {
    static _Thread_local char numbered[24];
    if (!job->names) {
        snprintf(numbered, sizeof numbered, "host %u", host);
        return numbered;
    }
    const char *name = job->names;
    while (host-- > 0) {
        name += strlen(name) + 1;
    }
    return name;
}

/* cpus = range {"+" range}; range = number ["-" number] */
bool fl_job_cpus(const struct fl_job *job, unsigned i, uint64_t words[FL_JOB_CPU_WORDS]) {
    const char *at = element(job->cpus, i);
    bool found = false;
    memset(words, 0, FL_JOB_CPU_WORDS * sizeof *words);
    while (at && isdigit((unsigned char)*at)) {
        char *end;
        unsigned long first = strtoul(at, &end, 10);
        unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
        for (unsigned long cpu = first; cpu <= last && cpu < FL_JOB_CPU_WORDS * 64; cpu++) {
            words[cpu / 64] |= 1ull << cpu % 64;
            found = true;
        }
        at = *end == '+' ? end + 1 : NULL;
    }
    return found;
}

/* Threads take the places in turn. */
bool fl_job_place(const struct fl_job *job, unsigned thread, struct fl_job_place *place_p) {
    const char *at = job->places ? element(job->places, thread % count(job->places)) : NULL;
    char *dot;
    if (!at || !isdigit((unsigned char)*at)) {
        return false;
    }
    place_p->cache = (unsigned)strtoul(at, &dot, 10);
    place_p->node = *dot == '.' ? (unsigned)strtoul(dot + 1, NULL, 10) : 0;
    return true;
}
