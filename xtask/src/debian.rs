// SPDX-License-Identifier: BSD-3-Clause
//! Debian's packages, as files: unpacked into a cache, with apt's configuration as it is, but nothing
//! installed.

use crate::process::Command;
use crate::program::transcript;
use crate::snapshot;
use std::path::{Path, PathBuf};

const APT_SECS: u64 = 300;

/// The unpacked sources of a package, from the cache or from Debian.
pub fn source(caches: &Path, package: &str) -> Result<PathBuf, String> {
    let cache = caches.join(package);
    if let Some(source) = unpacked(&cache) {
        return Ok(source);
    }
    fetch(&cache, &["source", package])?;
    unpacked(&cache).ok_or(format!("apt-get source {package} left no folder"))
}

/// A folder of the cache with the package's sources as Debian packs them, for who needs a part only.
pub fn packed_source(caches: &Path, package: &str) -> Result<PathBuf, String> {
    let cache = caches.join(package);
    fetch(&cache, &["source", "--download-only", package])?;
    Ok(cache)
}

/// The files of a binary package below the cache.
pub fn package(caches: &Path, package: &str) -> Result<PathBuf, String> {
    let cache = caches.join(package);
    let files = cache.join("files");
    if !files.is_dir() {
        fetch(&cache, &["download", package])?;
        let script = "dpkg-deb -x *.deb part && mv part files";
        must(Command::new("sh", &cache).args(["-e", "-c", script]).limit_secs(APT_SECS))?;
    }
    Ok(files)
}

fn fetch(cache: &Path, errand: &[&str]) -> Result<(), String> {
    std::fs::create_dir_all(cache).map_err(|e| e.to_string())?;
    let lists = source_list(cache)?;
    let options = apt_options(cache, &lists);
    for args in [&["update"], errand] {
        must(Command::new("apt-get", cache).args(&options).args(args).limit_secs(APT_SECS))?;
    }
    Ok(())
}

/// Runs a command, or says why it fails.
pub fn must(command: Command) -> Result<(), String> {
    let output = command.run();
    match output.ok() {
        true => Ok(()),
        false => {
            let shown = command.shown(Path::new("/"));
            let why = snapshot::shorten(&transcript(&output), 5);
            Err(format!("{shown}: {}: {why}", output.end))
        }
    }
}

fn unpacked(cache: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(cache).ok()?.flatten().map(|e| e.path());
    entries.into_iter().find(|p| p.is_dir() && !p.ends_with("lists") && !p.ends_with("archives"))
}

/// apt's own list, for packages of sources too, and for this command alone: the machine's
/// configuration stays as it is.
fn source_list(cache: &Path) -> Result<PathBuf, String> {
    let mut text = String::new();
    let mut add = |path: &Path| {
        let Ok(list) = std::fs::read_to_string(path) else { return };
        match path.extension().and_then(|e| e.to_str()) {
            Some("list") => {
                for line in list.lines().filter(|l| l.starts_with("deb ")) {
                    text.push_str(&line.replacen("deb ", "deb-src ", 1));
                    text.push('\n');
                }
            }
            Some("sources") => text.push_str(&one_line(&list)),
            _ => {}
        }
    };
    add(Path::new("/etc/apt/sources.list"));
    crate::case::walk(Path::new("/etc/apt/sources.list.d"), &mut add);
    let binary = text.replace("deb-src ", "deb ");
    text.push_str(&binary);
    let file = cache.join("sources.list");
    std::fs::write(&file, text).map_err(|e| e.to_string())?;
    Ok(file)
}

/// The stanzas of a `.sources` file in the one-line form.
fn one_line(stanzas: &str) -> String {
    let mut lines = String::new();
    for stanza in stanzas.split("\n\n") {
        let field = |name: &str| {
            stanza.lines().find_map(|l| l.strip_prefix(name)).unwrap_or("").trim().to_string()
        };
        let signed = match field("Signed-By:") {
            key if key.is_empty() => String::new(),
            key => format!("[signed-by={key}] "),
        };
        for uri in field("URIs:").split_whitespace() {
            for suite in field("Suites:").split_whitespace() {
                lines
                    .push_str(&format!("deb-src {signed}{uri} {suite} {}\n", field("Components:")));
            }
        }
    }
    lines
}

fn apt_options(cache: &Path, list: &Path) -> Vec<String> {
    for dir in ["lists/partial", "archives/partial"] {
        let _ = std::fs::create_dir_all(cache.join(dir));
    }
    [
        format!("Dir::Etc::SourceList={}", list.display()),
        "Dir::Etc::SourceParts=-".into(),
        format!("Dir::State::Lists={}", cache.join("lists").display()),
        format!("Dir::Cache::Archives={}", cache.join("archives").display()),
        "APT::Sandbox::User=root".into(),
    ]
    .into_iter()
    .flat_map(|setting| ["-o".to_string(), setting])
    .collect()
}
