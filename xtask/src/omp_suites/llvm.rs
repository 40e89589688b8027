// SPDX-License-Identifier: BSD-3-Clause
//! LLVM's own tests of its OpenMP run-time library, compiled by ompcc with clang. A test is a script:
//! it compiles and runs its program itself, maybe several times.

use super::lit::Program;
use super::{Known, LIMIT_SECS, MAPPINGS, UNPACK_SECS};
use crate::case::{self, Mapping};
use crate::config::Config;
use crate::debian;
use crate::omp;
use crate::process::Command;
use crate::program;
use crate::suite::{Test, Verdict};
use std::path::{Path, PathBuf};

/// Some programs sleep for minutes.
const TEST_SECS: u64 = 5 * LIMIT_SECS;
const PACKAGE: &str = "llvm-toolchain-19";
const CC: &str = "clang-19";
const CXX: &str = "clang++-19";
const FILE_CHECK: &str = "FileCheck-19";

/// What LLVM's suite finds out of compiler and machine. It has no tools interface, no helper threads,
/// no hwloc and no recorded graphs of tasks, as the runtime has none of these.
const FEATURES: &[&str] = &[
    "affinity",
    "clang",
    "clang-19",
    "linux",
    "multicpu",
    "x86-target-arch",
    "x86_64-target-arch",
];

pub fn tests(config: &Config) -> Vec<Test> {
    let all = sources(config).map_err(Verdict::Skip).and_then(|root| {
        let known = Known::load(config).map_err(Verdict::Fail)?;
        let mut tests = Vec::new();
        case::walk(&root, &mut |path| {
            if path.extension().is_some_and(|e| e == "c" || e == "cpp") {
                tests.extend(test(&root, path, &known));
            }
        });
        Ok(tests)
    });
    all.unwrap_or_else(|verdict| vec![Test::new("omp-suites/llvm", |_| verdict)])
}

/// None: the file is no test, but a part of one.
fn test(root: &Path, path: &Path, known: &Known) -> Option<Test> {
    let name = format!("omp-suites/llvm/{}", path.strip_prefix(root).unwrap_or(path).display());
    let program = Program::read(&String::from_utf8_lossy(&std::fs::read(path).ok()?), FEATURES);
    if program.commands.is_empty() {
        return None;
    }
    let anywhere = known.anywhere.get(&name).cloned();
    let over_hosts = known.over_hosts.get(&name).map(|why| format!("over hosts: {why}"));
    let (root, path) = (root.to_owned(), path.to_owned());
    Some(Test::new(name.clone(), move |config| {
        let lacks = [CC, FILE_CHECK].into_iter().find(|tool| {
            let version = Command::new(tool, &config.root).arg("--version");
            !version.run().ok()
        });
        if let Some(tool) = lacks {
            return Verdict::Skip(format!("there is no {tool}"));
        }
        if let Some(why) = program.skip {
            return Verdict::Skip(why);
        }
        let script = Script { config, name: &name, root: &root, path: &path, program: &program };
        let asked = config.mappings.clone();
        let mappings = asked.unwrap_or_else(|| case::mappings(MAPPINGS).unwrap_or_default());
        let (several, one): (Vec<_>, _) = mappings.into_iter().partition(|m| m.processes > 1);
        let verdict = match script.check(&one) {
            Ok(()) if several.is_empty() => Verdict::Pass,
            Ok(()) => omp::expected(over_hosts, script.check(&several).into()),
            failed => failed.into(),
        };
        omp::expected(anywhere, verdict)
    }))
}

struct Script<'a> {
    config: &'a Config,
    name: &'a str,
    root: &'a Path,
    path: &'a Path,
    program: &'a Program,
}

impl Script<'_> {
    fn check(&self, mappings: &[Mapping]) -> Result<(), String> {
        mappings.iter().try_for_each(|mapping| {
            let scratch = self.config.scratch(self.name);
            let text = self.program.script(&self.names(mapping, &scratch));
            let limit = TEST_SECS * u64::from(mapping.processes);
            let command = Command::new("bash", &scratch)
                .args(["-e", "-o", "pipefail", "-c", &text])
                .limit_secs(limit);
            let output = command.run();
            if !output.ok() {
                let said = program::transcript(&output);
                return Err(format!("[{mapping}] {}\n{said}again:\n{text}", output.end));
            }
            let _ = std::fs::remove_dir_all(&scratch);
            Ok(())
        })
    }

    /// What the names in the commands mean: as LLVM's own `lit.cfg` has it.
    fn names(&self, mapping: &Mapping, scratch: &Path) -> Vec<(&'static str, String)> {
        let ompcc = self.config.tool("ompcc");
        let compile = |options: &str| format!("%clang %openmp_flags %flags {options}%s -o %t -lm");
        let compile_cxx =
            |options: &str| format!("%clangXX %openmp_flags %flags {options}%s -o %t -lm");
        let and_run = |compile: &str| format!("{compile} && %libomp-run");
        vec![
            ("%libomp-compile-and-run", and_run("%libomp-compile")),
            ("%libomp-irbuilder-compile-and-run", and_run("%libomp-irbuilder-compile")),
            ("%libomp-c99-compile-and-run", and_run("%libomp-c99-compile")),
            ("%libomp-cxx-compile-and-run", and_run("%libomp-cxx-compile")),
            ("%libomp-cxx20-compile-and-run", and_run("%libomp-cxx20-compile")),
            ("%libomp-cxx-compile-c", compile_cxx("-std=c++17 -x c++ ")),
            ("%libomp-cxx-compile", compile_cxx("-std=c++17 ")),
            ("%libomp-cxx20-compile", compile_cxx("-std=c++20 ")),
            ("%libomp-irbuilder-compile", compile("-fopenmp-enable-irbuilder ")),
            ("%libomp-c99-compile", compile("-std=c99 ")),
            ("%libomp-compile", compile("")),
            ("%libomp-run", self.launcher(mapping)),
            ("%clangXX", format!("{} -cc={CXX}", ompcc.display())),
            ("%clang", format!("{} -cc={CC}", ompcc.display())),
            ("%openmp_flags", "-fopenmp".into()),
            ("%flags-use-compiler-omp-h", "%flags".into()),
            ("%flags", format!("-I{}", self.root.display())),
            ("| %python", "2>&1 | python3".into()), // affinity is displayed where errors are
            ("FileCheck", FILE_CHECK.into()),
            ("%S", self.path.parent().unwrap_or(self.root).display().to_string()),
            ("%s", self.path.display().to_string()),
            ("%t", scratch.join("program").display().to_string()),
        ]
    }

    /// What the script does not say of the number of threads, the mapping does.
    fn launcher(&self, mapping: &Mapping) -> String {
        let mut command = Command::new(self.config.tool("omprun"), Path::new("/")).arg("-q");
        if !self.program.commands.iter().any(|text| text.contains("OMP_NUM_THREADS=")) {
            command = command.args(["-t", &mapping.pthreads.to_string()]);
        }
        let command = program::over_hosts(self.config, mapping.processes, command);
        format!("{} %t", command.shown(&PathBuf::new()))
    }
}

/// The folder with the tests.
fn sources(config: &Config) -> Result<PathBuf, String> {
    let cache = config.root.join("build/suites");
    let root = cache.join("llvm");
    if !root.is_dir() {
        let packed = debian::packed_source(&cache, PACKAGE)?;
        let script = "rm -rf part && mkdir part
            tar -C part --strip-components=4 --wildcards -xf \"$PACKED\"/*.orig.tar.* \
                '*/openmp/runtime/test'
            mv part llvm";
        let unpack = Command::new("sh", &cache).args(["-e", "-c", script]).env("PACKED", packed);
        debian::must(unpack.limit_secs(UNPACK_SECS))?;
    }
    Ok(root)
}
