// SPDX-License-Identifier: BSD-3-Clause
//! Others' test suites of OpenMP, unmodified: gcc's and LLVM's own of their run-time libraries, from
//! Debian's packages of the compilers' sources, are unpacked into `build/suites`, compiled by ompcc,
//! and run on one host and over several. Skipped where the sources cannot be had.
//!
//! `tests/omp-suites.toml` says which programs are known not to work, and why.

mod dejagnu;
mod lit;
mod llvm;

use crate::case::{self, Case};
use crate::config::{words, Config};
use crate::debian;
use crate::omp;
use crate::process::{Command, End, Output};
use crate::suite::{Test, Verdict};
use dejagnu::Program;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use toml::Table;

/// Hosts x threads of each.
const MAPPINGS: &str = "1x4 2x2 4x2";
const LIMIT_SECS: u64 = 60;
/// xz is slow, and a busy machine slower.
const UNPACK_SECS: u64 = 1800;
const PACKAGE: &str = "gcc-12-source";

/// Folders of programs, the language as which each is compiled, and their suffixes.
const FOLDERS: &[(&str, &str, &[&str])] = &[
    ("libgomp.c", "c", &["c"]),
    ("libgomp.c-c++-common", "c", &["c"]),
    ("libgomp.c-c++-common", "c++", &["c"]),
    ("libgomp.c++", "c++", &["C"]),
    ("libgomp.fortran", "fortran", &["f", "F", "f90", "F90", "f95", "f03"]),
];

/// Programs that are known not to work, with the reasons: over hosts, or not even on one.
#[derive(Default)]
struct Known {
    over_hosts: HashMap<String, String>,
    anywhere: HashMap<String, String>,
}

pub fn tests(config: &Config) -> Vec<Test> {
    let found = gcc_sources(config).map_err(Verdict::Skip);
    let all = found.and_then(|root| {
        let known = Known::load(config).map_err(Verdict::Fail)?;
        let folders = FOLDERS.iter();
        Ok(folders.flat_map(|folder| tests_in(&root, folder, &known)).collect())
    });
    let mut all = all.unwrap_or_else(|verdict| vec![Test::new("omp-suites/gcc", |_| verdict)]);
    all.extend(llvm::tests(config));
    all
}

fn tests_in(root: &Path, folder: &(&str, &'static str, &[&str]), known: &Known) -> Vec<Test> {
    let (name, language, suffixes) = *folder;
    let mut tests = Vec::new();
    case::walk(&root.join("libgomp/testsuite").join(name), &mut |path| {
        if suffixes.iter().any(|s| path.extension().is_some_and(|e| e == *s)) {
            tests.push(test(root, path, language, known));
        }
    });
    tests
}

fn test(root: &Path, path: &Path, language: &'static str, known: &Known) -> Test {
    let base = root.join("libgomp/testsuite");
    let file = path.strip_prefix(&base).unwrap_or(path).display();
    let name = format!("omp-suites/gcc/{language}/{file}");
    let anywhere = known.anywhere.get(&name).cloned();
    let over_hosts = known.over_hosts.get(&name).cloned();
    let (root, path) = (root.to_owned(), path.to_owned());
    Test::new(name.clone(), move |config| {
        let bytes = std::fs::read(&path).unwrap_or_default();
        let program = Program::read(&String::from_utf8_lossy(&bytes), language);
        if let Some(why) = program.skip {
            return Verdict::Skip(why);
        }
        let case = Case { broken_over_hosts: over_hosts, ..case(&root, &path, language, &program) };
        let verdict = omp::check(config, &name, &case, &|output| says(&program.output, output));
        omp::expected(anywhere, verdict)
    })
}

/// The program as one of our own tests.
fn case(root: &Path, path: &Path, language: &str, program: &Program) -> Case {
    let includes = ["libgomp", "include", "generated"];
    let includes = includes.map(|dir| format!("-I{}", root.join(dir).display()));
    let options = program.options.as_deref().unwrap_or("-O2");
    let mut flags = vec!["-O0".to_string(), "-w".into(), "--lang".into(), language.into()];
    if language == "c++" {
        flags.extend(["-x".into(), "c++".into()]);
    }
    flags.extend(includes);
    flags.extend(program.more_options.iter().fold(words(options), |mut all, more| {
        all.extend(words(more));
        all
    }));
    let dir = path.parent().unwrap_or(root);
    Case {
        path: path.to_owned(),
        mappings: case::mappings(MAPPINGS).unwrap_or_default(),
        flags,
        env: program.env.clone(),
        with: program.sources.iter().map(|source| dir.join(source)).collect(),
        exit: i32::from(program.fails),
        limit_secs: LIMIT_SECS,
        repeat: 1,
        ..Case::default()
    }
}

/// Whether the expressions match what has been printed.
fn says(expressions: &[String], output: &Output) -> Result<(), String> {
    let printed = format!("{}{}", output.stdout, output.stderr);
    let missing = expressions.iter().find(|text| {
        let grep = Command::new("grep", Path::new("/")).args(["-Pzq", "--", text]);
        grep.stdin(&printed).run().end != End::Code(0)
    });
    missing.map_or(Ok(()), |text| Err(format!("does not print what matches `{text}`")))
}

impl Known {
    fn load(config: &Config) -> Result<Known, String> {
        let path = config.tests_dir().join("omp-suites.toml");
        let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
        let table: Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
        let part = |name: &str| {
            let part = table.get(name).and_then(|value| value.as_table()).cloned();
            let entries = part.unwrap_or_default().into_iter();
            entries.filter_map(|(test, why)| Some((test, why.as_str()?.to_string()))).collect()
        };
        Ok(Known { over_hosts: part("over-hosts"), anywhere: part("anywhere") })
    }
}

/// The folder with gcc's `libgomp` and what its programs include.
fn gcc_sources(config: &Config) -> Result<PathBuf, String> {
    let cache = config.root.join("build/suites");
    let root = cache.join("gcc");
    if root.is_dir() {
        return Ok(root);
    }
    let unpacked = debian::package(&cache, PACKAGE)?;
    // What gcc's configure script makes, as far as the programs need it.
    let script = "mkdir -p part/generated
        tar -C part --strip-components=1 --wildcards -xf \"$SOURCE\"/usr/src/gcc-*/gcc-*.tar.xz \
            '*/libgomp/testsuite' '*/libgomp/*.h' '*/include/gomp-constants.h'
        echo '#include <stdint.h>' >part/generated/gstdint.h
        touch part/generated/config.h
        mv part gcc";
    let unpack = Command::new("sh", &cache).args(["-e", "-c", script]).env("SOURCE", unpacked);
    debian::must(unpack.limit_secs(UNPACK_SECS))?;
    Ok(root)
}
