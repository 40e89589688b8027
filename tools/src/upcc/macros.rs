// SPDX-License-Identifier: BSD-3-Clause
//! The macros that UPC 1.3 §6.10.1 predefines, and those by which programs know the compiler.

use super::command::Command;
use std::path::Path;

/// Libraries whose macro (§7) says that they can be used, with the header that proves it.
const LIBRARIES: &[(&str, &str)] = &[
    ("__UPC_COLLECTIVE__", "upc_collective.h"),
    ("__UPC_TICK__", "upc_tick.h"),
    ("__UPC_ATOMIC__", "upc_atomic.h"),
    ("__UPC_CASTABLE__", "upc_castable.h"),
    ("__UPC_IO__", "upc_io.h"),
    ("__UPC_NB__", "upc_nb.h"),
];

/// By which programs know that they may use Berkeley's functions: its release whose language and
/// libraries are nearest to ours.
const BERKELEY: &[&str] = &[
    "__BERKELEY_UPC__=2",
    "__BERKELEY_UPC_MINOR__=28",
    "__BERKELEY_UPC_PATCHLEVEL__=0",
    "__BERKELEY_UPC_RUNTIME__=1",
    "__BERKELEY_UPC_RUNTIME_RELEASE__=2",
    "__BERKELEY_UPC_RUNTIME_RELEASE_MINOR__=28",
    "__BERKELEY_UPC_RUNTIME_RELEASE_PATCHLEVEL__=0",
];

/// Names and values, in the form `NAME=VALUE`.
pub fn definitions(command: &Command, include: &Path) -> Vec<String> {
    let max_block = furlong_compiler::sema::types::MAX_BLOCK;
    let mut out = vec![
        "__UPC__=1".to_string(),
        "__UPC_VERSION__=201311L".to_string(),
        format!("UPC_MAX_BLOCK_SIZE={max_block}"),
    ];
    match command.threads {
        // In the dynamic environment THREADS is an expression of the language, not a macro.
        None => out.push("__UPC_DYNAMIC_THREADS__=1".to_string()),
        Some(n) => {
            out.push("__UPC_STATIC_THREADS__=1".to_string());
            out.push(format!("THREADS={n}"));
        }
    }
    out.extend(libraries(include).map(|(name, _)| format!("{name}=1")));
    out.push(format!("__FURLONG__={}", version_number()));
    out.extend(BERKELEY.iter().map(|definition| definition.to_string()));
    if command.by_pthreads == Some(true) {
        out.push("__BERKELEY_UPC_PTHREADS__=1".to_string());
    }
    out
}

/// The libraries that are installed: macro and header.
pub fn libraries(include: &Path) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
    LIBRARIES.iter().copied().filter(|(_, header)| include.join(header).exists())
}

/// 10203 for version 1.2.3.
fn version_number() -> u32 {
    let parts = env!("CARGO_PKG_VERSION").split('.');
    parts.fold(0, |number, part| number * 100 + part.parse().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_can_ask_for_the_version() {
        assert!(version_number() > 0);
    }
}
