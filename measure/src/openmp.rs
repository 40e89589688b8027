// SPDX-License-Identifier: BSD-3-Clause
//! The programs of bench/openmp, which are those of a paper on OpenMP over several hosts: one after
//! the other without OpenMP, on one host, over hosts and by MPI. Every run must find what the
//! sequential one finds. What comes out stands beside the paper's numbers, in tables and figures.

mod show;

use crate::bench::pinned;
use crate::config::Config;
use crate::launch::{run_or_say, transcript};
use crate::mapping::Mapping;
use crate::peers;
use crate::plan;
use crate::process::Command;
use serde_json::{json, Value};
use std::path::{Path, PathBuf};

/// How a program runs.
#[derive(Clone, Copy, PartialEq)]
pub enum Way {
    Sequential,
    /// On one host, a thread for each processor: by gcc's libgomp, and by ours.
    Gcc,
    OneHost,
    /// Virtual hosts, and threads of each.
    Hosts(u32, u32),
    /// Virtual hosts with a thread each, as TreadMarks was before it had threads.
    Original(u32),
    /// As many processes as the paper has processors.
    Mpi,
}

/// Those on one host are measured in turns, several times; of the others, counts are the point.
const ON_ONE_HOST: [Way; 3] = [Way::Sequential, Way::Gcc, Way::OneHost];
const OVER_HOSTS: [Way; 6] = [
    Way::Original(4),
    Way::Hosts(4, 1),
    Way::Hosts(4, 4),
    Way::Original(16),
    Way::Hosts(16, 1),
    Way::Mpi,
];
const PROCESSORS: u32 = 16;
const ROUNDS: usize = 3;
const LIMIT_SECS: u64 = 600;

impl Way {
    fn shown(self) -> String {
        match self {
            Way::Sequential => "sequential".into(),
            Way::Gcc => "gcc".into(),
            Way::OneHost => "one host".into(),
            Way::Hosts(hosts, threads) => format!("{hosts}x{threads}"),
            Way::Original(hosts) => format!("original {hosts}x1"),
            Way::Mpi => "MPI".into(),
        }
    }
}

/// A program, what the paper reports of it, and its runs.
pub struct Program {
    paper: plan::Paper,
    runs: Vec<(Way, Run)>,
}

/// The best time, and the counts of the last run.
struct Run {
    seconds: f64,
    counts: Value,
}

impl Program {
    fn run(&self, way: Way) -> Option<&Run> {
        self.runs.iter().find(|(of, _)| *of == way).map(|(_, run)| run)
    }

    fn seconds(&self, way: Way) -> Option<f64> {
        self.run(way).map(|run| run.seconds)
    }

    /// The sum of some counts.
    fn count(&self, way: Way, names: &[&str]) -> Option<f64> {
        let counts = &self.run(way)?.counts;
        names.iter().map(|name| counts[*name].as_f64()).sum()
    }

    fn add(&mut self, way: Way, seconds: f64, counts: Value) {
        match self.runs.iter_mut().find(|(of, _)| *of == way) {
            Some((_, run)) => *run = Run { seconds: run.seconds.min(seconds), counts },
            None => self.runs.push((way, Run { seconds, counts })),
        }
    }
}

/// What a filter may name.
pub fn names(config: &Config) -> Vec<String> {
    let papers = plan::papers(&config.root.join("bench/openmp/paper.toml")).unwrap_or_default();
    papers.iter().map(|p| label(&p.source)).collect()
}

fn label(source: &str) -> String {
    format!("openmp/{source} over hosts")
}

/// Measures those programs whose name, `openmp/sor over hosts`, is asked for; returns tables, and what failed.
pub fn run(config: &Config) -> (Option<String>, Vec<String>) {
    let file = config.root.join("bench/openmp/paper.toml");
    let papers = match plan::papers(&file) {
        Ok(papers) => papers,
        Err(problem) => return (None, vec![format!("bench/openmp/paper.toml: {problem}")]),
    };
    let (mut programs, mut problems) = (Vec::new(), Vec::new());
    for paper in papers.into_iter().filter(|p| config.wants(&label(&p.source))) {
        (config.tell)(&label(&paper.source));
        let name = paper.source.clone();
        let mut program = Program { paper, runs: Vec::new() };
        let failed = measure(config, &mut program);
        problems.extend(failed.into_iter().map(|problem| format!("openmp/{name}: {problem}")));
        programs.push(program);
    }
    if programs.is_empty() {
        return (None, problems);
    }
    match show::write(config, &programs) {
        Ok(tables) => (Some(tables), problems),
        Err(problem) => {
            problems.push(problem);
            (None, problems)
        }
    }
}

/// What fails in one way takes no other with it.
fn measure(config: &Config, program: &mut Program) -> Vec<String> {
    let scratch = config.scratch(&format!("bench/openmp/{}", program.paper.source));
    let mut problems = Vec::new();
    let (mut right, mut compiled) = (None, Vec::new());
    for (ways, rounds) in
        [(&ON_ONE_HOST[..], config.rounds.unwrap_or(ROUNDS)), (&OVER_HOSTS[..], 1)]
    {
        let mut built = Vec::new();
        let mpi = config.root.join(format!("bench/openmp/{}_mpi.c", program.paper.source));
        for &way in ways.iter().filter(|&&way| way != Way::Mpi || mpi.exists()) {
            match build(config, &program.paper.source, way, &scratch, &mut compiled) {
                Ok(command) => built.push((way, command)),
                Err(problem) => problems.push(format!("{}: {problem}", way.shown())),
            }
        }
        for (way, command) in (0..rounds).flat_map(|_| &built) {
            if let Err(problem) = one_run(config, program, *way, command, &mut right) {
                problems.push(format!("{}: {problem}", way.shown()));
            }
        }
    }
    problems
}

fn one_run(
    config: &Config,
    program: &mut Program,
    way: Way,
    command: &Command,
    right: &mut Option<f64>,
) -> Result<(), String> {
    let output = command.run();
    if !output.ok() {
        let again = command.shown(&config.root);
        return Err(format!("{}\n{}again: {again}", output.end, transcript(&output)));
    }
    // omprun counts on the other output.
    let printed = output.stdout + &output.stderr;
    let lines = printed.lines().filter(|line| line.starts_with('{'));
    let lines: Vec<Value> = lines.filter_map(|line| serde_json::from_str(line).ok()).collect();
    let number = |key: &str| lines.iter().find_map(|line| line[key].as_f64());
    let (Some(value), Some(seconds)) = (number("verify"), number("seconds")) else {
        return Err(format!("no result in\n{printed}"));
    };
    let right = *right.get_or_insert(value);
    if (value - right).abs() > program.paper.tolerance * right.abs() {
        return Err(format!("the result is {value}, not {right}"));
    }
    let counts = lines.iter().find(|line| line["messages"].is_number());
    let counts = lines.iter().map(|line| &line["total"]).find(|total| total.is_object()).or(counts);
    program.add(way, seconds, counts.cloned().unwrap_or(Value::Null));
    Ok(())
}

/// Ways that differ in how a program is run share it: `compiled` has those that there are.
fn build(
    config: &Config,
    source: &str,
    way: Way,
    scratch: &Path,
    compiled: &mut Vec<PathBuf>,
) -> Result<Command, String> {
    let dir = config.root.join("bench/openmp");
    let all = pinned(usize::MAX);
    let limited = |command: Command| command.cpus(&all).limit_secs(LIMIT_SECS);
    if way == Way::Mpi {
        let file = format!("openmp/{source}_mpi.c");
        let built = peers::build(
            config,
            peers::Kind::Mpi,
            None,
            &file,
            &["-fopenmp-simd", "-lm"],
            scratch,
        )?;
        let built = built.first().ok_or("no MPI is installed")?;
        return Ok(limited(built.command(Mapping::on_one_host(PROCESSORS), &[])));
    }
    let (name, compiler, mode) = match way {
        Way::Sequential => ("sequential", "gcc".into(), "-fopenmp-simd"),
        Way::Gcc => ("gcc", "gcc".into(), "-fopenmp"),
        _ => ("ompcc", config.tool("ompcc"), "-fopenmp"),
    };
    let binary = scratch.join(name);
    if !compiled.contains(&binary) {
        let compile = Command::new(compiler, &dir).args(["-O3", mode]).arg(format!("{source}.c"));
        run_or_say(config, compile.arg("-o").arg(&binary).arg("-lm"))?;
        compiled.push(binary.clone());
    }
    // The paper's counts are those of regions over all hosts. By default a region is tried on host 0
    // alone where that seems to pay, as it may where hosts share the processors of one machine.
    let over_hosts = |hosts, threads| {
        let launch = launch(config, hosts, threads, scratch).env("FURLONG_OMP_KEEP", "0");
        launch.arg("--stats=json").arg(&binary)
    };
    Ok(limited(match way {
        Way::Hosts(hosts, threads) => over_hosts(hosts, threads),
        Way::Original(hosts) => over_hosts(hosts, 1).env("FURLONG_FAULTS", "original"),
        _ => Command::new(&binary, scratch).env("OMP_NUM_THREADS", all.len().to_string()),
    }))
}

/// `omprun` for so many virtual hosts.
pub fn launch(config: &Config, hosts: u32, threads: u32, scratch: &Path) -> Command {
    let (hosts, threads) = (hosts.to_string(), threads.to_string());
    let command = Command::new(config.tool("omprun"), scratch);
    command.args(["-virtual-hosts", &hosts, "-t", &threads])
}

fn as_json(program: &Program) -> Value {
    let run = |(way, run): &(Way, Run)| json!({ "way": way.shown(), "seconds": run.seconds, "counts": run.counts });
    json!({
        "name": program.paper.name,
        "runs": program.runs.iter().map(run).collect::<Vec<_>>(),
    })
}
