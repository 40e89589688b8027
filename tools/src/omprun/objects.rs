// SPDX-License-Identifier: BSD-3-Clause
//! The files that a program consists of: itself, and the libraries that the loader finds for it.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the system keeps what its packages bring.
const SYSTEM: [&str; 4] = ["/lib", "/usr/lib", "/lib64", "/usr/lib64"];

pub fn is_elf(path: &Path) -> bool {
    let mut magic = [0; 4];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    read.is_ok() && magic == *b"\x7fELF"
}

/// As ldd does: the loader lists them instead of running the program.
pub fn libraries(program: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |e| format!("cannot find the libraries of `{}`: {e}", program.display());
    let list = Command::new(std::path::absolute(program).map_err(failed)?)
        .env("LD_TRACE_LOADED_OBJECTS", "1")
        .output()
        .map_err(failed)?;
    Ok(listed(&String::from_utf8_lossy(&list.stdout)))
}

/// Lines of `libx.so.1 => /path/libx.so.1 (0x7f…)`.
fn listed(text: &str) -> Vec<PathBuf> {
    let path = |line: &str| {
        let (_, file) = line.split_once("=> ")?;
        let (path, _) = file.rsplit_once(" (")?;
        path.starts_with('/').then(|| PathBuf::from(path))
    };
    text.lines().filter_map(path).collect()
}

pub fn is_openmp(library: &Path) -> bool {
    is_one_of(library, &["libgomp.so", "libomp.so"])
}

/// Those with memory of their own beside the program's, at addresses that are used over hosts.
pub fn is_sanitizer(library: &Path) -> bool {
    is_one_of(library, &["libasan.so", "libhwasan.so", "liblsan.so", "libtsan.so"])
}

fn is_one_of(library: &Path, names: &[&str]) -> bool {
    let name = library.file_name().unwrap_or_default().to_string_lossy();
    names.iter().any(|start| name.starts_with(start))
}

/// Furlong's own count: they know of hosts.
pub fn is_of_system(library: &Path) -> bool {
    SYSTEM.iter().any(|folder| library.starts_with(folder)) || is_openmp(library)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_listed() {
        let text = "\tlinux-vdso.so.1 (0x7ff)\n\tlibx.so => /opt/a b/libx.so (0x7f)\n\
                    \tlibm.so.6 => /lib/libm.so.6 (0x7f)\n\tlibz.so => not found\n";
        let found = listed(text);
        assert_eq!(found, [Path::new("/opt/a b/libx.so"), Path::new("/lib/libm.so.6")]);
        assert!(!is_of_system(&found[0]) && is_of_system(&found[1]));
    }
}
