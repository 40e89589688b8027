// SPDX-License-Identifier: BSD-3-Clause
//! The link of a program, which ompcc looks at: one that shows names of its own to shared libraries,
//! libgomp among them, is linked once more with these hidden (own_names.rs).

use crate::exit::{self, Refusal};
use crate::own_names;
use crate::temp::TempDir;
use crate::text;
use nix::sys::signal::Signal;
use std::os::unix::process::CommandExt;
use std::path::Path;

/// Runs the compiler's command line, and returns its exit code.
pub fn run(words: &[String]) -> Result<i32, Refusal> {
    let code = child(words)?;
    let shown = own_names::shown(Path::new(&text::os(output(words)))).unwrap_or_default();
    if code != 0 || shown.is_empty() {
        return Ok(code);
    }
    let temp = TempDir::default();
    let object = temp.file("own_names.s").map_err(|text| (exit::SYSTEM, text))?;
    std::fs::write(&object, own_names::hiding(&shown))
        .map_err(|e| (exit::SYSTEM, format!("cannot write `{}`: {e}", object.display())))?;
    // The compiler's warnings have been shown.
    let more = ["-w", "-x", "none", &object.to_string_lossy()].map(String::from);
    child(&[words, &more].concat())
}

/// The file that the compiler writes: `-o FILE`, or in one word.
fn output(words: &[String]) -> &str {
    let after = words.iter().skip(1).map(String::as_str).chain([""]);
    let named = words.iter().zip(after).filter_map(|(word, next)| match word.strip_prefix("-o") {
        Some("") => Some(next),
        joined => joined,
    });
    named.last().unwrap_or("a.out")
}

/// Runs the command; it ends if ompcc does.
fn child(words: &[String]) -> Result<i32, Refusal> {
    let mut command = std::process::Command::new(&words[0]);
    command.args(words[1..].iter().map(|word| text::os(word)));
    let end_too = || Ok(nix::sys::prctl::set_pdeathsig(Signal::SIGTERM)?);
    // SAFETY: the function makes one system call.
    unsafe { command.pre_exec(end_too) };
    let status = command.status();
    let status = status.map_err(|e| (exit::SYSTEM, format!("cannot run `{}`: {e}", words[0])))?;
    Ok(status.code().unwrap_or(exit::FAILED))
}
