/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between the OpenMP runtimes of hosts. In one message of far.h, words come before the
 * payload. */
#ifndef FL_OMP_MESSAGES_H
#define FL_OMP_MESSAGES_H

#include "core/message.h"
#include "omp/affinity.h"
#include "omp/far.h"

/* A message that has come. */
struct fl_omp_call {
    unsigned from;
    const uint64_t *words;
    const void *payload;
    size_t bytes; /* of it */
};

/* A migrated task has ended: by its address on its origin; nanoseconds spent on other hosts' memory
 * and locks, and of a CPU beside these; whether its part of the group is over. */
struct fl_omp_end {
    uint64_t task, spent_ns, useful_ns, group_is_over;
};

/* An idle host, and whether it can only execute tasks that it has made. */
struct fl_omp_request {
    uint32_t host, for_own;
};

enum fl_omp_kind {
#define FL_MESSAGE(name, ...) fl_omp_kind_##name,
#include "omp/messages.def"
#undef FL_MESSAGE
};
#define FL_MESSAGE(name, how, where, least, most, ...)                                             \
    FL_MESSAGE_PARTS(fl_omp, struct fl_omp_call, name, kind, __VA_ARGS__)
#include "omp/messages.def"
#undef FL_MESSAGE

/* Sends a message without payload, its words given by designators. If it orders accesses, the caller
 * has called fl_omp_far_release. The caller holds no lock that handlers take. */
#define FL_OMP_TELL(host, name, ...)                                                               \
    fl_omp_far_tell(host, FL_MESSAGE_AT(fl_omp, name, __VA_ARGS__),                                \
                    sizeof(struct fl_omp_##name##_message))

#endif
