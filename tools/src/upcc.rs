// SPDX-License-Identifier: BSD-3-Clause
//! The compiler driver: understands a C compiler's command line, has the C compiler preprocess,
//! the translator turn UPC into C, and the C compiler do the rest.

pub mod command;
mod compile;
mod diagnostics;
pub mod editor;
mod fix;
mod foreign;
mod link;
mod macros;
mod messages;
mod print;
mod process;
mod reserved;

pub(crate) mod table;
pub(crate) mod translate;

use crate::{exit, gcc, install, temp, text};
use command::{Command, Mode};
use diagnostics::{Fix, Message};
use std::cell::RefCell;
use std::io::Write;

/// Everything that the steps of one run share.
pub(crate) struct Context {
    command: Command,
    cc: String,
    /// What is said about the present source, unless it is shown as text at once.
    messages: RefCell<Vec<Message>>,
    /// What `-fix` may change.
    fixes: RefCell<Vec<Fix>>,
}

impl Context {
    /// The C compiler is the one that -cc names, else $UPCC_CC, else gcc.
    fn new(command: Command) -> Context {
        let environment = || std::env::var("UPCC_CC").ok().filter(|cc| !cc.is_empty());
        let cc = command.cc.clone().or_else(environment).unwrap_or_else(|| "gcc".to_string());
        Context { command, cc, messages: RefCell::default(), fixes: RefCell::default() }
    }
}

/// Why a step did not succeed. What there was to say to the user has been said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failed(pub i32);

type Step = Result<(), Failed>;

/// Prints `upcc: TEXT` and fails.
fn fail(code: i32, text: impl std::fmt::Display) -> Failed {
    say(text);
    Failed(code)
}

fn say(text: impl std::fmt::Display) {
    // A closed stderr must not end the compilation.
    let _ = writeln!(std::io::stderr(), "upcc: {text}");
}

/// Runs upcc with the arguments after its name, and returns its exit code.
pub fn main(args: Vec<String>) -> i32 {
    let flags = std::env::var("UPCC_FLAGS").unwrap_or_default();
    let args: Vec<String> = text::words(&flags).into_iter().chain(args).collect();
    if let Some(word) = args.iter().find(|word| text::has_bytes(word)) {
        exit::say("upcc", format_args!("error: `{word}` is not UTF-8, in which upcc takes names; rename the file or folder"));
        return exit::USAGE;
    }
    let command = match command::parse(args.clone()) {
        Ok(command) => command,
        Err(refusal) => {
            say(format_args!("error: {refusal}\nupcc: `upcc -help` lists the options"));
            return exit::USAGE;
        }
    };
    if !command.quiet {
        command.remarks.iter().for_each(say);
    }
    if command.verbose && !flags.trim().is_empty() {
        say(format_args!("UPCC_FLAGS: {}", text::words(&flags).join(" ")));
    }
    let context = Context::new(command);
    process::catch_signals();
    match start(&context).and_then(|()| run(&context, &args)) {
        Ok(()) => exit::OK,
        Err(Failed(code)) => code,
    }
}

fn start(context: &Context) -> Step {
    gcc::refuse_itself("upcc", &context.cc)
        .map_err(|text| fail(exit::SYSTEM, format!("error: {text}")))
}

/// Without its headers upcc is a copy that somebody has made of the program alone.
fn find_headers() -> Step {
    let folder = install::include().join("furlong");
    match folder.is_dir() {
        true => Ok(()),
        false => Err(fail(
            exit::SYSTEM,
            format_args!(
                "error: `{}` is missing; upcc finds it beside its own folder: let a link, or PATH, \
                 lead to the installed upcc",
                folder.display()
            ),
        )),
    }
}

/// Refuses an output that is one of the inputs.
fn spare_inputs(command: &Command) -> Step {
    use std::os::unix::fs::MetadataExt;
    let identity = |path: &str| {
        let found = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
        Some((found.dev(), found.ino()))
    };
    let inputs = || {
        command.items.iter().map(|item| match item {
            command::Item::Source(source) => &source.path,
            command::Item::Link(word) => word,
        })
    };
    let result = command.output.as_deref().unwrap_or("a.out");
    for output in std::iter::once(result).chain(command.dependency_file()) {
        let Some(written) = identity(output) else { continue };
        if let Some(input) = inputs().find(|path| identity(path) == Some(written)) {
            let text = format!("error: the output `{output}` is the input `{input}`");
            return Err(fail(exit::FAILED, format_args!("{text}")));
        }
    }
    Ok(())
}

fn run(context: &Context, args: &[String]) -> Step {
    let command = &context.command;
    if let Some(print) = &command.print {
        return print::print(context, print, args);
    }
    if command.items.is_empty() {
        return print::print(context, &command::Print::Version, args);
    }
    spare_inputs(command)?;
    find_headers()?;
    if command.mode == Mode::Preprocess {
        return compile::preprocess_only(context);
    }
    let temp = temp::TempDir::default();
    let mut objects = Vec::new();
    let mut result = Ok(());
    for source in command.sources() {
        // Every source is compiled, so that one run shows the mistakes of all of them.
        match compile::compile(context, source, &temp) {
            Ok(object) => objects.push(object),
            Err(failed) => result = result.and(Err(failed)),
        }
        result = result.and(diagnostics::write(context, &source.path));
    }
    if command.fix {
        result = result.and(fix::apply(&context.fixes.borrow()));
    }
    result?;
    match command.mode {
        Mode::Link => link::link(context, &objects, &temp),
        _ => Ok(()),
    }
}
