// SPDX-License-Identifier: BSD-3-Clause
//! Errands about an installation of Furlong, rather than about a program: what it is (info),
//! whether it can work on this machine and others (doctor), what is fastest here (tune), what the
//! papers' figures are here (papers), what a job did (report), how shells complete its command lines
//! (completion), and what builds of GASNet's clients look for (gasnet-tree).

mod dap;
mod doctor;
mod gasnet_tree;
mod info;
mod papers;
mod params;
mod request;
mod rows;
mod settings;
pub(crate) mod table;
mod tune;

// Its command line is that of upcc and upcrun.
mod run;

use crate::completion;
use crate::exit::{self, Refusal};
use crate::{out, report};
use request::{Command, Request};
use std::path::Path;
use table::{MANUAL, TABLE};

const NAME: &str = "furlong";

/// Runs furlong with the arguments after its name, and returns its exit code.
pub fn main(args: Vec<String>) -> i32 {
    let (command, words) = args.split_first().map_or(("", &args[..]), |(c, w)| (c, w));
    let wants_help = !words.is_empty() && words.iter().all(|word| asks_for_help(word));
    match command {
        "lsp" if words.is_empty() => return crate::lsp::serve(),
        "dap" if words.is_empty() => return exit::code(NAME, dap::run()),
        "run" if !wants_help => return exit::code(NAME, run::run(words)),
        _ => {}
    }
    let is_own = matches!(command, "lsp" | "dap" | "run") && wants_help;
    let args = if is_own { words } else { &args[..] };
    let outcome = request::parse(args)
        .map_err(|text| exit::usage(NAME, text))
        .and_then(|request| run(&request));
    exit::code(NAME, outcome)
}

/// Those words are about furlong, not about a program.
fn asks_for_help(word: &str) -> bool {
    matches!(word.trim_start_matches('-'), "h" | "help" | "man" | "version")
}

/// The collective operations that can be measured.
pub fn operations() -> impl Iterator<Item = &'static str> {
    tune::algorithms::OPERATIONS.iter().map(|operation| operation.name)
}

/// Makes the report of one folder, or compares two.
fn report_of(folders: &[String]) -> Result<(), Refusal> {
    let refuse = |text| (exit::NOT_FOUND, text);
    match folders {
        [a, b] => out!("{}", report::compare(Path::new(a), Path::new(b)).map_err(refuse)?),
        [dir, ..] => report::make(Path::new(dir)).map(drop).map_err(refuse)?,
        [] => {}
    }
    Ok(())
}

fn say(text: impl std::fmt::Display) {
    exit::say(NAME, text);
}

fn run(request: &Request) -> Result<i32, Refusal> {
    match (request.print, request.command) {
        (Some(print), _) => print.print(&MANUAL, TABLE),
        (None, Command::Tune) => tune::tune(request)?,
        (None, Command::Papers) => papers::make(request)?,
        (None, Command::Report) => report_of(&request.parts)?,
        (None, Command::GasnetTree) => gasnet_tree::make(&request.parts[0])?,
        (None, Command::Info) => info::print(request)?,
        (None, Command::Doctor) => return doctor::examine(request),
        (None, Command::Completion) => out!("{}", completion::script(&request.parts[0])),
        (None, Command::Probe) => doctor::probe::answer(),
    }
    Ok(exit::OK)
}
