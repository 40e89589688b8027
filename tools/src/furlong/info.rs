// SPDX-License-Identifier: BSD-3-Clause
//! `furlong info`: what this installation is, and what it would do here.

use super::request::Request;
use super::rows::{self, row, Row, Section};
use super::{settings, tune};
use crate::exit::{self, Refusal};
use crate::launch::{hosts, transports};
use crate::out;
use crate::{install, text};
use furlong_compiler::emit::{abi_version, max_threads};
use object::{Object, ObjectSection};
use std::path::Path;
use std::process::{Command, Stdio};

/// In the order in which they are shown.
pub const SECTIONS: [&str; 7] =
    ["installation", "compilers", "transports", "openmp", "collectives", "limits", "settings"];

pub fn print(request: &Request) -> Result<(), Refusal> {
    let mut sections = Vec::new();
    for name in SECTIONS.into_iter().filter(|name| request.wants(name)) {
        let rows = match name {
            "installation" => installation(),
            "compilers" => compilers(),
            "transports" => transport_rows(),
            "openmp" => openmp(),
            "collectives" => collectives(),
            "limits" => limits(),
            _ => settings::rows(&request.launcher_options).map_err(|text| (exit::USAGE, text))?,
        };
        sections.push(Section { name, rows });
    }
    match request.json {
        true => out!("{}", rows::json(&sections)),
        false => out!("{}", rows::text(&sections)),
    }
    Ok(())
}

fn installation() -> Vec<Row> {
    let uname = nix::sys::utsname::uname();
    let machine = uname.as_ref().map_or("?".into(), |name| name.machine().to_string_lossy());
    let kernel = uname.as_ref().map_or("?".into(), |name| name.release().to_string_lossy());
    vec![
        row("version", env!("CARGO_PKG_VERSION")),
        row("folder", install::root().display().to_string()),
        row("ABI", abi_version().to_string()),
        row("machine", machine),
        row("Linux", kernel),
    ]
}

/// What each tool runs, unless an option says otherwise: variable, command.
pub const COMPILERS: [(&str, &str, &str); 4] = [
    ("upcc", "UPCC_CC", "cc"),
    ("ompcc, C", "OMPCC_CC", "gcc"),
    ("ompcc, C++", "OMPCC_CXX", "g++"),
    ("ompcc, Fortran", "OMPCC_FC", "gfortran"),
];

fn compilers() -> Vec<Row> {
    let built = |name: &str, file: &str| {
        row(name, made_by(&install::root().join(file)).unwrap_or("not recorded".to_string()))
    };
    let mut rows = vec![
        built("runtime was built by", "lib/furlong/omp/libgomp.so.1"),
        built("tools were built by", "bin/furlong"),
    ];
    rows.extend(COMPILERS.map(|(tool, variable, command)| {
        let (words, origin) = chosen_compiler(variable, command);
        let version = version_of(&words).unwrap_or_else(|why| why);
        row(format!("{tool} uses"), words.join(" ")).with("version", version).with("origin", origin)
    }));
    rows
}

/// The words of a compiler's command, and where they are from.
pub fn chosen_compiler(variable: &str, command: &str) -> (Vec<String>, String) {
    let words = text::words(&std::env::var(variable).unwrap_or_default());
    match words.is_empty() {
        true => (vec![command.to_string()], "default".to_string()),
        false => (words, "environment".to_string()),
    }
}

/// The first line of what `--version` prints.
pub fn version_of(words: &[String]) -> Result<String, String> {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).arg("--version").stdin(Stdio::null());
    let output = command.output().map_err(|e| format!("cannot run: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().next().unwrap_or_default().trim();
    match output.status.success() && !line.is_empty() {
        true => Ok(line.to_string()),
        false => Err("does not say its version".to_string()),
    }
}

/// The compilers that left their names in an object file.
fn made_by(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    let file = object::File::parse(&*bytes).ok()?;
    let comment = file.section_by_name(".comment")?;
    let text = String::from_utf8_lossy(comment.data().ok()?).into_owned();
    let names = text.split('\0').filter(|name| !name.is_empty() && !name.starts_with("Linker"));
    let names: Vec<&str> = names.collect();
    (!names.is_empty()).then(|| names.join("; "))
}

fn transport_rows() -> Vec<Row> {
    let found = transports::all().into_iter().chain([("pmix".to_string(), transports::pmix())]);
    let state = |(name, state): (String, Result<(), String>)| match (name.as_str(), state) {
        ("smp", _) => row(name, "yes").with("remark", "one host"),
        ("pmix", Ok(())) => row(name, "yes").with("remark", "started by mpirun or srun"),
        (_, Ok(())) => row(name, "yes").with("remark", "between hosts"),
        (_, Err(why)) => row(name, "no").with("remark", why),
    };
    found.map(state).collect()
}

fn openmp() -> Vec<Row> {
    let folder = install::lib().join("furlong/omp");
    let there = |name: &str, of: &str| {
        let path = folder.join(name);
        match path.exists() {
            true => row(name, path.display().to_string()).with("for", of),
            false => row(name, "missing").with("for", of),
        }
    };
    vec![there("libgomp.so.1", "gcc, g++, gfortran"), there("libomp.so.5", "clang")]
}

fn collectives() -> Vec<Row> {
    let own = tune::user_table();
    let of_all = install::root().join("share/furlong/collectives.table");
    let named = std::env::var("FURLONG_COLL_TABLE").ok().filter(|name| !name.is_empty());
    let (table, origin) = match named {
        Some(name) => (name, "FURLONG_COLL_TABLE"),
        None if own.exists() => (own.display().to_string(), "file of the user"),
        None if of_all.exists() => (of_all.display().to_string(), "file of the installation"),
        None => ("built in".to_string(), "default"),
    };
    let mut rows = vec![row("table", table).with("origin", origin)];
    for algorithm in tune::algorithms::ALGORITHMS {
        let performs =
            tune::algorithms::OPERATIONS.iter().filter(|o| algorithm.performs(o, 1, 2, 1));
        let operations: Vec<&str> = performs.map(|operation| operation.name).collect();
        let hosts = if algorithm.far { "any number of hosts" } else { "one host" };
        rows.push(row(algorithm.name, hosts).with("operations", operations.join(" ")));
    }
    rows
}

/// Segments of all threads lie in a range of this size, each a stagger late (runtime/space/space.h).
const SPACE_LOG2: u32 = 45;
const STAGGER: u64 = 2 << 20;

fn limits() -> Vec<Row> {
    let segment = |threads: u32| {
        let share = 1u64 << (SPACE_LOG2 - threads.next_power_of_two().trailing_zeros());
        let staggers = u64::from(threads) * STAGGER;
        let bytes = share - if staggers <= share / 16 { staggers } else { 0 };
        row(format!("shared memory of one of {threads} threads"), text::bytes(bytes))
    };
    let mut rows = vec![
        row("threads", max_threads().to_string()),
        row("hosts", hosts::HOSTS_MOST.to_string()),
        row("shared memory of all threads", text::bytes(1 << SPACE_LOG2)),
    ];
    rows.extend([64, max_threads()].map(segment));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runtime_has_as_much_address_space() {
        let text = include_str!("../../../runtime/space/space.h");
        assert!(text.contains(&format!("FL_SPACE_LOG2 = {SPACE_LOG2} }};")));
        assert!(text.contains(&format!("stagger = {} << 20", STAGGER >> 20)));
    }
}
