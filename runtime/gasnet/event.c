/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events are those of gas.h. A leaf event is its root's address with a bit set. It ends with its
 * root and owns nothing, so the client may drop it.
 */
#include "gasnet/inside.h"

enum { LEAF = 2 };

static bool is_leaf(gex_Event_t event) {
    return (uintptr_t)event & LEAF;
}

static gas_event_t root_of(gex_Event_t event) {
    return (gas_event_t)((uintptr_t)event & ~(uintptr_t)LEAF);
}

/* Of the debug build. The addresses of events are larger than the constants. */
void fl_gasnet_check_local(const gex_Event_t *local, unsigned ways) {
    static const char *const names[] = {"a null pointer", "GEX_EVENT_NOW", "GEX_EVENT_DEFER",
                                        "GEX_EVENT_GROUP", "the address of an event"};
    enum { EVENT = sizeof names / sizeof *names - 1 };
    unsigned way = (uintptr_t)local < EVENT ? (unsigned)(uintptr_t)local : EVENT;
    if (!(ways >> way & 1)) {
        fl_gasnet_misuse(fl_gasnet_noted_function(), "it does not complete locally by %s",
                         names[way]);
    }
}

/* Of the debug build, in which an event that has ended is still there (gas_discard). */
static void check_event(gex_Event_t event, const char *function) {
    if (event == GEX_EVENT_NO_OP) {
        fl_gasnet_misuse(function, "GEX_EVENT_NO_OP is no event");
    }
    if (event && gas_event_is_over(root_of(event))) {
        fl_gasnet_misuse(function, is_leaf(event)
                                       ? "the leaf event's root has ended in a test or wait, and "
                                         "the leaf with it"
                                       : "the event has ended in a test or wait before");
    }
}

gex_Event_t fl_gasnet_event_noted(gex_Event_t event, const char *function, const char *file,
                                  int line) {
    if (event) {
        fl_gasnet_here(function, file, line);
        check_event(event, function);
    }
    return event;
}

/* Does nothing in the release build. */
static void check_events(const gex_Event_t *events, size_t n, const char *function) {
    if (!fl_gasnet_notes_calls()) {
        return;
    }
    if (n > 0 && !events) {
        fl_gasnet_misuse(function, "%zu events at a null pointer", n);
    }
    for (size_t i = 0; i < n; i++) {
        check_event(events[i], function);
    }
}

int fl_gasnet_event_test(gex_Event_t event) {
    if (event == GEX_EVENT_NO_OP) {
        fl_gasnet_misuse("gex_Event_Test", "GEX_EVENT_NO_OP is no event");
    }
    int result = is_leaf(event) ? gas_event_look(root_of(event)) : gas_event_test_nopoll(event);
    return result == GAS_OK ? GASNET_OK : GASNET_ERR_NOT_READY;
}

void fl_gasnet_event_wait(gex_Event_t event) {
    if (event == GEX_EVENT_NO_OP) {
        fl_gasnet_misuse("gex_Event_Wait", "GEX_EVENT_NO_OP is no event");
    }
    bool begun = fl_wait_begin_inside("gex_Event_Wait");
    GASNET_BLOCKUNTIL(fl_gasnet_event_test(event) == GASNET_OK);
    fl_wait_end_inside(begun);
}

/* Ends the leaves of a root that has ended, which refer to its event: that is free now. */
static void end_leaves(gex_Event_t *events, size_t n, gas_event_t root) {
    for (size_t i = 0; i < n; i++) {
        if (is_leaf(events[i]) && root_of(events[i]) == root) {
            events[i] = GEX_EVENT_INVALID;
        }
    }
}

/* Tests each event. Leaves come first: their roots may end in between, and not only when this thread
 * polls. Returns how many are GEX_EVENT_INVALID now; sets *found_p if one has ended in this call. */
static size_t test_each(gex_Event_t *events, size_t n, bool *found_p) {
    size_t done = 0, leaves = 0;
    for (int roots = 0; roots < 2; roots++) {
        for (size_t i = 0; i < n; i++) {
            gex_Event_t event = events[i];
            if (!event || is_leaf(event) == roots) {
                continue;
            }
            if (gex_Event_Test(event) != GASNET_OK) {
                leaves += !roots;
                continue;
            }
            events[i] = GEX_EVENT_INVALID;
            *found_p = true;
            if (leaves > 0) {
                end_leaves(events, n, event);
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        done += !events[i];
    }
    return done;
}

static bool some(gex_Event_t *events, size_t n) {
    bool found = false;
    return test_each(events, n, &found) == n || found;
}

static bool all(gex_Event_t *events, size_t n) {
    bool found;
    return test_each(events, n, &found) == n;
}

int gex_Event_TestSome(gex_Event_t *events, size_t n, gex_Flags_t flags) {
    (void)flags;
    check_events(events, n, "gex_Event_TestSome");
    return some(events, n) ? GASNET_OK : GASNET_ERR_NOT_READY;
}

int gex_Event_TestAll(gex_Event_t *events, size_t n, gex_Flags_t flags) {
    (void)flags;
    check_events(events, n, "gex_Event_TestAll");
    return all(events, n) ? GASNET_OK : GASNET_ERR_NOT_READY;
}

void gex_Event_WaitSome(gex_Event_t *events, size_t n, gex_Flags_t flags) {
    (void)flags;
    check_events(events, n, "gex_Event_WaitSome");
    GASNET_BLOCKUNTIL(some(events, n));
}

void gex_Event_WaitAll(gex_Event_t *events, size_t n, gex_Flags_t flags) {
    (void)flags;
    check_events(events, n, "gex_Event_WaitAll");
    GASNET_BLOCKUNTIL(all(events, n));
}

gex_Event_t gex_Event_QueryLeaf(gex_Event_t root, gex_EC_t category) {
    if (FL_UNLIKELY(root == GEX_EVENT_NO_OP)) {
        fl_gasnet_misuse("gex_Event_QueryLeaf", "GEX_EVENT_NO_OP is no event");
    }
    if (FL_UNLIKELY(category == 0 || (category & (category - 1)))) {
        fl_gasnet_misuse("gex_Event_QueryLeaf",
                         "the categories are 0x%x, and a leaf is of one category", category);
    }
    check_events(&root, 1, "gex_Event_QueryLeaf");
    return root ? (gex_Event_t)((uintptr_t)root | LEAF) : GEX_EVENT_INVALID;
}

/* ---- implicit operations ---- */

_Static_assert(GEX_EC_GET == GAS_NBI_GET && GEX_EC_PUT == GAS_NBI_PUT &&
                   GEX_EC_AM == GAS_NBI_AM && GEX_EC_RMW == GAS_NBI_ATOMIC,
               "categories are kinds");

/* An operation that reads its source in place completes locally when it ends, so GEX_EC_LC waits
 * for puts and long requests. */
static unsigned kinds_of(gex_EC_t categories) {
    unsigned kinds = categories & GAS_NBI_ALL & ~GEX_EC_LC;
    return categories & GEX_EC_LC ? kinds | GAS_NBI_PUT | GAS_NBI_AM : kinds;
}

/* For the debug build. */
static void check_region(const char *function) {
    if (fl_gasnet_notes_calls() && gas_nbi_in_region()) {
        fl_gasnet_misuse(function, "it is called within an access region");
    }
}

int gex_NBI_Test(gex_EC_t categories, gex_Flags_t flags) {
    (void)flags;
    check_region("gex_NBI_Test");
    return gas_nbi_test_of(kinds_of(categories)) == GAS_OK ? GASNET_OK : GASNET_ERR_NOT_READY;
}

void gex_NBI_Wait(gex_EC_t categories, gex_Flags_t flags) {
    (void)flags;
    check_region("gex_NBI_Wait");
    gas_nbi_wait_of(kinds_of(categories));
}

void gex_NBI_BeginAccessRegion(gex_Flags_t flags) {
    (void)flags;
    gas_nbi_begin();
}

gex_Event_t gex_NBI_EndAccessRegion(gex_Flags_t flags) {
    (void)flags;
    return gas_nbi_end();
}

void fl_gasnet_put_nbi(void *to, const void *from, size_t bytes, gex_Event_t *local) {
    if (local == GEX_EVENT_NOW && bytes > FL_COMM_COPIED) {
        gas_nbi_add_to(GAS_NBI_PUT, gas_put_nb(to, from, bytes, GAS_EVENT_NOW));
    } else {
        fl_gas_put_nbi(to, from, bytes);
    }
}
