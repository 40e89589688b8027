// SPDX-License-Identifier: BSD-3-Clause
//! Measurements: runs what `bench/bench.toml` describes, mappings in turns and pinned, keeps the
//! best of the rounds. Never fails for a number: bars are reported, not asserted.

use crate::config::Config;
use crate::launch::{self, transcript};
use crate::mapping::Mapping;
use crate::netns::Netns;
use crate::peers::{self, Kind};
use crate::plan::{self, Build, Language, Peers, Program, Testbed};
use crate::points::Points;
use crate::process::Command;
use crate::report::{self, Board, Sample};
use crate::{openmp, page, plot, readme, testbed, tools};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Measures what the filters name, and prints it.
pub fn run(config: &Config) -> bool {
    let outcome = match gather(config) {
        Ok(outcome) => outcome,
        Err(problem) => {
            eprintln!("FAIL {problem}");
            return false;
        }
    };
    outcome.tables.iter().for_each(|table| println!("{table}"));
    report::print(&outcome.rows);
    outcome.skipped.iter().for_each(|why| println!("skip {why}"));
    let written = match config.write {
        true => report::write_table(config, &outcome.rows),
        false => Ok(()),
    };
    let problems: Vec<String> = outcome.problems.into_iter().chain(written.err()).collect();
    problems.iter().for_each(|problem| println!("FAIL {problem}"));
    println!("pictures: {}", config.shown(&page::file(config)));
    problems.is_empty()
}

/// What came out; it is in the files below [`Config::results`], too.
#[derive(Default)]
pub struct Outcome {
    rows: Vec<report::Row>,
    tables: Vec<String>,
    pub skipped: Vec<String>,
    pub problems: Vec<String>,
}

impl Outcome {
    pub fn failed(problem: String) -> Outcome {
        Outcome { problems: vec![problem], ..Outcome::default() }
    }
}

/// What a filter may name.
pub fn names(config: &Config) -> Result<Vec<String>, String> {
    let plan = plan::load(&config.root.join("bench"))?;
    Ok([plan.names(), openmp::names(config)].concat())
}

/// Measures what the filters name.
pub fn gather(config: &Config) -> Result<Outcome, String> {
    let names = names(config)?;
    let unmatched = config.unmatched(names.iter().map(String::as_str));
    if !unmatched.is_empty() {
        return Err(format!("no program's name contains `{}`", unmatched.join("`, nor `")));
    }
    let plan = plan::load(&config.root.join("bench"))?;
    let (mut found, mut outcome) = (Found::default(), Outcome::default());
    let wanted: Vec<&Program> = plan.programs.iter().filter(|p| config.wants(&p.label())).collect();
    for (at, program) in wanted.iter().enumerate() {
        (config.tell)(&format!("[{}/{}] {}", at + 1, wanted.len(), program.label()));
        if let Some(why) = launch::lacks(config, "bench/needs", &program.needs) {
            outcome.skipped.push(format!("{}: {why}", program.label()));
            continue;
        }
        let config = match connected(config, program) {
            Ok(config) => config,
            Err(why) => {
                outcome.skipped.push(format!("{}: {why}", program.label()));
                continue;
            }
        };
        if let Err(problem) = measure(&config, program, &mut found) {
            outcome.problems.push(format!("{}: {problem}", program.label()));
        }
    }
    // A testbed takes long: only if it is asked for.
    let named = |t: &&Testbed| !config.filters.is_empty() && config.wants(&t.label());
    for testbed in plan.testbeds.iter().filter(named) {
        match run_testbed(config, testbed) {
            Ok(table) => outcome.tables.push(table),
            Err(problem) => outcome.problems.push(format!("testbed {}: {problem}", testbed.source)),
        }
    }
    let (tables, problems) = openmp::run(config);
    outcome.tables.extend(tables);
    outcome.problems.extend(problems);
    outcome.rows = report::rows(&found.samples, &plan.bars);
    outcome.problems.extend(found.points.write(config).err());
    outcome.problems.extend(report::write_json(config, &outcome.rows).err());
    outcome.problems.extend(page::write(config).err());
    Ok(outcome)
}

/// With the hosts, and what connects them, that the program asks for.
fn connected(config: &Config, program: &Program) -> Result<Config, String> {
    let mut config = config.clone();
    if program.transport.is_some() {
        config.transport = program.transport.clone();
    }
    if program.netns && config.netns.is_none() {
        let hosts = program.mappings.iter().map(|m| m.hosts).max().unwrap_or(1);
        config.netns = Some(Arc::new(Netns::new(hosts)?));
    }
    Ok(config)
}

fn run_testbed(config: &Config, testbed: &Testbed) -> Result<String, String> {
    let points = testbed::measure(config, testbed)?;
    let summary = testbed::summary(&points);
    if config.write {
        readme::put(config, "testbed", 3, &summary)?;
    }
    let dir = config.plot.clone().unwrap_or(config.results().join("figures"));
    let figures = plot::write(&dir, &points)?;
    Ok(format!("{summary}{figures} figures in {}", config.shown(&dir)))
}

/// What has been measured so far.
#[derive(Default)]
struct Found {
    samples: Board,
    points: Points,
}

fn measure(config: &Config, program: &Program, found: &mut Found) -> Result<(), String> {
    let rounds = config.rounds.unwrap_or(program.rounds);
    let scratch = scratch(config, "bench", program);
    if let Some(name) = program.source.strip_prefix('@') {
        for _ in 0..rounds {
            let sample = tools::measure(config, name, &scratch)?;
            found.samples.add(&program.label(), "", sample);
        }
        return Ok(());
    }
    for size in program.sizes(config.full) {
        // Compilers run at once, measurements do not.
        let (built, theirs) = std::thread::scope(|scope| {
            let peers = scope.spawn(|| peer_commands(config, program, &size, &scratch));
            let built = binaries(config, program, &size, &scratch);
            (built, peers.join().expect("the thread that builds the peers does not panic"))
        });
        let mut runs: Vec<(String, Command)> = Vec::new();
        for (binary, mark) in built? {
            let ours = commands(config, program, &binary, &scratch)?;
            runs.extend(ours.into_iter().map(|(at, command)| (at + mark, command)));
        }
        runs.extend(theirs?);
        let is_only = runs.len() == 1;
        for (at, command) in (0..rounds).flat_map(|_| &runs) {
            let stdout = run_one(config, command)?;
            for sample in samples(&stdout) {
                found.samples.add(&program.label(), at, sample);
            }
            if !at.ends_with(plan::UNIVERSAL) {
                found.points.add_all(&stdout, at, is_only);
            }
        }
    }
    Ok(())
}

pub fn scratch(config: &Config, kind: &str, program: &Program) -> PathBuf {
    config.scratch(&format!("{kind}/{}", program.label().replace(['@', ' ', '/'], "-")))
}

/// The program in each of its builds, with the mark of the build.
pub fn binaries(
    config: &Config,
    program: &Program,
    size: &[String],
    scratch: &Path,
) -> Result<Vec<(PathBuf, &'static str)>, String> {
    let mut binaries = Vec::new();
    for (index, Build { flags, mark }) in program.builds.iter().enumerate() {
        let binary = scratch.join(format!("program{index}"));
        let flags = &[size, flags].concat();
        match program.language {
            Language::Upc => build(config, &program.source, &program.with, flags, &binary)?,
            Language::C | Language::Gas => build_c(config, program, "gcc", flags, &binary)?,
            Language::OpenMp => build_c(config, program, config.tool("ompcc"), flags, &binary)?,
        }
        binaries.push((binary, *mark));
    }
    Ok(binaries)
}

/// What a command prints that must succeed.
pub fn run_one(config: &Config, command: &Command) -> Result<String, String> {
    let output = command.run();
    match output.ok() {
        true => Ok(output.stdout),
        false => {
            let again = command.shown(&config.root);
            Err(format!("{}\n{}again: {again}", output.end, transcript(&output)))
        }
    }
}

fn build_c(
    config: &Config,
    program: &Program,
    compiler: impl AsRef<OsStr>,
    flags: &[String],
    to: &Path,
) -> Result<(), String> {
    let compile = Command::new(compiler, &config.root.join("bench")).arg(&program.source);
    let prefix = config.prefix().display().to_string();
    let flags = flags.iter().map(|flag| flag.replace("{prefix}", &prefix));
    launch::run_or_say(config, compile.args(flags).arg("-o").arg(to))
}

pub fn build(
    config: &Config,
    source: &str,
    with: &[String],
    flags: &[String],
    to: &Path,
) -> Result<(), String> {
    let dir = config.root.join("bench");
    let mut objects = Vec::new();
    for file in with {
        let object = to.with_extension(format!("{}.o", file.replace('/', "-")));
        let gcc = Command::new("gcc", &dir).args(["-O3", "-c", file, "-o"]).arg(&object);
        launch::run_or_say(config, gcc)?;
        objects.push(object);
    }
    let upcc = Command::new(&config.upcc, &dir).arg(source).args(&objects);
    launch::run_or_say(config, upcc.args(flags).arg("-o").arg(to))
}

fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}

/// The first CPUs, as many as there are threads.
pub fn pinned(threads: usize) -> Vec<usize> {
    (0..threads.min(cpus())).collect()
}

/// One command for each peer and number of threads and hosts: of OpenMP, those on one host.
fn peer_commands(
    config: &Config,
    program: &Program,
    size: &[String],
    scratch: &Path,
) -> Result<Vec<(String, Command)>, String> {
    let mut commands = Vec::new();
    for built in peers(config, program, size, scratch)? {
        let of_peer = program.mappings.iter().filter(|at| built.peer.can_run(**at, cpus()));
        let mut done = Vec::new();
        for at in of_peer {
            let place = built.mapping(*at);
            if !done.contains(&place) {
                let cpus = pinned(at.threads() as usize);
                let run = built.command(*at, program.arguments(config.full)).cpus(&cpus);
                commands.push((place.clone(), run.limit_secs(program.limit_secs)));
                done.push(place);
            }
        }
    }
    Ok(commands)
}

/// The programs beside it.
pub fn peers(
    config: &Config,
    program: &Program,
    size: &[String],
    scratch: &Path,
) -> Result<Vec<peers::Built>, String> {
    let flags: Vec<&str> = size.iter().map(String::as_str).chain(["-lm"]).collect();
    let mut built = Vec::new();
    if let Some(source) = &program.openmp {
        built.extend(peers::build(config, Kind::OpenMp, None, source, &flags, scratch)?);
    }
    let Some(Peers { source, flags: own, needs, only }) = &program.peers else { return Ok(built) };
    if let Some(why) = launch::lacks(config, "bench/needs", needs) {
        (config.tell)(&format!("without {source}: {why}"));
        return Ok(built);
    }
    let flags: Vec<&str> = own.iter().map(String::as_str).chain(flags).collect();
    built.extend(peers::build(config, Kind::Mpi, only.as_deref(), source, &flags, scratch)?);
    Ok(built)
}

/// What connects the hosts of a mapping, if that was asked for.
fn surroundings(config: &Config, mapping: &Mapping) -> String {
    let transport = config.transport.iter().map(|name| format!(" {name}"));
    let fabric = config.netns.iter().map(|_| " netns".to_string());
    if mapping.hosts > 1 {
        transport.chain(fabric).collect()
    } else {
        String::new()
    }
}

/// One command for each mapping, pinned to as many CPUs as it has threads.
fn commands(
    config: &Config,
    program: &Program,
    binary: &Path,
    scratch: &Path,
) -> Result<Vec<(String, Command)>, String> {
    let all = pinned(usize::MAX);
    if let Some((first, rest)) = program.run.split_first() {
        let words = std::iter::once(first).chain(rest);
        let words: Vec<String> = words
            .map(|word| word_of_run(config, word, binary, scratch))
            .collect::<Result<_, _>>()?;
        let command = Command::new(&words[0], scratch).args(&words[1..]).cpus(&all);
        return Ok(vec![(String::new(), command.limit_secs(program.limit_secs))]);
    }
    if program.language == Language::C {
        let command = Command::new(binary, scratch).args(program.arguments(config.full)).cpus(&all);
        return Ok(vec![(String::new(), command.limit_secs(program.limit_secs))]);
    }
    let command = |mapping: &Mapping| {
        let mut args = program.arguments(config.full).to_vec();
        let launch = match program.language {
            Language::Gas => {
                args.insert(0, mapping.pthreads.to_string());
                launch::launch(config, Mapping { pthreads: 1, ..*mapping }, scratch)
            }
            Language::OpenMp => {
                openmp::launch(config, mapping.processes, mapping.pthreads, scratch)
            }
            _ => launch::launch(config, *mapping, scratch),
        };
        let run = launch.arg(binary).args(&args);
        let run = run.cpus(&pinned(mapping.threads() as usize)).limit_secs(program.limit_secs);
        (format!("{mapping}{}", surroundings(config, mapping)), run)
    };
    Ok(program.mappings.iter().map(command).collect())
}

/// `{program}`, `{upcrun}`, `{omprun}`, `{omp}` (the folder of our libgomp), and `{build}/x`, for which bench/x.c is
/// compiled first.
fn word_of_run(
    config: &Config,
    word: &str,
    binary: &Path,
    scratch: &Path,
) -> Result<String, String> {
    if let Some(name) = word.strip_prefix("{build}/") {
        let source = config.root.join("bench").join(name).with_extension("c");
        let gcc = Command::new("gcc", scratch).arg("-O2").arg(source).args(["-o", name]);
        launch::run_or_say(config, gcc)?;
    }
    let shown = |path: &Path| path.display().to_string();
    Ok(word
        .replace("{build}", &shown(scratch))
        .replace("{program}", &shown(binary))
        .replace("{upcrun}", &shown(&config.upcrun))
        .replace("{omprun}", &shown(&config.tool("omprun")))
        .replace("{omp}", &shown(&config.prefix().join("lib/furlong/omp"))))
}

/// The lines of JSON in a program's output; other lines are for people.
pub fn samples(stdout: &str) -> Vec<Sample> {
    let lines = stdout.lines().filter(|line| line.starts_with('{'));
    lines.filter_map(Sample::parse).collect()
}
