// SPDX-License-Identifier: BSD-3-Clause
//! The transports of this installation, and whether they can be loaded (runtime/net/load.c loads
//! them for programs).

use crate::install;
use std::ffi::{CStr, CString, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// What works without any library: threads of one host.
const LOCAL: &str = "smp";
/// The rows of the runtime's list.
const PACKAGES: &str = include_str!("../../../runtime/net/packages.def");

/// What stands for whichever MPI there is.
const ANY_MPI: &str = "mpi";

/// Whether there is a transport of this name between hosts, else which there are.
pub fn check(name: &str) -> Result<(), String> {
    let mut names: Vec<_> = files().into_iter().map(|(name, _)| name).collect();
    if name == ANY_MPI || names.is_empty() || names.iter().any(|known| known == name) {
        return Ok(());
    }
    names.push(ANY_MPI.to_string());
    names.sort();
    let names = names.join(", ");
    Err(format!(
        "there is no transport `{name}` between hosts; there are {names} (ucx goes over TCP and \
         InfiniBand, ofi by libfabric, mpi is whichever MPI the program has)"
    ))
}

/// A line for each transport.
pub fn list() -> Vec<String> {
    let line = |(name, state): (String, Result<(), String>)| match state {
        Ok(()) if name == LOCAL => format!("transport {name}: this host only"),
        Ok(()) => format!("transport {name}: can be loaded"),
        Err(why) => format!("transport {name}: {why}"),
    };
    all().into_iter().map(line).collect()
}

/// Every transport, and whether it can be loaded.
pub fn all() -> Vec<(String, Result<(), String>)> {
    let loaded = files().into_iter().map(|(name, path)| (name, load(&path)));
    std::iter::once((LOCAL.to_string(), Ok(()))).chain(loaded).collect()
}

/// Names and files of all transports between hosts.
fn files() -> Vec<(String, PathBuf)> {
    let mut files: Vec<_> = folders().iter().flat_map(|folder| in_folder(folder)).collect();
    files.sort();
    files.dedup_by(|a, b| a.0 == b.0);
    files
}

/// Whether mpirun and srun can start programs by PMIx (runtime/job/pmix_client.c).
pub fn pmix() -> Result<(), String> {
    load(&install::plugins().join("libfurlong-pmix.so"))
}

fn folders() -> Vec<PathBuf> {
    let set = std::env::var_os("FURLONG_NET_PATH").filter(|folder: &OsString| !folder.is_empty());
    set.map(PathBuf::from).into_iter().chain([install::plugins()]).collect()
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
            let why = CStr::from_ptr(libc::dlerror()).to_string_lossy().into_owned();
            let package = package(&why).map(|name| format!(" (Debian package {name})"));
            return Err(format!("cannot be loaded: {why}{}", package.unwrap_or_default()));
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
