// SPDX-License-Identifier: BSD-3-Clause
//! Real C projects, fetched as Debian source packages into `build/projects`, built with
//! `CC=upcc` and tested with their own tests. Skipped where the sources cannot be had.

use crate::config::Config;
use crate::process::Command;
use crate::program::transcript;
use crate::snapshot;
use crate::suite::{Test, Verdict};
use std::path::{Path, PathBuf};

struct Project {
    package: &'static str,
    /// Shell commands in the source folder, with `$UPCC` the compiler; all must succeed.
    build_and_test: &'static str,
}

const PROJECTS: &[Project] = &[
    Project {
        package: "zlib",
        build_and_test: "CC=\"$UPCC\" ./configure --static && make -j2 && make test",
    },
    Project { package: "bzip2", build_and_test: "make -j2 CC=\"$UPCC\" && make test CC=\"$UPCC\"" },
    Project {
        package: "lua5.4",
        // Debian's patches make Lua's own makefile ask for libtool; the sources need none.
        build_and_test: "cd src && rm -f luac.c && \
             echo '#define DEB_HOST_MULTIARCH \"lib\"' >lua5.4-deb-multiarch.h && \
             ls *.c | xargs -P2 -n1 \"$UPCC\" -std=gnu99 -O2 -DLUA_USE_LINUX -c && \
             \"$UPCC\" -Wl,-E *.o -lm -ldl -o lua && ./lua \"$ROOT/tests/plain-c/lua.lua\"",
    },
];

pub fn tests(config: &Config) -> Vec<Test> {
    let _ = config;
    let test = |project: &'static Project| {
        Test::new(format!("projects/{}", project.package), move |config| check(config, project))
    };
    PROJECTS.iter().map(test).collect()
}

fn check(config: &Config, project: &Project) -> Verdict {
    let source = match fetch(config, project.package) {
        Ok(source) => source,
        Err(why) => return Verdict::Skip(why),
    };
    let work = config.scratch(&format!("projects/{}", project.package));
    let script = format!("cp -r \"$SOURCE\"/. . && {{ {}; }}", project.build_and_test);
    let build = Command::new("sh", &work)
        .args(["-e", "-c", &script])
        .env("SOURCE", &source)
        .env("UPCC", &config.upcc)
        .env("ROOT", &config.root)
        .limit_secs(600);
    let output = build.run();
    if output.ok() {
        return Verdict::Pass;
    }
    let log = format!("{}{}", output.stdout, output.stderr);
    let tail: Vec<&str> = log.lines().rev().take(30).collect();
    let tail: Vec<&str> = tail.into_iter().rev().collect();
    Verdict::Fail(format!("{}\n{}\nsee {}", output.end, tail.join("\n"), config.shown(&work)))
}

/// The unpacked source of a package, from the cache or from Debian.
fn fetch(config: &Config, package: &str) -> Result<PathBuf, String> {
    let cache = config.root.join("build/projects").join(package);
    if let Some(source) = unpacked(&cache) {
        return Ok(source);
    }
    std::fs::create_dir_all(&cache).map_err(|e| e.to_string())?;
    let lists = source_list(&cache)?;
    let options = apt_options(&cache, &lists);
    for args in [vec!["update"], vec!["source", package]] {
        let output =
            Command::new("apt-get", &cache).args(&options).args(&args).limit_secs(180).run();
        if !output.ok() {
            let why = snapshot::shorten(&transcript(&output), 5);
            return Err(format!("apt-get {} fails: {why}", args.join(" ")));
        }
    }
    unpacked(&cache).ok_or(format!("apt-get source {package} left no folder"))
}

fn unpacked(cache: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(cache).ok()?.flatten().map(|e| e.path());
    entries.into_iter().find(|p| p.is_dir() && !p.ends_with("lists") && !p.ends_with("archives"))
}

/// apt's own sources with `deb-src` in place of `deb`, for this command alone: the machine's
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
