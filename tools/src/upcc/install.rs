// SPDX-License-Identifier: BSD-3-Clause
//! Where Furlong's headers, library, gdb script and pages are: beside the program that runs.

use std::path::{Path, PathBuf};

pub struct Install {
    pub include: PathBuf,
    pub lib: PathBuf,
    pub gdb_script: PathBuf,
    /// The pages about diagnostics and about errors of the runtime.
    pub error_pages: PathBuf,
}

/// `build/bin/upcc` and `PREFIX/bin/upcc` have the same neighbours.
pub fn find() -> Install {
    let exe = std::env::current_exe().unwrap_or_default();
    let root = exe.parent().and_then(Path::parent).unwrap_or(Path::new("/usr/local"));
    Install {
        include: root.join("include"),
        lib: root.join("lib"),
        gdb_script: root.join("share/furlong/gdb/furlong.py"),
        error_pages: root.join("share/doc/furlong/errors"),
    }
}
