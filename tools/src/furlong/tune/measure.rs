// SPDX-License-Identifier: BSD-3-Clause
//! Measures every algorithm in every situation: one job each of the program that bench/ measures
//! collective operations with, compiled by upcc and started by upcrun.

use super::algorithms::{Algorithm, Operation, ALGORITHMS, MODES, OPERATIONS};
use super::rules::{size, Key, Situation, Times};
use crate::exit::{self, Refusal};
use crate::furlong::request::Request;
use crate::furlong::say;
use crate::temp::TempDir;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PROGRAM: &str = "collectives.upc";
const SOURCES: [(&str, &str); 3] = [
    (PROGRAM, include_str!("../../../../bench/collectives.upc")),
    ("collectives.h", include_str!("../../../../bench/collectives.h")),
    ("bench.h", include_str!("../../../../bench/bench.h")),
];
/// Of 2 ms each, for one measurement.
const SHORT_ROUNDS: u32 = 10;

/// Threads that are processes or pthreads, on one host or several.
struct Mapping<'a> {
    threads: u32,
    pthreads: u32,
    hosts: Option<&'a [String; 2]>,
}

struct Job<'a> {
    mapping: &'a Mapping<'a>,
    algorithm: &'static Algorithm,
}

/// A time that was printed: of an operation as `broadcast-16K-mysync`.
type Printed = BTreeMap<String, f64>;

pub fn measure(request: &Request) -> Result<Times, Refusal> {
    let temp = TempDir::default();
    let program = compile(&temp)?;
    let mappings = mappings(request);
    let jobs: Vec<Job> = mappings
        .iter()
        .flat_map(|mapping| ALGORITHMS.iter().map(move |algorithm| Job { mapping, algorithm }))
        .filter(|job| !job.words(request).is_empty())
        .collect();
    // By job, so that rounds alternate.
    let mut best: Vec<Printed> = vec![Printed::new(); jobs.len()];
    for round in 0..request.rounds as usize {
        for (i, (job, best)) in jobs.iter().zip(&mut best).enumerate() {
            if !request.quiet {
                let (at, all) = (round * jobs.len() + i + 1, request.rounds as usize * jobs.len());
                say(format_args!("{at} of {all}: {}", job.shown()));
            }
            for (name, time) in job.run(&program, request)? {
                let known = best.entry(name).or_insert(time);
                *known = known.min(time);
            }
        }
    }
    Ok(gather(request, &jobs, &best))
}

/// As processes and as pthreads; on several hosts, as processes.
fn mappings(request: &Request) -> Vec<Mapping<'_>> {
    let mut mappings = Vec::new();
    for &threads in &request.threads {
        mappings.push(Mapping { threads, pthreads: 1, hosts: None });
        if threads > 1 {
            mappings.push(Mapping { threads, pthreads: threads, hosts: None });
        }
    }
    for &threads in request.threads.iter().filter(|&&n| n >= n_hosts(&request.hosts)) {
        if let Some(hosts) = &request.hosts {
            mappings.push(Mapping { threads, pthreads: 1, hosts: Some(hosts) });
        }
    }
    mappings
}

fn n_hosts(hosts: &Option<[String; 2]>) -> u32 {
    match hosts.as_ref().map(|[option, value]| (option.as_str(), value)) {
        None => 1,
        Some(("-virtual-hosts", n)) => n.parse().unwrap_or(1),
        Some((_, list)) => list.split(',').count() as u32,
    }
}

impl Mapping<'_> {
    fn situation(&self) -> Situation {
        let cpus = std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
        Situation {
            several_hosts: self.hosts.is_some(),
            // On several hosts the table has rules for `own` alone.
            is_crowded: self.hosts.is_none() && self.threads > cpus,
            threads: self.threads,
        }
    }
}

impl Job<'_> {
    fn shown(&self) -> String {
        let Mapping { threads, pthreads, hosts } = self.mapping;
        let kind = if *pthreads > 1 { "pthreads" } else { "processes" };
        let hosts = hosts.map_or(String::new(), |[option, value]| format!(", {option} {value}"));
        format!("{threads} {kind}{hosts}, `{}`", self.algorithm.name)
    }

    fn performs(&self, operation: &Operation, bytes: u64) -> bool {
        let hosts = if self.mapping.hosts.is_some() { 2 } else { 1 };
        self.algorithm.performs(operation, bytes, self.mapping.threads, hosts)
    }

    /// What the program shall measure: `broadcast-mysync:8`.
    fn words(&self, request: &Request) -> Vec<String> {
        let mut words = Vec::new();
        for operation in
            OPERATIONS.iter().filter(|o| request.operations.iter().any(|n| n == o.name))
        {
            for &bytes in request.bytes.iter().filter(|&&bytes| self.performs(operation, bytes)) {
                words.extend(
                    MODES.iter().map(|(mode, _)| format!("{}-{mode}:{bytes}", operation.name)),
                );
            }
        }
        words
    }

    fn run(&self, program: &Path, request: &Request) -> Result<Printed, Refusal> {
        let Mapping { threads, pthreads, hosts } = self.mapping;
        let mut command = Command::new(beside("upcrun"));
        command.args(["-q", "-n", &threads.to_string(), "-p", &pthreads.to_string()]);
        command.args(hosts.iter().flat_map(|words| words.iter())).arg(program);
        command.arg(format!("latency={SHORT_ROUNDS}")).args(self.words(request));
        command.env("FURLONG_COLL", format!("*:{}", self.algorithm.name));
        command.env("FURLONG_COLL_TABLE", "/dev/null");
        let output = run(command, "upcrun")?;
        Ok(output.lines().filter_map(printed).collect())
    }
}

/// A line of JSON that begins with the name, has the unit, and then the best time.
fn printed(line: &str) -> Option<(String, f64)> {
    let name = line.strip_prefix("{\"name\": \"")?.split('"').next()?;
    let time = line.split("\"value\": ").nth(1)?.split(',').next()?.parse().ok()?;
    Some((name.to_string(), time))
}

/// The times of one situation are those of its mappings, multiplied: each counts by its factor.
fn gather(request: &Request, jobs: &[Job], best: &[Printed]) -> Times {
    let mut times = Times::new();
    for (job, printed) in jobs.iter().zip(best) {
        for operation in OPERATIONS {
            for &bytes in request.bytes.iter().filter(|&&bytes| job.performs(operation, bytes)) {
                for (mode, _) in MODES {
                    let name = format!("{}-{}-{mode}", operation.name, size(bytes));
                    let Some(time) = printed.get(&name) else { continue };
                    let situation = job.mapping.situation();
                    let key = Key { operation: operation.name, mode, situation };
                    let of_size = times.entry(key).or_default().entry(bytes).or_default();
                    *of_size.entry(job.algorithm.name).or_insert(1.0) *= time;
                }
            }
        }
    }
    times
}

fn compile(temp: &TempDir) -> Result<PathBuf, Refusal> {
    let system = |text: String| (exit::SYSTEM, text);
    for (name, text) in SOURCES {
        let file = temp.file(name).map_err(system)?;
        std::fs::write(&file, text).map_err(|e| system(format!("`{}`: {e}", file.display())))?;
    }
    let (source, program) =
        (temp.file(PROGRAM).map_err(system)?, temp.file("program").map_err(system)?);
    let mut upcc = Command::new(beside("upcc"));
    upcc.arg("-O3").arg(source).arg("-o").arg(&program);
    run(upcc, "upcc")?;
    Ok(program)
}

/// A tool that is installed with this one.
fn beside(tool: &str) -> PathBuf {
    crate::install::exe().with_file_name(tool)
}

/// What a command prints. What it says of errors the user sees.
fn run(mut command: Command, name: &str) -> Result<String, Refusal> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| (exit::NOT_FOUND, format!("cannot run {name}: {e}")))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err((exit::FAILED, format!("{name} failed ({})", output.status))),
    }
}
