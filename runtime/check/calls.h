/* SPDX-License-Identifier: BSD-3-Clause */
/* What the linker leads here, and the functions themselves (wrapped.def). */
#ifndef FL_CHECK_CALLS_H
#define FL_CHECK_CALLS_H

#include "check/race.h"
#include "coll/operator.h"
#include "library/atomic.h"
#include "library/collective.h"
#include "library/nb.h"
#include "library/semaphores.h"
#include "library/team.h"
#include "library/upc.h"
#include "upcx_pairwise.h"

#define CHECKED(function, type, parameters)                                                        \
    type __real_##function parameters;                                                             \
    type __wrap_##function parameters;
#define FL_COLL_TYPE(T, type, wide, class) typedef type check_element_##T;
FL_COLL_TYPES
#undef FL_COLL_TYPE
#define CHECK_REDUCTION(T, kind)                                                                   \
    CHECKED(upc_all_##kind##T, void,                                                               \
            (upcr_pts dst, upcr_pts src, upc_op_t op, size_t nelems, size_t blk_size,              \
             check_element_##T (*func)(check_element_##T, check_element_##T), upc_flag_t flags))
#define CHECKED_REDUCTION(T) CHECK_REDUCTION(T, reduce) CHECK_REDUCTION(T, prefix_reduce)
#include "check/wrapped.def"
#undef CHECKED
#undef CHECKED_REDUCTION
#undef CHECK_REDUCTION

/* Whether a call of the library is to be checked: until check_leave, none within it is. */
static inline bool check_enter(void) {
    bool checked = check_self.on && !check_self.inside;
    check_self.inside |= checked;
    return checked;
}

/* The place is that of one call only: calls from C come from nowhere. */
static inline void check_leave(void) {
    check_self.inside = false;
    upc_self->file = NULL;
    upc_self->line = 0;
}

static inline uint32_t check_called(const char *function) {
    return check_site(upc_self->file, upc_self->line, function);
}

#endif
