// SPDX-License-Identifier: BSD-3-Clause
//! Measurements: ours and the reference's alternate, pinned to the same CPUs, for several rounds;
//! the best counts and the median shows the noise. bench/README.md describes `bench/bench.toml`.

mod compile;
mod plan;
mod report;

use crate::config::Config;
use crate::process::{Command, Output};
use crate::program::transcript;
use plan::{Bench, Side};
use report::{Row, Samples};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub fn run(config: &Config) -> bool {
    let benches = match plan::load(&config.root.join("bench/bench.toml")) {
        Ok(benches) => benches,
        Err(problem) => {
            eprintln!("bench/bench.toml: {problem}");
            return false;
        }
    };
    let (mut rows, mut problems) = (Vec::new(), Vec::new());
    for bench in benches.iter().filter(|b| config.wants(&b.name)) {
        eprintln!("{} ({})", bench.name, bench.ours.mapping);
        match measure(config, bench) {
            Ok(measured) => rows.extend(measured),
            Err(problem) => problems.push(format!("{}: {problem}", bench.name)),
        }
    }
    report::print(&rows);
    problems.iter().for_each(|problem| println!("FAIL {problem}"));
    let written = report::write_json(config, &rows).and_then(|()| match config.write {
        true => report::write_table(config, &rows),
        false => Ok(()),
    });
    if let Err(problem) = written {
        println!("FAIL {problem}");
        return false;
    }
    problems.is_empty()
}

/// One side of a comparison, ready to run as often as needed.
enum Prepared {
    Program(Command),
    Builtin(compile::Subject),
}

fn measure(config: &Config, bench: &Bench) -> Result<Vec<Row>, String> {
    let scratch = config.scratch(&format!("bench/{}-{}", bench.name, bench.ours.mapping));
    let ours = prepare(config, &bench.ours, &scratch.join("ours"))?;
    let reference = match &bench.reference {
        Some(side) => Some(prepare(config, side, &scratch.join("reference"))?),
        None => None,
    };
    let (mut our_samples, mut reference_samples) = (Samples::new(), Samples::new());
    for _ in 0..config.rounds.unwrap_or(bench.rounds) {
        sample(&ours, &mut our_samples)?;
        if let Some(reference) = &reference {
            sample(reference, &mut reference_samples)?;
        }
    }
    report::rows(bench, &our_samples, &reference_samples)
}

fn prepare(config: &Config, side: &Side, program: &Path) -> Result<Prepared, String> {
    if let Some(name) = side.program.strip_prefix('@') {
        return compile::subject(config, name, program).map(Prepared::Builtin);
    }
    let source = config.root.join("bench").join(&side.program);
    let is_upc = side.program.ends_with(".upc");
    let compiler = if is_upc { config.upcc.clone() } else { PathBuf::from("gcc") };
    let further = side.with.iter().map(|file| config.root.join("bench").join(file));
    let build = Command::new(compiler, &config.root)
        .args(&side.flags)
        .arg(&source)
        .args(further)
        .arg("-o")
        .arg(program)
        .args((!is_upc).then_some("-lm"));
    say(config, &build, build.run())?;
    let cpus: Vec<usize> = (0..config.jobs.min(side.mapping.threads() as usize).max(1)).collect();
    let dir = program.parent().unwrap_or(&config.root);
    let run = match is_upc {
        true => crate::program::launch(config, side.mapping, dir).arg(program),
        false => Command::new(program, dir),
    };
    Ok(Prepared::Program(run.args(&side.args).cpus(&cpus).limit_secs(side.limit_secs)))
}

fn sample(prepared: &Prepared, samples: &mut Samples) -> Result<(), String> {
    match prepared {
        Prepared::Builtin(subject) => {
            samples.entry(subject.name.into()).or_default().push(subject.measure()?);
        }
        Prepared::Program(command) => {
            let output = command.run();
            if !output.ok() {
                return Err(format!("{}\n{}", output.end, transcript(&output)));
            }
            for (name, value) in measurements(&output.stdout) {
                samples.entry(name).or_default().push(value);
            }
        }
    }
    Ok(())
}

/// Lines `{"name": …, "value": …}` of a program's output; other lines are for people.
fn measurements(stdout: &str) -> BTreeMap<String, f64> {
    let mut found = BTreeMap::new();
    for line in stdout.lines().filter(|line| line.starts_with('{')) {
        let Ok(json) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        if let (Some(name), Some(value)) = (json["name"].as_str(), json["value"].as_f64()) {
            found.insert(name.to_string(), value);
        }
    }
    found
}

fn say(config: &Config, command: &Command, output: Output) -> Result<(), String> {
    match output.ok() {
        true => Ok(()),
        false => {
            let again = command.shown(&config.root);
            Err(format!("{}\n{}again: {again}", output.end, transcript(&output)))
        }
    }
}
