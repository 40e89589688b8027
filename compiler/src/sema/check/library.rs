// SPDX-License-Identifier: BSD-3-Clause
//! Names of the UPC library whose header is not included (UPC 1.3 §7.1). As an implicit function
//! each would return an int, and every message about that would lead away from the mistake.

use crate::diag::fix::Edit;
use crate::diag::similar::most_similar;
use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::span::Span;
use crate::syntax::intern::Symbol;

/// Headers, each with its functions and macros. A `*` stands for each of the suffixes that follow
/// the names of its header.
const HEADERS: &[(&str, &str, &[&str])] = &[
    (
        "upc.h",
        "upc_addrfield upc_affinitysize upc_all_alloc upc_all_free upc_all_lock_alloc \
         upc_all_lock_free upc_alloc upc_free upc_global_alloc upc_global_exit \
         upc_global_lock_alloc upc_local_alloc upc_lock upc_lock_attempt upc_lock_free upc_memcpy \
         upc_memget upc_memput upc_memset upc_phaseof upc_resetphase upc_threadof upc_unlock",
        &[],
    ),
    (
        "upc_collective.h",
        "upc_all_broadcast upc_all_exchange upc_all_gather upc_all_gather_all upc_all_permute \
         upc_all_scatter upc_all_reduce* upc_all_prefix_reduce* UPC_IN_NOSYNC UPC_IN_MYSYNC \
         UPC_IN_ALLSYNC UPC_OUT_NOSYNC UPC_OUT_MYSYNC UPC_OUT_ALLSYNC UPC_FUNC UPC_NONCOMM_FUNC",
        &["C", "UC", "S", "US", "I", "UI", "L", "UL", "F", "D", "LD"],
    ),
    (
        "upc_atomic.h",
        "upc_all_atomicdomain_alloc upc_all_atomicdomain_free upc_atomic_isfast \
         upc_atomic_relaxed upc_atomic_strict UPC_GET UPC_SET UPC_CSWAP UPC_SUB UPC_INC UPC_DEC",
        &[],
    ),
    ("upc_tick.h", "upc_ticks_now upc_ticks_to_ns UPC_TICK_MAX UPC_TICK_MIN", &[]),
    (
        "upc_castable.h",
        "upc_cast upc_thread_info UPC_CASTABLE_*",
        &["ALL", "ALL_ALLOC", "GLOBAL_ALLOC", "ALLOC", "STATIC"],
    ),
    (
        "upc_nb.h",
        "upc_memcpy_* upc_memget_* upc_memput_* upc_memset_* upc_sync upc_sync_attempt upc_synci \
         upc_synci_attempt UPC_COMPLETE_HANDLE",
        &["nb", "nbi"],
    ),
    (
        "upc_io.h",
        "upc_all_fopen upc_all_fclose upc_all_fsync upc_all_fseek upc_all_fset_size \
         upc_all_fget_size upc_all_fpreallocate upc_all_fcntl upc_all_fread_* upc_all_fwrite_* \
         upc_all_fwait_async upc_all_ftest_async",
        &[
            "local",
            "shared",
            "list_local",
            "list_shared",
            "local_async",
            "shared_async",
            "list_local_async",
            "list_shared_async",
        ],
    ),
    (
        "upcx_pairwise.h",
        "upcx_signal upcx_signal_set upcx_wait upcx_try_wait upcx_wait_set upcx_wait_any",
        &[],
    ),
    (
        "upcx_process.h",
        "upcx_process_first upcx_process_of upcx_process_threads upcx_processes",
        &[],
    ),
    // <upc_collective.h> and <upc_atomic.h> include it.
    (
        "upc_types.h",
        "UPC_ADD UPC_MULT UPC_AND UPC_OR UPC_XOR UPC_LOGAND UPC_LOGOR UPC_MIN UPC_MAX",
        &[],
    ),
];

/// Whether `name` is `known`, whose `*` is one of the suffixes.
fn is_known(name: &str, known: &str, suffixes: &[&str]) -> bool {
    match known.strip_suffix('*') {
        Some(start) => name.strip_prefix(start).is_some_and(|end| suffixes.contains(&end)),
        None => name == known,
    }
}

/// Whether the last argument of the function is one of the flags of §7.3.4.
pub(super) fn has_flags(name: &str) -> bool {
    name.starts_with("upc_") && header_of(name) == Some("upc_collective.h")
}

fn header_of(name: &str) -> Option<&'static str> {
    if !["upc_", "UPC_", "upcx_"].iter().any(|start| name.starts_with(start)) {
        return None;
    }
    let has_it = |names: &str, suffixes| {
        names.split_whitespace().any(|known| is_known(name, known, suffixes))
    };
    let found = HEADERS.iter().find(|(_, names, suffixes)| has_it(names, suffixes));
    found.map(|(header, ..)| *header)
}

/// The function of the library that the undeclared `name` stands for: the shortest that has all its
/// words, or else one a slip away.
fn meant_by(name: &str) -> Option<String> {
    let names = HEADERS.iter().flat_map(|(_, names, suffixes)| {
        names.split_whitespace().flat_map(move |known| match known.strip_suffix('*') {
            Some(start) => suffixes.iter().map(|end| format!("{start}{end}")).collect(),
            None => vec![known.to_string()],
        })
    });
    let names: Vec<String> = names.filter(|known| known.starts_with("upc_")).collect();
    let has_all = |known: &&String| name.split('_').all(|word| known.split('_').any(|w| w == word));
    names.iter().filter(has_all).min_by_key(|known| known.len()).cloned().or_else(|| {
        most_similar(name, names.iter().map(String::as_str)).map(|(near, _)| near.to_string())
    })
}

impl Analyser<'_> {
    /// Warns if the undeclared function `name` is like one of the library. The program may have it
    /// in another unit, as old programs do without declaring it.
    pub(in crate::sema) fn check_function_name(&mut self, name: Symbol, span: Span) {
        let text = self.name(name);
        if !text.starts_with("upc_") || !self.misspelt.insert(name) {
            return;
        }
        let Some(meant) = meant_by(text) else { return };
        self.error(
            Diagnostic::warning(codes::W0426, span, format!("`{text}` is not declared"))
                .label("no function of the UPC library has this name")
                .note("C17 §6.5.1p2: an identifier is a primary expression if it has been declared")
                .suggest(format!("did you mean `{meant}`?"), vec![Edit::replace(span, meant)]),
        );
    }

    /// Whether the undeclared `name` is the library's; that is then said, once for each header.
    pub(in crate::sema) fn lacks_header(&mut self, name: Symbol, span: Span) -> bool {
        let text = self.name(name);
        let Some(header) = header_of(text) else { return false };
        let includes_types = |known: &&str| ["upc_collective.h", "upc_atomic.h"].contains(known);
        if self.missing_headers.contains(&header)
            || (header == "upc_types.h" && self.missing_headers.iter().any(includes_types))
        {
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
            ("upcx_wait", Some("upcx_pairwise.h")),
            ("UPC_ADD", Some("upc_types.h")),
            ("upc_lockk", None),
            ("upc_all_reduce_I", None),
            ("upc_memput_nbii", None),
            ("mine", None),
        ] {
            assert_eq!(header_of(name), header, "{name}");
        }
    }

    #[test]
    fn functions_are_meant_by_others() {
        for (name, meant) in [
            ("upc_lock_alloc", Some("upc_all_lock_alloc")),
            ("upc_all_reduce_I", Some("upc_all_reduceI")),
            ("upc_thread_of", Some("upc_threadof")),
            ("upc_mylib_init", None),
        ] {
            assert_eq!(meant_by(name).as_deref(), meant, "{name}");
        }
    }

    macro_rules! texts {
        ($($name:literal)*) => {
            &[$(($name, include_str!(concat!("../../../../runtime/include/", $name)))),*]
        };
    }
    const TEXTS: &[(&str, &str)] = texts! {
        "upc.h" "upc_collective.h" "upc_atomic.h" "upc_tick.h" "upc_castable.h" "upc_nb.h"
        "upc_io.h" "upcx_pairwise.h" "upcx_process.h" "upc_types.h"
    };

    #[test]
    fn names_stand_in_their_headers() {
        for (header, names, suffixes) in HEADERS {
            let (_, text) = TEXTS.iter().find(|(name, _)| name == header).expect(header);
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            for name in names.split_whitespace() {
                // Macros of headers paste types' suffixes, and flags come from <upc_types.h>.
                let is_there = |text: &str| {
                    text.split(|c| !is_word(c)).any(|word| {
                        is_known(word, name, suffixes) || Some(word) == name.strip_suffix('*')
                    })
                };
                assert!(is_there(text) || name.contains("SYNC"), "{name} is not in <{header}>");
            }
        }
    }
}
