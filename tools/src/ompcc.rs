// SPDX-License-Identifier: BSD-3-Clause
//! The compiler driver for OpenMP programs that may run over several hosts: the C, C++ or Fortran
//! compiler with the options that make atomic operations and fences call the runtime, and the
//! runtime in the place of the compiler's own libgomp. Everything else is the compiler's affair.
//!
//! No option of gcc has fences call anything, and none of clang all atomic operations. Under the name `as`, in a folder that only the
//! compiler is told of, this program is the assembler's wrapper, which sees to that.

mod align;
mod assemble;
mod command;
mod flow;
mod link;
mod loops;
mod races;
mod results;
pub(crate) mod table;
mod updates;

use crate::exit::{self, Refusal};
use crate::options_doc::Print;
use crate::outln;
use crate::{gcc, install, machine, own_names, text};
use command::{Command, Language};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use table::{MANUAL, TABLE};

/// What ompcc hands to the compiler: beside the program that runs.
struct Install {
    /// libgomp.so.
    lib: PathBuf,
    /// The wrapper.
    assembler: PathBuf,
    /// Macros that bring old and rare atomic operations to those that call the runtime.
    header: PathBuf,
    /// `<omp.h>` for compilers that have none.
    omp_h: PathBuf,
}

/// Runs ompcc, or the assembler if that is what this process was called, with the arguments after
/// the name, and returns the exit code.
pub fn main(args: Vec<String>) -> i32 {
    let called = std::env::args_os().next().unwrap_or_default();
    let (name, outcome) = match Path::new(&called).file_name() {
        Some(name) if name == "as" => ("as", assemble::run(&args)),
        _ => ("ompcc", compile(args)),
    };
    exit::code(name, outcome)
}

fn compile(args: Vec<String>) -> Result<i32, Refusal> {
    let flags = std::env::var("OMPCC_FLAGS").unwrap_or_default();
    let args: Vec<String> = text::words(&flags).into_iter().chain(args).collect();
    let command = command::parse(&args).map_err(|text| exit::usage("ompcc", text))?;
    let Some(print) = command.print else {
        if command.wants_warnings() {
            command.sources.iter().for_each(|source| warn_of_races(source));
        }
        let words = words(&command)?;
        gcc::refuse_itself("ompcc", &words[0]).map_err(|text| (exit::SYSTEM, text))?;
        let mut passed = command.passed.iter().map(String::as_str);
        return match command.links && !own_names::are_for_libraries(&mut passed) {
            true => link::run(&words),
            false => Err(replace(&words)),
        };
    };
    print.print(&MANUAL, TABLE);
    match print {
        Print::Version => {
            outln!("on top of:");
            Err(replace(&[compiler(&command), vec!["--version".into()]].concat()))
        }
        _ => Ok(exit::OK),
    }
}

/// A source that cannot be read is the compiler's affair.
fn warn_of_races(source: &str) {
    let Ok(text) = std::fs::read(text::os(source)) else { return };
    for race in races::find(&String::from_utf8_lossy(&text)) {
        let races::Race { line, variable, construct, reduction_line } = race;
        let instead = match construct {
            "single nowait" => "leave out `nowait`",
            _ => "have a `barrier` between",
        };
        eprintln!(
            "{source}:{line}: warning: `{variable}` is set in a `{construct}`, which no barrier \
             ends, before line {reduction_line} reduces into it: other threads may have added \
             their parts by then, and over several hosts often have; {instead}, or set it before \
             the region [-Wall]"
        );
    }
}

/// The compiler's command line.
fn words(command: &Command) -> Result<Vec<String>, Refusal> {
    let install = find();
    let library = install.lib.join("libgomp.so.1");
    if command.links && !library.exists() {
        let path = library.display();
        let text = format!("`{path}` is missing; ompcc finds it beside its own folder, but a Furlong for musl has none");
        return Err((exit::SYSTEM, text));
    }
    let lib = install.lib.display();
    let mut words = compiler(command);
    let is_llvm = names(&words, "clang");
    words.push("-fopenmp".to_string());
    let is_for_hosts = machine::of(&library).is_none_or(|machine| machine == machine::OVER_HOSTS);
    let is_for_hosts = is_for_hosts && !command.one_host;
    if is_for_hosts {
        words.push(format!("-B{}", install.assembler.display()));
        match is_llvm {
            true => words.extend(LLVM_ATOMICS.map(str::to_string)),
            false => words.push("-fno-inline-atomics".to_string()),
        }
        if command.is_for_c && !is_llvm {
            words.extend(["-include".to_string(), install.header.display().to_string()]);
        }
    }
    if is_llvm {
        words.extend(["-idirafter".to_string(), install.omp_h.display().to_string()]);
    }
    // Before the user's own, as nothing but libgomp is there. The folder's name may have a comma,
    // at which `-Wl,` would split.
    words.extend([format!("-L{lib}")]);
    words.extend(["-Xlinker", "-rpath", "-Xlinker", &lib.to_string()].map(String::from));
    words.extend(command.passed.iter().cloned());
    if is_for_hosts && is_llvm {
        // What its linker compiles does not pass by the assembler.
        words.push("-fno-lto".to_string());
    }
    // Also if nothing calls it, as where only loops are `simd`: omprun knows programs by it.
    if command.links && !words[0].contains("clang") {
        words.push("-Wl,--push-state,--no-as-needed,-lgomp,--pop-state".to_string());
    }
    if command.links {
        words.extend(libraries_of_languages(&compiler(command)));
    }
    if command.verbose {
        eprintln!(" {}", words.join(" "));
    }
    Ok(words)
}

/// Those of C++ and Fortran, as far as they are installed, for sources, objects and libraries that
/// need them: a program may be in several languages, and objects do not tell theirs.
fn libraries_of_languages(compiler: &[String]) -> Vec<String> {
    let is_there = |name: &&str| {
        let mut query = std::process::Command::new(&compiler[0]);
        query.args(&compiler[1..]).arg(format!("-print-file-name=lib{name}.so"));
        query.output().is_ok_and(|answer| answer.stdout.starts_with(b"/"))
    };
    let there = ["stdc++", "gfortran", "quadmath", "m"].into_iter().filter(is_there);
    let there = there.map(|name| format!("-l{name}"));
    let start = "-Wl,--push-state,--as-needed".to_string();
    std::iter::once(start).chain(there).chain(["-Wl,--pop-state".to_string()]).collect()
}

/// The compiler's name, perhaps with options.
fn compiler(command: &Command) -> Vec<String> {
    let (variable, default) = match command.language {
        Language::C => ("OMPCC_CC", "gcc"),
        Language::Cxx => ("OMPCC_CXX", "g++"),
        Language::Fortran => ("OMPCC_FC", "gfortran"),
    };
    let chosen = text::words(&std::env::var(variable).unwrap_or_default());
    match (&command.compiler, chosen.is_empty()) {
        (Some(words), _) => words.clone(),
        (None, true) => vec![default.to_string()],
        (None, false) => chosen,
    }
}

/// clang has atomic operations call functions for its thread sanitizer only. The runtime has these;
/// everything else of the sanitizer is switched off, and the linker not told of it. What it leaves,
/// updates of floating-point numbers, is the assembler's.
const LLVM_ATOMICS: [&str; 10] = [
    "-fno-integrated-as",
    "-Wno-unused-command-line-argument",
    "-Xclang",
    "-fsanitize=thread",
    "-mllvm",
    "-tsan-instrument-memory-accesses=0",
    "-mllvm",
    "-tsan-instrument-func-entry-exit=0",
    "-mllvm",
    "-tsan-instrument-memintrinsics=0",
];

/// Whether the compiler's name has the part; before it may stand another command, as ccache.
fn names(compiler: &[String], part: &str) -> bool {
    let mut words = compiler.iter().filter(|word| !word.starts_with('-'));
    words.any(|word| word.rsplit('/').next().unwrap_or_default().contains(part))
}

/// Becomes the command. What comes back is why not.
fn replace(words: &[String]) -> Refusal {
    let error = std::process::Command::new(text::os(&words[0]))
        .args(words[1..].iter().map(|word| text::os(word)))
        .exec();
    (exit::SYSTEM, format!("cannot run `{}`: {error}", words[0]))
}

fn find() -> Install {
    let lib = install::plugins().join("omp");
    let include = install::include().join("furlong");
    let (header, omp_h) = (include.join("omp_atomics.h"), include.join("omp"));
    Install { assembler: lib.join("bin/"), header, omp_h, lib }
}
