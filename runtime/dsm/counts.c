/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts of events on this host, and on all hosts. */
#include "dsm/inside.h"

#include "job/control.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fl_dsm_counts(struct fl_dsm_counts *counts) {
#define FL_DSM_COUNT(name, text) \
    counts->name = atomic_load_explicit(&fl_dsm.counts.name, memory_order_relaxed);
#include "dsm/counts.def"
#undef FL_DSM_COUNT
}

void fl_dsm_serve_counts(const struct fl_comm_call *call, const struct fl_dsm_counts_message *word) {
    (void)word;
    struct fl_dsm_counts counts;
    fl_dsm_counts(&counts);
    fl_comm_answer(call->asker, NULL, 0, &counts, sizeof counts);
}

static void counts_of(unsigned host, struct fl_dsm_counts *counts) {
    if (host == fl_dsm.me) {
        fl_dsm_counts(counts);
        return;
    }
    struct fl_comm_answer answer = {.payload = counts, .room = sizeof *counts};
    FL_DSM_ASK(host, counts, NULL, 0, &answer);
}

static void add(struct fl_dsm_counts *total, const struct fl_dsm_counts *counts) {
#define FL_DSM_COUNT(name, text) total->name += counts->name;
#include "dsm/counts.def"
#undef FL_DSM_COUNT
}

void fl_dsm_report_counts(void) {
    struct fl_dsm_counts counts;
    fl_dsm_counts(&counts);
    char text[2048];
    size_t at = (size_t)snprintf(text, sizeof text, "stats");
    /* Kinds of messages only of which some were sent. */
#define FL_DSM_COUNT(name, meaning)                                                                \
    if (counts.name > 0 || strncmp(#name, "sent_", 5) != 0) {                                      \
        at += (size_t)snprintf(text + at, sizeof text - at, " %s %" PRIu64, #name, counts.name);   \
    }
#include "dsm/counts.def"
#undef FL_DSM_COUNT
    fl_control_send0_sigsafe(text);
}

/* The columns of Tables II and III of Hu, Lu, Cox, Zwaenepoel: OpenMP for networks of SMPs. */
static void print_text(const char *who, const struct fl_dsm_counts *c) {
    fprintf(stderr, "%-6s %10llu %14llu %9llu %9llu %7.1f %9llu %9llu %9llu %9llu %10.3f\n", who,
            (unsigned long long)c->messages, (unsigned long long)c->bytes,
            (unsigned long long)(c->read_faults + c->write_faults),
            (unsigned long long)c->protections,
            c->protections ? (double)c->protections_ns / 1e3 / (double)c->protections : 0,
            (unsigned long long)c->twins,
            (unsigned long long)c->diffs, (unsigned long long)c->locks,
            (unsigned long long)c->barriers, (double)c->barrier_ns / 1e9);
}

static void print_json(const struct fl_dsm_counts *c) {
    const char *before = "{";
#define FL_DSM_COUNT(name, text)                                                                   \
    fprintf(stderr, "%s\"" #name "\":%llu", before, (unsigned long long)c->name);                  \
    before = ",";
#include "dsm/counts.def"
#undef FL_DSM_COUNT
    fputs("}", stderr);
}

void fl_dsm_print_counts(const char *how) {
    if (!how || fl_dsm.me != 0) {
        return;
    }
    bool json = strcmp(how, "json") == 0;
    struct fl_dsm_counts counts, total = {0};
    fprintf(stderr, json ? "{\"hosts\":["
                         : "host     messages          bytes    faults  protects us each     twins     diffs"
                           "     locks  barriers  barrier s\n");
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        char who[16];
        snprintf(who, sizeof who, "%u", h);
        counts_of(h, &counts);
        add(&total, &counts);
        if (json) {
            fputs(h > 0 ? "," : "", stderr);
            print_json(&counts);
        } else {
            print_text(who, &counts);
        }
    }
    if (json) {
        fputs("],\"total\":", stderr);
        print_json(&total);
        fputs("}\n", stderr);
    } else {
        print_text("all", &total);
    }
}
