/* SPDX-License-Identifier: BSD-3-Clause */
/* See lease.h. */
#include "dsm/lease.h"

#include <string.h>

enum { LEND_AFTER = 16, LEND_AFTER_UPDATES = 256, RECALLS_MOST = 3 };

enum fl_lease_policy fl_lease_policy_of(const char *name) {
    static const char *const names[FL_LEASE_POLICIES] = {
        [FL_LEASE_ADAPTIVE] = "adaptive", [FL_LEASE_NEVER] = "home", [FL_LEASE_ALWAYS] = "locks"};
    unsigned policy = 0;
    while (name && policy < FL_LEASE_POLICIES && strcmp(name, names[policy]) != 0) {
        policy++;
    }
    return (enum fl_lease_policy)policy;
}

static unsigned count(struct fl_lease_row *row, unsigned host) {
    unsigned before = atomic_load_explicit(&row->times, memory_order_relaxed);
    unsigned times = row->host != host + 1 ? 1 : before < UINT16_MAX ? before + 1 : UINT16_MAX;
    row->host = (uint16_t)(host + 1);
    atomic_store_explicit(&row->times, (uint16_t)times, memory_order_relaxed);
    return times;
}

bool fl_lease_ask(enum fl_lease_policy policy, struct fl_lease *lock, struct fl_lease_row *page,
                  unsigned host) {
    unsigned of_lock = count(&lock->row, host), of_page = count(page, host);
    unsigned least = (unsigned)LEND_AFTER << lock->recalls;
    lock->lent = policy == FL_LEASE_ADAPTIVE && (of_lock >= least || of_page >= least);
    return lock->lent;
}

bool fl_lease_update(enum fl_lease_policy policy, struct fl_lease *lock, unsigned host) {
    unsigned least = (unsigned)LEND_AFTER_UPDATES << lock->recalls;
    bool lends = count(&lock->row, host) == least && policy != FL_LEASE_NEVER;
    lock->lent = lock->lent || lends;
    return lends;
}

void fl_lease_recall(struct fl_lease *lock) {
    lock->recalls = (uint8_t)(lock->recalls + (lock->lent && lock->recalls < RECALLS_MOST));
    lock->lent = false;
    fl_lease_end_row(&lock->row);
}
