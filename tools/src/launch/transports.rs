// SPDX-License-Identifier: BSD-3-Clause
//! The transports of this installation, and whether they can be loaded (runtime/net/load.c loads
//! them for programs).

use crate::install;
use std::ffi::{CStr, CString, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The rows of the runtime's list.
const PACKAGES: &str = include_str!("../../../runtime/net/packages.def");

/// A line for each transport.
pub fn list() -> Vec<String> {
    let mut lines = vec!["transport smp: this host only".to_string()];
    let mut files: Vec<_> = folders().iter().flat_map(|folder| in_folder(folder)).collect();
    files.sort();
    files.dedup_by(|a, b| a.0 == b.0);
    for (name, path) in files {
        let state = match load(&path) {
            Ok(()) => "can be loaded".to_string(),
            Err(why) => match package(&why) {
                Some(package) => format!("cannot be loaded: {why} (Debian package {package})"),
                None => format!("cannot be loaded: {why}"),
            },
        };
        lines.push(format!("transport {name}: {state}"));
    }
    lines
}

fn folders() -> Vec<PathBuf> {
    let set = std::env::var_os("FURLONG_NET_PATH").filter(|folder: &OsString| !folder.is_empty());
    set.map(PathBuf::from).into_iter().chain([install::lib()]).collect()
}

/// Names and files of the transports in a folder.
fn in_folder(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let transport = |path: PathBuf| {
        let file = path.file_name()?.to_str()?;
        let name = file.strip_prefix("libfurlong-net-")?.strip_suffix(".so")?.to_string();
        Some((name, path))
    };
    entries.filter_map(|entry| transport(entry.path())).collect()
}

fn load(path: &Path) -> Result<(), String> {
    let file = CString::new(path.as_os_str().as_bytes()).map_err(|e| e.to_string())?;
    // SAFETY: the name ends in 0; the error is a string that lives until the next call.
    unsafe {
        if libc::dlopen(file.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL).is_null() {
            return Err(CStr::from_ptr(libc::dlerror()).to_string_lossy().into_owned());
        }
    }
    Ok(())
}

/// The package of the library that a loader's message begins with.
fn package(message: &str) -> Option<&'static str> {
    let rows = PACKAGES.lines().filter_map(|line| line.strip_prefix("FL_PACKAGE("));
    let parts = rows.map(|row| row.split('"').skip(1).step_by(2).collect::<Vec<_>>());
    parts.filter(|parts| parts.len() == 2 && message.starts_with(parts[0])).map(|p| p[1]).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_has_a_package() {
        let message = "libucp.so.0: cannot open shared object file: No such file or directory";
        assert_eq!(package(message), Some("libucx0"));
        assert_eq!(package("libother.so: cannot open"), None);
    }
}
