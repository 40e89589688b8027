// SPDX-License-Identifier: BSD-3-Clause
//! Finds the file to run, and whether it may be.

use crate::{machine, text};
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The file to run for `name`: a path if it has a slash; else a file in this folder, as long as
/// it is of a `kind`, as `fits` knows, and then the search path's.
pub fn find(name: &str, kind: &str, fits: fn(&Path) -> bool) -> Result<PathBuf, String> {
    let file = PathBuf::from(text::os(name));
    if name.contains('/') {
        return executable(&file).map(|()| file);
    }
    let here = Path::new(".").join(&file);
    if executable(&here).is_ok() && fits(&here) {
        return Ok(here);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|dir| dir.join(&file))
        .find(|candidate| executable(candidate).is_ok())
        .ok_or_else(|| format!("`{name}` is neither {kind} in this folder nor in PATH"))
}

/// Why the file cannot run, if it cannot.
pub fn executable(path: &Path) -> Result<(), String> {
    let shown = path.display();
    let meta = std::fs::metadata(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => format!("there is no file `{shown}`"),
        _ => format!("`{shown}`: {e}"),
    })?;
    if !meta.is_file() {
        return Err(format!("`{shown}` is not a file"));
    }
    let name = CString::new(path.as_os_str().as_bytes()).map_err(|e| e.to_string())?;
    // SAFETY: `name` is a string that ends in 0 and outlives the call.
    match unsafe { libc::access(name.as_ptr(), libc::X_OK) } {
        0 => of_this_machine(path),
        _ => Err(format!("`{shown}` may not be executed: is it a program? (chmod +x)")),
    }
}

/// Refuses a program of another machine, unless the kernel knows an emulator for such: the C library
/// would take it for a shell script.
fn of_this_machine(path: &Path) -> Result<(), String> {
    let shown = path.display();
    let theirs = machine::of(path).unwrap_or(machine::OWN);
    if theirs == machine::OWN {
        return Ok(());
    }
    let qemu = match theirs {
        "arm64" => "qemu-aarch64",
        "x86-64" => "qemu-x86_64",
        _ => {
            return Err(format!("`{shown}` is for {theirs}, but this machine is {}", machine::OWN))
        }
    };
    if Path::new("/proc/sys/fs/binfmt_misc").join(qemu).exists() {
        return Ok(());
    }
    Err(format!(
        "`{shown}` is for {theirs}, but this machine is {}: run it there, or have an emulator \
         started, which runs it: `{qemu} -L LIBRARIES {shown}`",
        machine::OWN
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_is_named() {
        assert_eq!(
            find("./no-such-program", "x", |_| true).unwrap_err(),
            "there is no file `./no-such-program`"
        );
        assert!(find("/", "x", |_| true).unwrap_err().contains("is not a file"));
        assert!(find("no-such-program", "x", |_| true).unwrap_err().contains("PATH"));
    }
}
