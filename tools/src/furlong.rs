// SPDX-License-Identifier: BSD-3-Clause
//! Errands about an installation of Furlong, rather than about a program. So far there is one:
//! `furlong tune` measures collective operations on this machine, and writes the table by which the
//! runtime chooses their algorithms (docs/collectives.md).

mod algorithms;
mod measure;
mod request;
mod rules;
mod table;

use crate::{exit, options_doc};
use request::{Print, Request};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use table::{MANUAL, TABLE};

/// Why nothing came of it: an exit code, and the reason for the user.
type Refusal = (i32, String);

/// Runs furlong with the arguments after its name, and returns its exit code.
pub fn main(args: Vec<String>) -> i32 {
    let outcome = request::parse(&args)
        .map_err(|text| (exit::USAGE, format!("{text}\nfurlong: `furlong -help` says more")))
        .and_then(|request| run(&request));
    match outcome {
        Ok(()) => exit::OK,
        Err((code, text)) => {
            say(format_args!("error: {text}"));
            code
        }
    }
}

fn say(text: impl std::fmt::Display) {
    // A closed stderr must not end the measurement.
    let _ = writeln!(std::io::stderr(), "furlong: {text}");
}

fn run(request: &Request) -> Result<(), Refusal> {
    match request.print {
        Some(Print::Help) => print!("{}", options_doc::help(&MANUAL, TABLE)),
        Some(Print::Man) => print!("{}", options_doc::man(&MANUAL, TABLE)),
        Some(Print::Version) => println!("furlong (Furlong) {}", env!("CARGO_PKG_VERSION")),
        None => return tune(request),
    }
    Ok(())
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
