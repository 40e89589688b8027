// SPDX-License-Identifier: BSD-3-Clause
//! The macros that UPC 1.3 §6.10.1 predefines.

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

/// `-D` options for the preprocessor.
pub fn definitions(threads: Option<u32>, include: &Path) -> Vec<String> {
    let max_block = furlong_compiler::sema::types::MAX_BLOCK;
    let mut out = vec![
        "-D__UPC__=1".to_string(),
        "-D__UPC_VERSION__=201311L".to_string(),
        format!("-DUPC_MAX_BLOCK_SIZE={max_block}"),
    ];
    match threads {
        // In the dynamic environment THREADS is an expression of the language, not a macro.
        None => out.push("-D__UPC_DYNAMIC_THREADS__=1".to_string()),
        Some(n) => {
            out.push("-D__UPC_STATIC_THREADS__=1".to_string());
            out.push(format!("-DTHREADS={n}"));
        }
    }
    let exist = LIBRARIES.iter().filter(|(_, header)| include.join(header).exists());
    out.extend(exist.map(|(name, _)| format!("-D{name}=1")));
    out
}
