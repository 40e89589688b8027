// SPDX-License-Identifier: BSD-3-Clause
//! The tour for newcomers: every example compiled with upcc and run with upcrun in several
//! mappings, commands and output shown as one would see them in a terminal.

use crate::case::{Case, Mapping};
use crate::config::Config;
use crate::examples;
use crate::process::Command;
use crate::program::{self, transcript};
use crate::snapshot;
use std::io::IsTerminal;
use std::path::Path;

/// Threads as processes, as pthreads, and as both.
const MAPPINGS: [Mapping; 3] = [
    Mapping { hosts: 1, processes: 4, pthreads: 1 },
    Mapping { hosts: 1, processes: 1, pthreads: 4 },
    Mapping { hosts: 1, processes: 2, pthreads: 2 },
];
const MOST_LINES: usize = 12;

pub fn run(config: &Config) -> bool {
    let mut files = examples::files(config);
    files.retain(|file| config.wants(&config.shown(file)));
    files.sort_by_key(|file| !file.ends_with("hello.upc"));
    let mut failed = Vec::new();
    for path in &files {
        let shown = examples::load(path).and_then(|case| show(config, &case));
        if let Err(problem) = shown {
            println!("{problem}\n");
            failed.push(config.shown(path));
        }
    }
    let good = files.len() - failed.len();
    println!("{}", bold(&format!("{good} of {} examples gave the right answer.", files.len())));
    failed.iter().for_each(|name| println!("    failed: {name}"));
    if failed.is_empty() {
        println!("Next: README.md, docs/guide.md, and the sources in examples/.");
    }
    failed.is_empty() && !files.is_empty()
}

fn show(config: &Config, case: &Case) -> Result<(), String> {
    let name = case.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let dir = config.root.join("build/demo");
    std::fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    println!("{}", bold(&format!("== {name}: {}", title(&case.path))));
    let program = dir.join(&name);
    let sources = std::iter::once(&case.path).chain(&case.with);
    let build = Command::new(&config.upcc, &config.root)
        .args(case.static_threads.map(|n| format!("-T={n}")))
        .arg("-O2")
        .args(case.flags.iter().filter(|f| !f.starts_with("-l")))
        .args(sources.map(|source| config.shown(source)))
        .args(program::libraries(case))
        .arg("-o")
        .arg(&program);
    step(config, &build)?;
    let wanted: Vec<Mapping> = match case.static_threads {
        Some(_) => case.mappings.clone(),
        None => MAPPINGS.to_vec(),
    };
    for mapping in wanted {
        let folder = case.dir().display().to_string();
        let run = program::launch(config, mapping, &dir)
            .arg(&program)
            .args(case.args.iter().map(|a| a.replace("{dir}", &folder)))
            .stdin(&case.stdin)
            .limit_secs(case.limit_secs);
        step(config, &run)?;
    }
    println!();
    Ok(())
}

/// Shows the command, runs it, shows the beginning of what it printed.
fn step(config: &Config, command: &Command) -> Result<(), String> {
    let shown = command.shown(&config.root).replace("build/bin/", "").replace(" -q ", " ");
    println!("{}", green(&format!("$ {}", shown.replace(" -p 1 ", " "))));
    let output = command.run();
    if !output.ok() {
        return Err(format!("{}\n{}", output.end, transcript(&output)));
    }
    if !output.stdout.trim().is_empty() {
        println!("{}", snapshot::shorten(&output.stdout, MOST_LINES));
    }
    Ok(())
}

/// The first sentence of the file's header comment.
fn title(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines().map(|l| l.trim_matches(|c: char| "/* ".contains(c)));
    let is_prose = |l: &&str| !l.starts_with("SPDX") && !l.starts_with('@');
    let prose = lines.filter(is_prose).skip_while(|l| l.is_empty());
    let paragraph: Vec<&str> = prose.take_while(|l| !l.is_empty()).collect();
    let paragraph = paragraph.join(" ");
    paragraph.split(". ").next().unwrap_or("").trim_end_matches('.').to_string()
}

fn bold(text: &str) -> String {
    paint("1", text)
}

fn green(text: &str) -> String {
    paint("32", text)
}

fn paint(code: &str, text: &str) -> String {
    match std::io::stdout().is_terminal() {
        true => format!("\x1b[{code}m{text}\x1b[0m"),
        false => text.to_string(),
    }
}
