/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes of page states: the table of protocol.def, and what must hold in each state. */
#include "dsm/inside.h"

/* Whether the protocol has such a change. */
static bool may_change(enum fl_page_state from, enum fl_page_state to) {
#define FL_PAGE_MAY(before, after) (from == FL_PAGE_##before && to == FL_PAGE_##after) ||
    return
#include "dsm/protocol.def"
        false;
#undef FL_PAGE_MAY
}

/* Whether the page's fields fit its state. */
static bool is_sound(uint32_t page) {
    const struct fl_page *p = &fl_dsm.pages[page];
    bool here = p->home == fl_dsm.me;
    switch ((enum fl_page_state)p->state) {
    case FL_PAGE_ABSENT:
    case FL_PAGE_FETCHING:
        return !here && !p->twin && !fl_track_has(page);
    case FL_PAGE_READABLE:
        return !p->twin && !p->ready;
    case FL_PAGE_WRITABLE:
        return (p->twin || (here && p->dense)) && !p->ready;
    case FL_PAGE_OWN:
        return here && !p->twin && !p->ready && !fl_track_has(page);
    }
    return false;
}

void fl_page_become(uint32_t page, enum fl_page_state state) {
    fl_assert(fl_page_chunks_held > 0);
    fl_assert(may_change(fl_dsm.pages[page].state, state));
    fl_dsm.pages[page].state = (uint8_t)state;
    fl_assert(is_sound(page));
}
