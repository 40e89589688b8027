// SPDX-License-Identifier: BSD-3-Clause
//! Names of the UPC library whose header is not included (UPC 1.3 §7.1). As an implicit function
//! each would return an int, and every message about that would lead away from the mistake.

use crate::diag::fix::Edit;
use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::span::Span;
use crate::syntax::intern::Symbol;

/// Headers, each with its functions and macros. `*` stands for any end of a name.
const HEADERS: &[(&str, &str)] = &[
    (
        "upc.h",
        "upc_addrfield upc_affinitysize upc_all_alloc upc_all_free upc_all_lock_alloc \
         upc_all_lock_free upc_alloc upc_free upc_global_alloc upc_global_exit \
         upc_global_lock_alloc upc_local_alloc upc_lock upc_lock_attempt upc_lock_free upc_memcpy \
         upc_memget upc_memput upc_memset upc_phaseof upc_resetphase upc_threadof upc_unlock",
    ),
    (
        "upc_collective.h",
        "upc_all_broadcast upc_all_exchange upc_all_gather upc_all_gather_all upc_all_permute \
         upc_all_scatter upc_all_reduce* upc_all_prefix_reduce* UPC_IN_NOSYNC UPC_IN_MYSYNC \
         UPC_IN_ALLSYNC UPC_OUT_NOSYNC UPC_OUT_MYSYNC UPC_OUT_ALLSYNC UPC_FUNC UPC_NONCOMM_FUNC",
    ),
    (
        "upc_atomic.h",
        "upc_all_atomicdomain_alloc upc_all_atomicdomain_free upc_atomic_isfast \
         upc_atomic_relaxed upc_atomic_strict UPC_GET UPC_SET UPC_CSWAP UPC_SUB UPC_INC UPC_DEC",
    ),
    ("upc_tick.h", "upc_ticks_now upc_ticks_to_ns UPC_TICK_MAX UPC_TICK_MIN"),
    ("upc_castable.h", "upc_cast upc_thread_info UPC_CASTABLE_*"),
    (
        "upc_nb.h",
        "upc_memcpy_nb* upc_memget_nb* upc_memput_nb* upc_memset_nb* upc_sync upc_sync_attempt \
         upc_synci upc_synci_attempt UPC_COMPLETE_HANDLE",
    ),
    ("upc_io.h", "upc_all_f*"),
];

fn header_of(name: &str) -> Option<&'static str> {
    if !name.starts_with("upc_") && !name.starts_with("UPC_") {
        return None;
    }
    let is_it = |known: &str| match known.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == known,
    };
    let found = HEADERS.iter().find(|(_, names)| names.split_whitespace().any(is_it));
    // upc_all_free is a name of <upc.h>, which comes first.
    found.map(|(header, _)| *header)
}

impl Analyser<'_> {
    /// Whether the undeclared `name` is the library's; that is then said, once for each header.
    pub(in crate::sema) fn lacks_header(&mut self, name: Symbol, span: Span) -> bool {
        let text = self.name(name);
        let Some(header) = header_of(text) else { return false };
        if self.missing_headers.contains(&header) {
            return true;
        }
        self.missing_headers.push(header);
        let title = format!("`{text}` is used, but <{header}> is not included");
        self.error(
            Diagnostic::error(codes::E0419, span, title)
                .label(format!("a name of <{header}>"))
                .note("UPC 1.3 §7.1: the library's functions, types and macros are declared in its headers")
                .fix(format!("add `#include <{header}>`"), vec![Edit::Include(header)]),
        );
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_have_their_names() {
        for (name, header) in [
            ("upc_lock", Some("upc.h")),
            ("upc_all_free", Some("upc.h")),
            ("upc_all_fopen", Some("upc_io.h")),
            ("upc_all_reduceI", Some("upc_collective.h")),
            ("upc_memput_nbi", Some("upc_nb.h")),
            ("UPC_CASTABLE_ALL", Some("upc_castable.h")),
            ("upc_lockk", None),
            ("mine", None),
        ] {
            assert_eq!(header_of(name), header, "{name}");
        }
    }
}
