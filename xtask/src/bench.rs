// SPDX-License-Identifier: BSD-3-Clause
//! Measurements: runs what `bench/bench.toml` describes, mappings in turns and pinned, keeps the
//! best of the rounds. Never fails for a number: bars are reported, not asserted.

mod plan;
mod report;
mod tools;

use crate::case::Mapping;
use crate::config::Config;
use crate::process::Command;
use crate::program::{self, transcript};
use plan::{Build, Program};
use report::{Board, Sample};
use std::path::Path;

pub fn run(config: &Config) -> bool {
    let plan = match plan::load(&config.root.join("bench/bench.toml")) {
        Ok(plan) => plan,
        Err(problem) => {
            eprintln!("bench/bench.toml: {problem}");
            return false;
        }
    };
    let (mut board, mut problems) = (Board::default(), Vec::new());
    for program in plan.programs.iter().filter(|p| config.wants(&p.source)) {
        eprintln!("{}", program.label());
        if let Err(problem) = measure(config, program, &mut board) {
            problems.push(format!("{}: {problem}", program.label()));
        }
    }
    let rows = report::rows(&board, &plan.bars);
    report::print(&rows);
    problems.iter().for_each(|problem| println!("FAIL {problem}"));
    let written = report::write_json(config, &rows).and_then(|()| match config.write {
        true => report::write_table(config, &rows),
        false => Ok(()),
    });
    if let Err(problem) = &written {
        println!("FAIL {problem}");
    }
    problems.is_empty() && written.is_ok()
}

fn measure(config: &Config, program: &Program, board: &mut Board) -> Result<(), String> {
    let scratch = config.scratch(&format!("bench/{}", program.label().replace(['@', ' '], "-")));
    let rounds = config.rounds.unwrap_or(program.rounds);
    if let Some(name) = program.source.strip_prefix('@') {
        for _ in 0..rounds {
            board.add("", tools::measure(config, name, &scratch)?);
        }
        return Ok(());
    }
    for (index, Build { flags, mark }) in program.builds.iter().enumerate() {
        let binary = scratch.join(format!("program{index}"));
        build(config, program, flags, &binary)?;
        let runs: Vec<(String, Command)> = commands(config, program, &binary, &scratch)?;
        for (mapping, command) in (0..rounds).flat_map(|_| &runs) {
            let output = command.run();
            if !output.ok() {
                let again = command.shown(&config.root);
                return Err(format!("{}\n{}again: {again}", output.end, transcript(&output)));
            }
            let at = format!("{mapping}{mark}");
            samples(&output.stdout).into_iter().for_each(|sample| board.add(&at, sample));
        }
    }
    Ok(())
}

fn build(config: &Config, program: &Program, flags: &[String], to: &Path) -> Result<(), String> {
    let dir = config.root.join("bench");
    if program.is_c {
        let gcc = Command::new("gcc", &dir).arg(&program.source).args(flags);
        return program::run_or_say(config, gcc.arg("-o").arg(to));
    }
    let mut objects = Vec::new();
    for file in &program.with {
        let object = to.with_extension(format!("{file}.o"));
        let gcc = Command::new("gcc", &dir).args(["-O3", "-c", file, "-o"]).arg(&object);
        program::run_or_say(config, gcc)?;
        objects.push(object);
    }
    let upcc = Command::new(&config.upcc, &dir).arg(&program.source).args(&objects);
    program::run_or_say(config, upcc.args(flags).arg("-o").arg(to))
}

/// One command for each mapping, pinned to as many CPUs as it has threads.
fn commands(
    config: &Config,
    program: &Program,
    binary: &Path,
    scratch: &Path,
) -> Result<Vec<(String, Command)>, String> {
    let cpus = std::thread::available_parallelism().map_or(1, |n| n.get());
    let pinned = |n: usize| -> Vec<usize> { (0..n.min(cpus)).collect() };
    if let Some((first, rest)) = program.run.split_first() {
        let words = std::iter::once(first).chain(rest);
        let words: Vec<String> = words
            .map(|word| word_of_run(config, word, binary, scratch))
            .collect::<Result<_, _>>()?;
        let command = Command::new(&words[0], scratch).args(&words[1..]).cpus(&pinned(cpus));
        return Ok(vec![(String::new(), command.limit_secs(program.limit_secs))]);
    }
    if program.is_c {
        let command = Command::new(binary, scratch).args(&program.args).cpus(&pinned(cpus));
        return Ok(vec![(String::new(), command.limit_secs(program.limit_secs))]);
    }
    let command = |mapping: &Mapping| {
        let run = program::launch(config, *mapping, scratch).arg(binary).args(&program.args);
        let run = run.cpus(&pinned(mapping.threads() as usize)).limit_secs(program.limit_secs);
        (mapping.to_string(), run)
    };
    Ok(program.mappings.iter().map(command).collect())
}

/// `{program}`, `{upcrun}`, and `{build}/x`, for which bench/x.c is compiled first.
fn word_of_run(
    config: &Config,
    word: &str,
    binary: &Path,
    scratch: &Path,
) -> Result<String, String> {
    if let Some(name) = word.strip_prefix("{build}/") {
        let source = config.root.join("bench").join(name).with_extension("c");
        let gcc = Command::new("gcc", scratch).arg("-O2").arg(source).args(["-o", name]);
        program::run_or_say(config, gcc)?;
    }
    let shown = |path: &Path| path.display().to_string();
    Ok(word
        .replace("{build}", &shown(scratch))
        .replace("{program}", &shown(binary))
        .replace("{upcrun}", &shown(&config.upcrun)))
}

/// The lines of JSON in a program's output; other lines are for people.
fn samples(stdout: &str) -> Vec<Sample> {
    let lines = stdout.lines().filter(|line| line.starts_with('{'));
    lines.filter_map(Sample::parse).collect()
}
