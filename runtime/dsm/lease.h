/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When the lock of atomic operations is lent to the host that asks for them. The home performs each
 * operation for a round trip. A host that has the lock performs them in its copy of the page,
 * without messages once the page has come; but recalling the lock costs several. So the home lends
 * it to a host that has asked several times in a row, for this lock's memory or for its page; after
 * each recall, twice as many: A. Karlin et al., Competitive snoopy caching (Algorithmica 1988). An
 * update, for which no thread waits (update.c), costs less: more of them go before, of the lock alone.
 */
#ifndef FL_DSM_LEASE_H
#define FL_DSM_LEASE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum fl_lease_policy {
    FL_LEASE_ALWAYS, /* the home performs none: the lock moves to the asker, and the page with it */
    FL_LEASE_ADAPTIVE,
    FL_LEASE_NEVER, /* the home performs all */
    FL_LEASE_POLICIES
};

/* The policy of that name; of null, the first. FL_LEASE_POLICIES: there is none of that name. */
enum fl_lease_policy fl_lease_policy_of(const char *name);

/* Requests in a row; zeros: none yet. Relaxed: a thread that counts has a lock, one that ends the
 * row need not. */
struct fl_lease_row {
    uint16_t host; /* 1 + host that asked last */
    _Atomic uint16_t times;
};

struct fl_lease {
    struct fl_lease_row row;
    uint8_t recalls; /* times that the lock was lent and recalled; bounded */
    bool lent;
};

/* `host` asks. Returns whether it shall have the lock from now on. */
bool fl_lease_ask(enum fl_lease_policy policy, struct fl_lease *lock, struct fl_lease_row *page,
                  unsigned host);
/* The same for an update. */
bool fl_lease_update(enum fl_lease_policy policy, struct fl_lease *lock, unsigned host);
/* The home operates on the memory itself. */
static inline void fl_lease_end_row(struct fl_lease_row *row) {
    if (atomic_load_explicit(&row->times, memory_order_relaxed) > 0) {
        atomic_store_explicit(&row->times, 0, memory_order_relaxed);
    }
}
/* The home wants the lock for another host. */
void fl_lease_recall(struct fl_lease *lock);

#endif
