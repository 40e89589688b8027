// SPDX-License-Identifier: BSD-3-Clause
//! Requests that print something instead of compiling.

use super::command::{Color, Print};
use super::table::{MANUAL, TABLE};
use super::{fail, macros, process, translate, Context, Step};
use crate::{exit, gcc, install, machine, options_doc};
use crate::{out, outln};
use furlong_compiler::diag::codes;
use furlong_compiler::emit::abi_version;
use nix::sys::signal::{signal, SigHandler, Signal};
use std::io::{IsTerminal, Read};

pub fn print(context: &Context, what: &Print, args: &[String]) -> Step {
    // A reader that has seen enough ends upcc, without a word.
    // SAFETY: the default action is no handler.
    let _ = unsafe { signal(Signal::SIGPIPE, SigHandler::SigDfl) };
    match what {
        Print::Help => out!("{}", options_doc::help(&MANUAL, TABLE)),
        Print::Man => out!("{}", options_doc::man(&MANUAL, TABLE)),
        Print::Explain(what) => return explain(context, what),
        Print::Version => return version(context),
        Print::Features => out!("{}", features(context)),
        Print::IncludeDir => outln!("{}", install::include().display()),
        Print::BackEnd => {
            let mut command = gcc::command(&context.cc);
            command.args(args);
            return process::replace(context, command);
        }
    }
    Ok(())
}

/// Names both compilers. Scripts that look for gcc or clang behind a compiler find it.
fn version(context: &Context) -> Step {
    let mut command = gcc::command(&context.cc);
    if context.command.verbose {
        eprintln!("{}", support());
        command.arg("-v");
    } else {
        outln!("{}", support());
        command.arg("--version");
    }
    process::replace(context, command)
}

/// What upcc is, before what its C compiler is.
fn support() -> String {
    let include = install::include();
    let headers = macros::libraries(&include);
    let headers: Vec<_> = headers.map(|(_, header)| header).collect();
    format!(
        "upcc (Furlong) {}\n\
         languages: UPC 1.3 (C99 to C2x with GNU extensions), C, C++ by the C++ compiler\n\
         libraries: upc.h {}\n\
         extensions: those of Berkeley UPC, bupc(3)\n\
         machine: {}; supported: {}\n\
         ABI: {}\n\
         on top of:",
        env!("CARGO_PKG_VERSION"),
        headers.join(" "),
        machine_of_programs(),
        machine::SUPPORTED,
        abi_version(),
    )
}

/// That of the runtime that is linked into them.
fn machine_of_programs() -> &'static str {
    machine::of(&install::lib().join("libfurlong.a")).unwrap_or(machine::OWN)
}

/// For scripts.
fn features(context: &Context) -> String {
    let mut out = format!(
        "version={}\nabi={}\ncc={}\n",
        env!("CARGO_PKG_VERSION"),
        abi_version(),
        context.cc
    );
    for definition in macros::definitions(&context.command, &install::include()) {
        out += &format!("{definition}\n");
    }
    out
}

/// A code has a page; anything else is a declaration, `-` those on the standard input.
fn explain(context: &Context, what: &str) -> Step {
    if let Some(page) = codes::explain(what) {
        out!("{page}");
        return Ok(());
    }
    if is_code(what) {
        return explain_runtime_error(what);
    }
    if what != "-" {
        return translate::explain(context, what);
    }
    let mut text = String::new();
    match std::io::stdin().read_to_string(&mut text) {
        Ok(_) => translate::explain(context, &text),
        Err(e) => Err(fail(exit::SYSTEM, format_args!("error: cannot read standard input: {e}"))),
    }
}

/// The runtime's errors have pages like upcc's, which are not part of this program.
fn explain_runtime_error(code: &str) -> Step {
    let page = install::error_pages().join(format!("{}.md", code.to_ascii_uppercase()));
    match std::fs::read_to_string(page) {
        Ok(page) => out!("{page}"),
        Err(_) => {
            return Err(fail(exit::USAGE, format_args!("error: there is no diagnostic `{code}`")))
        }
    }
    Ok(())
}

/// A letter and a number.
fn is_code(text: &str) -> bool {
    let digits = text.strip_prefix(|c: char| c.is_ascii_alphabetic());
    digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether messages are coloured.
pub fn color(wanted: Color) -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    match wanted {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            std::io::stderr().is_terminal()
                && !set("NO_COLOR")
                && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}
