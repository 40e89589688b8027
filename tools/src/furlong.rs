// SPDX-License-Identifier: BSD-3-Clause
//! Errands about an installation of Furlong, rather than about a program. `furlong completion`
//! prints the scripts of [`crate::completion`];
//! `furlong tune` measures collective operations on this machine, and writes the table by which the
//! runtime chooses their algorithms (docs/collectives.md).

mod algorithms;
mod measure;
mod request;
mod rules;
pub(crate) mod table;

use crate::completion;
use crate::exit::{self, Refusal};
use request::Request;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use table::{MANUAL, TABLE};

const NAME: &str = "furlong";

/// Runs furlong with the arguments after its name, and returns its exit code.
pub fn main(args: Vec<String>) -> i32 {
    if let Some((_, rest)) = args.split_first().filter(|(command, _)| *command == "completion") {
        return exit::code(NAME, completion::main(rest));
    }
    let outcome = request::parse(&args)
        .map_err(|text| exit::usage(NAME, text))
        .and_then(|request| run(&request));
    exit::code(NAME, outcome)
}

/// The collective operations that can be measured.
pub fn operations() -> impl Iterator<Item = &'static str> {
    algorithms::OPERATIONS.iter().map(|operation| operation.name)
}

fn say(text: impl std::fmt::Display) {
    exit::say(NAME, text);
}

fn run(request: &Request) -> Result<i32, Refusal> {
    match request.print {
        Some(print) => print.print(&MANUAL, TABLE),
        None => tune(request)?,
    }
    Ok(exit::OK)
}

fn tune(request: &Request) -> Result<(), Refusal> {
    let path =
        request.output.as_ref().map_or_else(default_output, |name| Ok(PathBuf::from(name)))?;
    let name = path.display();
    let system = |e: std::io::Error| (exit::SYSTEM, format!("`{name}`: {e}"));
    // Found out now, not when everything has been measured.
    let mut file = OpenOptions::new().append(true).create(true).open(&path).map_err(system)?;
    let times = measure::measure(request)?;
    file.set_len(0).map_err(system)?;
    file.write_all(rules::table(&times).as_bytes()).map_err(system)?;
    if !request.quiet {
        match request.output {
            Some(_) => {
                say(format_args!("wrote `{name}`; programs use it if FURLONG_COLL_TABLE={name}"))
            }
            None => say(format_args!("wrote `{name}`; programs use it from now on")),
        }
    }
    Ok(())
}

/// Where programs look if they are not told (runtime/upc/tuned.c). Its folder exists then.
fn default_output() -> Result<PathBuf, Refusal> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let config = set("XDG_CONFIG_HOME").or(set("HOME").map(|home| home.join(".config")));
    let folder = config.map_or(PathBuf::from("."), |config| config.join("furlong"));
    std::fs::create_dir_all(&folder)
        .map_err(|e| (exit::SYSTEM, format!("`{}`: {e}", folder.display())))?;
    Ok(folder.join("collectives.table"))
}
