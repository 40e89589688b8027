// SPDX-License-Identifier: BSD-3-Clause
//! What performance tools hear of (`upcc -inst`, `runtime/include/gasp.h`): the runtime is asked for
//! accesses that are to be told, and learns where its functions are called. The linker then leads
//! the calls of [`instrumented`] functions to what tells them. The checker (`upcc -check`,
//! `runtime/check`) hears of accesses in the same way, and of the [`checked`] functions.

use super::Emitter;
use crate::marker::c_string;
use crate::syntax::ast::ExprId;

const CALLS: &str = include_str!("../../../runtime/library/gasp_calls.def");
const CHECKED: &str = include_str!("../../../runtime/check/wrapped.def");

/// Which accesses to shared memory are told, beside statements and the library's functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Inst {
    #[default]
    Off,
    /// Those to other threads' memory.
    Remote,
    All,
}

/// The functions that a tool hears of, as the linker knows them.
pub fn instrumented() -> Vec<String> {
    CALLS.lines().flat_map(functions_of).collect()
}

/// The functions that the checker hears of, as the linker knows them.
pub fn checked() -> Vec<String> {
    CHECKED.lines().flat_map(functions_of).collect()
}

/// The functions of a line of a table that begins an entry.
fn functions_of(line: &str) -> Vec<String> {
    let is_entry = line.starts_with("GASP_") || line.starts_with("CHECKED");
    let Some((kind, rest)) = line.split_once('(').filter(|_| is_entry) else {
        return Vec::new();
    };
    let name = rest.split([',', ')']).next().unwrap_or_default();
    match kind {
        "GASP_REDUCTION" | "CHECKED_REDUCTION" => {
            ["reduce", "prefix_reduce"].map(|f| format!("upc_all_{f}{name}")).into()
        }
        _ => vec![name.to_string()],
    }
}

/// What the names of the library's functions begin with.
const LIBRARY: [&str; 4] = ["upc_", "bupc_", "upcr_allv_", "upcx_"];

/// The functions that cannot be misused, so that where they are called need not be known.
const SAFE: [&str; 8] = [
    "upc_threadof",
    "upc_phaseof",
    "upc_addrfield",
    "upc_resetphase",
    "upc_affinitysize",
    "upc_ticks_now",
    "upc_ticks_to_ns",
    "bupc_poll",
];

impl Emitter<'_> {
    /// Tells the runtime where a function of the library is called. In a debugging build, messages
    /// name both of two collective calls that do not fit together, where a lock was taken, and
    /// where a function is misused; performance tools hear of some functions.
    pub(super) fn called_from(&self, callee: ExprId) -> Option<String> {
        let (_, object) = self.sema.object_of(callee)?;
        let name = self.name(object.name);
        let is_misusable = (self.options.debug || self.options.check)
            && LIBRARY.iter().any(|begin| name.starts_with(begin))
            && !SAFE.contains(&name);
        // The header's own name for it has the user's place.
        let has_place_inside = name == "upc_atomic_relaxed";
        if has_place_inside || !is_misusable && !self.is_told(name) {
            return None;
        }
        let (file, line) = self.file_and_line(self.ast.expr(callee).span.lo);
        Some(format!("upcr_called_from({}, {line})", c_string(&file)))
    }

    fn is_told(&self, name: &str) -> bool {
        if name == "upcr_atomic_relaxed" {
            return self.options.debug || self.options.check;
        }
        if self.options.check {
            return CHECKED.lines().flat_map(functions_of).any(|told| told == name);
        }
        self.options.inst != Inst::Off
            && (name.starts_with("upc_") || name.starts_with("pupc_"))
            && CALLS.lines().flat_map(functions_of).any(|told| told == name)
    }

    /// The argument of a transfer that is private memory: under `-check` the runtime learns how much
    /// there is behind it, where the C compiler knows.
    pub(super) fn private_buffer(&self, callee: ExprId, args: &[ExprId]) -> Option<ExprId> {
        let (_, object) = self.sema.object_of(callee).filter(|_| self.options.check)?;
        let name = self.name(object.name);
        let which = if name.contains("_memget") {
            0
        } else if name.contains("_memput") {
            1
        } else {
            return None;
        };
        args.get(which).copied().filter(|_| self.is_told(name))
    }

    pub(super) fn fence_statement(&self, offset: u32) -> String {
        match self.options.inst {
            Inst::Off => "upcr_fence();".into(),
            _ => format!("upcr_fence_here({});", self.place_arguments(offset)),
        }
    }
}

#[test]
fn the_checkers_table_names_functions() {
    let names = checked();
    for name in ["upcr_get", "upc_lock", "upc_memget_nb", "upc_all_prefix_reduceLD", "upcr_main"] {
        assert!(names.iter().any(|n| n == name), "{name}");
    }
    assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')));
}

#[test]
fn the_table_names_functions() {
    let names = instrumented();
    for name in
        ["upcr_get", "upcr_barrier", "upc_memget_nb", "upc_all_prefix_reduceLD", "upcr_main"]
    {
        assert!(names.iter().any(|n| n == name), "{name}");
    }
    assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')));
}
