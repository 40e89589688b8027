// SPDX-License-Identifier: BSD-3-Clause
//! `furlong gasnet-tree`: a folder of links that looks like GASNet's sources and like a build of
//! them, for clients whose build systems ask for those rather than for an installation. What the
//! files in it do is in runtime/gasnet/tree; what clients look for, in docs/gasnet.md.

use crate::exit::{self, Refusal};
use crate::install;
use std::io;
use std::os::unix::fs::{symlink, PermissionsExt};
use std::path::{Path, PathBuf};

const MAKEFILE: &str = include_str!("../../../runtime/gasnet/tree/Makefile");
const CONDUIT_MAKEFILE: &str = include_str!("../../../runtime/gasnet/tree/conduit.mk");
const CONFIG_STATUS: &str = include_str!("../../../runtime/gasnet/tree/config.status");
const CONFIGURE: &str = include_str!("../../../runtime/gasnet/tree/configure");

/// Makes the tree, or makes it anew.
pub fn make(folder: &str) -> Result<(), Refusal> {
    let [release, debug] = ["gasnet", "gasnet-debug"].map(|name| install::plugins().join(name));
    for prefix in [&release, &debug] {
        if !prefix.join("include/gasnet_config.h").is_file() {
            let text = format!("{} is not installed: what the tree leads to", prefix.display());
            return Err((exit::NOT_FOUND, text));
        }
    }
    let folder = Path::new(folder);
    if !is_free(folder) {
        let text = format!(
            "`{}` exists, and `furlong gasnet-tree` has not made it: name another folder",
            folder.display()
        );
        return Err((exit::SYSTEM, text));
    }
    build_tree(folder, &release)
        .and_then(|()| build_tree(&folder.join("debug"), &debug))
        .and_then(|()| source_tree(folder, &release))
        .map_err(|error| (exit::SYSTEM, format!("cannot make `{}`: {error}", folder.display())))
}

/// Whether there is nothing, an empty folder, or a tree of an earlier call.
fn is_free(folder: &Path) -> bool {
    if std::fs::symlink_metadata(folder).is_err() {
        return true;
    }
    let is_ours = std::fs::read_to_string(folder.join("Makefile"))
        .is_ok_and(|text| text.lines().nth(1) == MAKEFILE.lines().nth(1));
    is_ours || std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

/// What a build of GASNet leaves, and the prefix that it would install.
fn build_tree(folder: &Path, prefix: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder.join("lib/pkgconfig"))?;
    link(&prefix.join("include/gasnet_config.h"), &folder.join("gasnet_config.h"))?;
    link(&prefix.join("include"), &folder.join("include"))?;
    link(&prefix.join("bin"), &folder.join("bin"))?;
    for library in files(&prefix.join("lib"))? {
        link(&library, &folder.join("lib").join(name(&library)))?;
    }
    for module in files(&prefix.join("lib/pkgconfig"))? {
        let text = std::fs::read_to_string(&module)?;
        let path = folder.join("lib/pkgconfig").join(name(&module));
        std::fs::write(path, at_prefix(&text, prefix))?;
    }
    write(&folder.join("Makefile"), MAKEFILE, 0o644)?;
    write(&folder.join("config.status"), CONFIG_STATUS, 0o755)?;
    for headers in folders(&prefix.join("include"))? {
        conduit(&folder.join(name(&headers)), &headers, prefix)?;
    }
    Ok(())
}

/// The folder of one conduit: its fragments for make, and its launcher.
fn conduit(folder: &Path, headers: &Path, prefix: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder.join("contrib"))?;
    write(&folder.join("Makefile"), CONDUIT_MAKEFILE, 0o644)?;
    for file in files(headers)? {
        link(&file, &folder.join(name(&file)))?;
    }
    let launcher = format!("gasnetrun_{}", name(headers).trim_end_matches("-conduit"));
    link(&prefix.join("bin").join(&launcher), &folder.join("contrib").join(&launcher))
}

/// By what clients recognise sources, and how they have them built.
fn source_tree(folder: &Path, prefix: &Path) -> io::Result<()> {
    link(&prefix.join("include/gasnet_config.h"), &folder.join("gasnet_config.h.in"))?;
    write(&folder.join("configure"), CONFIGURE, 0o755)
}

/// The same module where the prefix is now: an installed tree may have been moved.
fn at_prefix(module: &str, prefix: &Path) -> String {
    let line = |line: &str| match line.starts_with("prefix=") {
        true => format!("prefix={}\n", prefix.display()),
        false => format!("{line}\n"),
    };
    module.lines().map(line).collect()
}

fn link(target: &Path, path: &Path) -> io::Result<()> {
    if std::fs::symlink_metadata(path).is_ok_and(|entry| !entry.is_dir()) {
        std::fs::remove_file(path)?;
    }
    symlink(target, path)
}

fn write(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    std::fs::write(path, text)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    entries(folder, Path::is_file)
}

fn folders(folder: &Path) -> io::Result<Vec<PathBuf>> {
    entries(folder, Path::is_dir)
}

fn entries(folder: &Path, wanted: fn(&Path) -> bool) -> io::Result<Vec<PathBuf>> {
    let paths = std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    paths.filter(|path| path.as_ref().map_or(true, |path| wanted(path))).collect()
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
