/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of libraries that would change what each host has of them, on one host only. */
#include "spread/inside.h"

/* std::ios_base::sync_with_stdio(bool) puts other buffers into the streams, whose objects are the
 * program's, and so everybody's, but whose buffers are each host's own. It only makes them faster. */
bool fl_sync_with_stdio(bool sync) __asm__("_ZNSt8ios_base15sync_with_stdioEb");
FL_EXPORT bool fl_sync_with_stdio(bool sync) {
    if (fl_spread_together()) {
        return true;
    }
    bool (*next)(bool) = (bool (*)(bool))fl_spread_next("_ZNSt8ios_base15sync_with_stdioEb");
    return next(sync);
}
