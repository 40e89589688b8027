// SPDX-License-Identifier: BSD-3-Clause
//! `furlong tune` measures collective operations on this machine, and writes the table by which the
//! runtime chooses their algorithms (docs/collectives.md).

pub mod algorithms;
mod measure;
mod rules;

use super::request::Request;
use super::say;
use crate::exit::{self, Refusal};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

pub fn tune(request: &Request) -> Result<(), Refusal> {
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

/// Where programs look if they are not told. Its folder exists then.
fn default_output() -> Result<PathBuf, Refusal> {
    let path = user_table();
    let folder = path.parent().unwrap_or(&path);
    std::fs::create_dir_all(folder)
        .map_err(|e| (exit::SYSTEM, format!("`{}`: {e}", folder.display())))?;
    Ok(path)
}

/// The user's own table, which need not exist (runtime/upc/tuned.c).
pub fn user_table() -> PathBuf {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let config = set("XDG_CONFIG_HOME").or(set("HOME").map(|home| home.join(".config")));
    let folder = config.map_or(PathBuf::from("."), |config| config.join("furlong"));
    folder.join("collectives.table")
}
