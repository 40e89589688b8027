// SPDX-License-Identifier: BSD-3-Clause
//! What performance tools hear of (`upcc -inst`, `runtime/include/gasp.h`): the runtime is asked for
//! accesses that are to be told, and learns where its functions are called. The linker then leads
//! the calls of [`instrumented`] functions to what tells them. The checker (`upcc -check`,
//! `runtime/check`) hears of accesses in the same way, and of the [`checked`] functions.

use super::text::c_string;
use super::Emitter;
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

/// The names that collective functions begin with.
const COLLECTIVE: [&str; 4] = ["upc_all_", "bupc_all_", "upcr_allv_", "upcx_team_"];

/// The functions whose misuse is an error, and after which a thread may hold a lock.
const MISUSED: [&str; 5] =
    ["upc_lock", "upc_lock_attempt", "upc_unlock", "upc_lock_free", "upc_free"];

impl Emitter<'_> {
    /// Tells the runtime where a function of the library is called. In a debugging build, messages
    /// name both of two collective calls that do not fit together, where a lock was taken, and
    /// where a lock or memory is misused; performance tools hear of further functions.
    pub(super) fn called_from(&self, callee: ExprId) -> Option<String> {
        let (_, object) = self.sema.object_of(callee)?;
        let name = self.name(object.name);
        let is_checked = self.options.debug
            && (COLLECTIVE.iter().any(|begin| name.starts_with(begin)) || MISUSED.contains(&name));
        if !is_checked && !self.is_told(name) {
            return None;
        }
        let (file, line) = self.file_and_line(self.ast.expr(callee).span.lo);
        Some(format!("upcr_called_from({}, {line})", c_string(&file)))
    }

    fn is_told(&self, name: &str) -> bool {
        if self.options.check {
            // The header's own name for it has the user's place.
            return name == "upcr_atomic_relaxed"
                || name != "upc_atomic_relaxed"
                    && CHECKED.lines().flat_map(functions_of).any(|told| told == name);
        }
        self.options.inst != Inst::Off
            && (name.starts_with("upc_") || name.starts_with("pupc_"))
            && CALLS.lines().flat_map(functions_of).any(|told| told == name)
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
