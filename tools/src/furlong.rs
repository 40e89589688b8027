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
use std::io::Write;
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
    // Found out now, not when everything has been measured.
    let system = |e: std::io::Error| (exit::SYSTEM, format!("`{}`: {e}", request.output));
    let mut file = std::fs::File::create(&request.output).map_err(system)?;
    let times = measure::measure(request)?;
    file.write_all(rules::table(&times).as_bytes()).map_err(system)?;
    if !request.quiet {
        say(format_args!("wrote `{0}`; programs use it if FURLONG_COLL_TABLE={0}", request.output));
    }
    Ok(())
}
