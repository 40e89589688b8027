// SPDX-License-Identifier: BSD-3-Clause
//! Where Furlong's files are: beside the program that runs, so an installed tree may be moved.

use std::path::{Path, PathBuf};

/// The folder with bin, lib, include and share: `build/bin/upcc` and `PREFIX/bin/upcc` have the
/// same neighbours.
pub fn root() -> PathBuf {
    let exe = exe();
    exe.parent().and_then(Path::parent).unwrap_or(Path::new("/usr/local")).to_path_buf()
}

/// The file of this program. Where there is no `/proc`, the kernel still says by which name it was
/// executed.
pub fn exe() -> PathBuf {
    std::env::current_exe().or_else(|_| std::fs::canonicalize(executed())).unwrap_or_default()
}

fn executed() -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    // SAFETY: the kernel's text, which ends in a null byte and lives as long as the process.
    unsafe {
        match libc::getauxval(libc::AT_EXECFN) as *const libc::c_char {
            name if name.is_null() => PathBuf::new(),
            name => std::ffi::OsStr::from_bytes(std::ffi::CStr::from_ptr(name).to_bytes()).into(),
        }
    }
}

pub fn include() -> PathBuf {
    root().join("include")
}

pub fn lib() -> PathBuf {
    root().join("lib")
}

/// What programs load when they run: nothing that others link.
pub fn plugins() -> PathBuf {
    lib().join("furlong")
}

pub fn gdb_script() -> PathBuf {
    root().join("share/furlong/gdb/furlong.py")
}

/// The pages about diagnostics and about errors of the runtime. Those in share/doc are for readers:
/// images of containers often lack that folder.
pub fn error_pages() -> PathBuf {
    root().join("share/furlong/errors")
}

/// The root as the runtime reads it: percent-encoded, so that it stands in a list of settings.
pub fn root_setting() -> String {
    use std::os::unix::ffi::OsStrExt;
    format!("root={}", crate::text::percent_encoded(root().as_os_str().as_bytes()))
}
