// SPDX-License-Identifier: BSD-3-Clause
//! What the numbers were measured on.

use crate::process::Command;
use std::path::Path;

/// One line for each thing that numbers depend on: its name, and what it is here.
pub fn facts() -> Vec<(&'static str, String)> {
    let cpus = std::thread::available_parallelism().map_or(1, |n| n.get());
    let facts = [
        (
            "processor",
            field("/proc/cpuinfo", "model name").map(|name| format!("{name}, {cpus} CPUs")),
        ),
        ("memory", field("/proc/meminfo", "MemTotal").and_then(|kb| gibibytes(&kb))),
        ("system", first_line("uname", "-sr")),
        ("C compiler", first_line("gcc", "--version")),
        ("Open MPI", first_line("mpirun.openmpi", "--version")),
        ("MPICH", first_line("mpichversion", "-v")),
        ("Furlong", Some(env!("CARGO_PKG_VERSION").to_string())),
    ];
    facts.into_iter().filter_map(|(name, fact)| Some((name, fact?))).collect()
}

pub fn now() -> String {
    first_line("date", "+%F %H:%M %Z").unwrap_or_default()
}

fn first_line(program: &str, option: &str) -> Option<String> {
    let output = Command::new(program, Path::new("/")).arg(option).run();
    let line = output.stdout.lines().next().map(str::trim).unwrap_or_default().to_string();
    (output.ok() && !line.is_empty()).then_some(line)
}

fn field(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_string())
}

fn gibibytes(kilobytes: &str) -> Option<String> {
    let number: f64 = kilobytes.split_whitespace().next()?.parse().ok()?;
    Some(format!("{:.0} GiB", number / 1048576.0))
}
