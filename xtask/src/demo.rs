// SPDX-License-Identifier: BSD-3-Clause
//! The tour for newcomers: a few commands that show what there is, and their output, as one would
//! see them in a terminal; short enough for one screen. `cargo xtask examples` has all examples in
//! all mappings.

use crate::config::Config;
use crate::process::Command;
use crate::program::transcript;
use std::io::IsTerminal;
use std::path::Path;

/// Commands, and what to know of each.
const TOUR: [(&str, &str); 7] = [
    ("upcc -O2 heat.upc -o heat -lm", "UPC: compiled once"),
    ("upcrun -n 4 ./heat", "four processes"),
    ("upcrun -n 4 -p 2 ./heat", "two processes with two threads each"),
    ("upcrun -n 4 -virtual-hosts 2 ./heat", "two hosts, both of them this machine"),
    ("ompcc -O2 openmp_pi.c -o openmp_pi", "OpenMP: compiled once"),
    ("omprun -t 4 ./openmp_pi", "four threads"),
    ("omprun -t 2 -virtual-hosts 2 ./openmp_pi", "two hosts with two threads each"),
];
const SOURCES: [&str; 2] = ["heat.upc", "openmp_pi.c"];

pub fn run(config: &Config) -> bool {
    match tour(config) {
        Ok(()) => {
            println!("Next: README.md, docs/guide.md, and the programs in examples/.");
            true
        }
        Err(problem) => {
            println!("{problem}");
            false
        }
    }
}

fn tour(config: &Config) -> Result<(), String> {
    let dir = config.root.join("build/demo");
    std::fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    for source in SOURCES {
        let copied = std::fs::copy(config.root.join("examples").join(source), dir.join(source));
        copied.map_err(|e| format!("{source}: {e}"))?;
    }
    let missing = missing_transport(config, &dir);
    TOUR.iter().try_for_each(|(line, remark)| match &missing {
        Some(why) if line.contains("-virtual-hosts") => {
            println!("{}", paint("2", &format!("# skipped: {line}: {why}")));
            Ok(())
        }
        _ => step(config, &dir, line, remark),
    })
}

/// Why no job can run over hosts with the transport that is the default, if so.
fn missing_transport(config: &Config, dir: &Path) -> Option<String> {
    let info = Command::new(&config.upcrun, dir).arg("-info").run();
    match info.stdout.lines().find(|line| line.starts_with("transport ucx: ")) {
        Some(line) if line.ends_with(": can be loaded") => None,
        Some(line) => Some(line.to_string()),
        None => Some("Furlong was built without UCX".to_string()),
    }
}

/// Shows the command before it runs, then what it printed.
fn step(config: &Config, dir: &Path, line: &str, remark: &str) -> Result<(), String> {
    let (command, remark) = (format!("$ {line:<42}"), format!("# {remark}"));
    println!("{} {}", paint("32", &command), paint("2", &remark));
    let tools = config.upcc.parent().unwrap_or(&config.root);
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("sh", dir).args(["-c", line]).env("PATH", path).run();
    if !output.ok() {
        return Err(format!("{}\n{}", output.end, transcript(&output)));
    }
    output.stdout.lines().filter(|line| *line != "ok").for_each(|line| println!("{line}"));
    Ok(())
}

fn paint(code: &str, text: &str) -> String {
    match std::io::stdout().is_terminal() {
        true => format!("\x1b[{code}m{text}\x1b[0m"),
        false => text.to_string(),
    }
}
