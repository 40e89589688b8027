// SPDX-License-Identifier: BSD-3-Clause
//! `furlong-fuzz`: the command behind `make fuzz`.

use furlong_fuzz::corpus;
use furlong_fuzz::findings::Findings;
use furlong_fuzz::mutate::{Input, Mutator};
use furlong_fuzz::workers::{self, Outcome, Plan};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc;
use std::time::{Duration, Instant};

const HELP: &str = "\
furlong-fuzz [--inputs N] [--seed S] [--jobs J] [--emitted E] [--root DIR] [--out DIR]
    Translates N damaged programs of seed S in J processes; what goes wrong is kept in DIR.
    One of E inputs goes on to the C compiler if it is accepted (0: none).
furlong-fuzz repeat MODE FILE
    Translates FILE as an input: what is wrong with it is said once more.
furlong-fuzz show [--seed S] NUMBER
    Prints an input as it was made.
";

struct Request {
    plan: Plan,
    jobs: u64,
    out: PathBuf,
    words: Vec<String>,
}

fn main() -> ExitCode {
    match request(std::env::args().skip(1)).and_then(obey) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("furlong-fuzz: {message}");
            ExitCode::from(2)
        }
    }
}

fn request(mut args: impl Iterator<Item = String>) -> Result<Request, String> {
    let jobs = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let root = PathBuf::from(".");
    let plan = Plan { root, seed: 1, first: 0, end: 100_000, step: 1, emitted: 200 };
    let out = PathBuf::from("build/fuzz");
    let mut request = Request { plan, jobs, out, words: Vec::new() };
    while let Some(arg) = args.next() {
        let Some(option) = arg.strip_prefix("--") else {
            request.words.push(arg);
            continue;
        };
        let value = args.next().ok_or(format!("`{arg}` needs a value\n{HELP}"))?;
        let number = || value.parse().map_err(|_| format!("`{arg} {value}`: not a number"));
        match option {
            "inputs" => request.plan.end = number()?,
            "seed" => request.plan.seed = number()?,
            "jobs" => request.jobs = number()?.max(1),
            "emitted" => request.plan.emitted = number()?,
            "first" => request.plan.first = number()?,
            "step" => request.plan.step = number()?.max(1),
            "root" => request.plan.root = value.into(),
            "out" => request.out = value.into(),
            _ => return Err(format!("`{arg}` is unknown\n{HELP}")),
        }
    }
    Ok(request)
}

/// True if there is no finding.
fn obey(request: Request) -> Result<bool, String> {
    let words: Vec<&str> = request.words.iter().map(String::as_str).collect();
    match words[..] {
        [] => fuzz(request),
        ["worker"] => {
            let mutator = mutator(&request.plan)?;
            workers::work(request.plan, mutator);
            Ok(true)
        }
        ["repeat", mode, file] => {
            let mode = mode.parse().map_err(|_| format!("`{mode}`: not a mode"))?;
            let bytes = std::fs::read(file).map_err(|e| format!("{file}: {e}"))?;
            workers::repeat(Input { bytes, start: 0, mode }, true);
            Ok(true)
        }
        ["show", number] => {
            let number = number.parse().map_err(|_| format!("`{number}`: not a number"))?;
            let input = mutator(&request.plan)?.input(number);
            print!("{}", String::from_utf8_lossy(&input.bytes));
            Ok(true)
        }
        _ => Err(HELP.into()),
    }
}

fn mutator(plan: &Plan) -> Result<Mutator, String> {
    Ok(Mutator::new(corpus::read(&plan.root)?, plan.seed))
}

fn fuzz(request: Request) -> Result<bool, String> {
    let Request { plan, jobs, out, .. } = request;
    std::fs::create_dir_all(&out).map_err(|e| format!("{}: {e}", out.display()))?;
    let mutator = mutator(&plan)?;
    let (sender, outcomes) = mpsc::channel();
    let overseers: Vec<_> = (0..jobs)
        .map(|job| {
            let plan = Plan { first: plan.first + job, step: jobs, ..plan.clone() };
            let sender = sender.clone();
            std::thread::spawn(move || {
                workers::oversee(&plan, &mut |number, outcome| {
                    sender.send((number, outcome)).is_ok()
                })
            })
        })
        .collect();
    drop(sender);
    let findings = watch(&outcomes, &mutator, &out, plan.end - plan.first);
    for overseer in overseers {
        overseer.join().map_err(|_| "an overseer panicked")??;
    }
    Ok(findings.counts().is_empty())
}

/// Counts what comes, keeps findings, and says how it goes every few seconds.
fn watch(
    outcomes: &mpsc::Receiver<(u64, Outcome)>,
    mutator: &Mutator,
    out: &Path,
    all: u64,
) -> Findings {
    let mut findings = Findings::new(out);
    let (start, mut last) = (Instant::now(), Instant::now());
    let (mut done, mut accepted) = (0u64, 0u64);
    let progress = |done: u64, accepted: u64, findings: &Findings| {
        let seconds = start.elapsed().as_secs_f64().max(0.001);
        let kinds = findings.counts().len();
        eprintln!(
            "{done} of {all} inputs, {:.0} a second, {}% accepted, {kinds} kinds of findings",
            done as f64 / seconds,
            100 * accepted / done.max(1)
        );
    };
    for (number, outcome) in outcomes {
        done += 1;
        accepted += u64::from(matches!(outcome, Outcome::Accepted | Outcome::Emitted(_)));
        if matches!(outcome, Outcome::Died(_) | Outcome::Emitted(_)) {
            if let Some(words) = findings.add(number, &mutator.input(number), &outcome) {
                eprintln!("{words}");
            }
        }
        if last.elapsed() >= Duration::from_secs(5) {
            last = Instant::now();
            progress(done, accepted, &findings);
        }
    }
    progress(done, accepted, &findings);
    for (kind, count) in findings.counts() {
        eprintln!("{count:8} {kind}");
    }
    findings
}
