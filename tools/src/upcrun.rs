// SPDX-License-Identifier: BSD-3-Clause
//! The launcher: starts the processes of a job on this host, passes on what they print, and sees
//! all of them to their end. What it promises to the processes is in docs/launch.md; what a UPC
//! program does with shared memory it does not know.

mod bind;
mod control;
mod debugger;
mod descendants;
mod fate;
mod limits;
mod lines;
mod output;
mod plan;
mod program;
mod request;
mod sink;
mod start;
mod table;
mod watch;

use crate::compiled::{self, Compiled, Kind};
use crate::{exit, options_doc};
use plan::Plan;
use request::{Print, Request};
use std::io::Write;
use std::path::{Path, PathBuf};
use table::{MANUAL, TABLE};

/// Why nothing was started: an exit code, and the reason for the user.
type Refusal = (i32, String);

/// Runs upcrun with the arguments after its name, and returns its exit code.
pub fn main(args: Vec<String>) -> i32 {
    let outcome = request::parse(&args, |name| std::env::var(name).ok())
        .map_err(|text| (exit::USAGE, format!("{text}\nupcrun: `upcrun -help` lists the options")))
        .and_then(|request| run(&request));
    match outcome {
        Ok(code) => code,
        Err((code, text)) => {
            say(format_args!("error: {text}"));
            code
        }
    }
}

fn say(text: impl std::fmt::Display) {
    // A closed stderr must not keep the job from running.
    let _ = writeln!(std::io::stderr(), "upcrun: {text}");
}

fn run(request: &Request) -> Result<i32, Refusal> {
    if !request.quiet {
        request.remarks.iter().for_each(say);
    }
    match &request.print {
        Some(Print::Help) => print!("{}", options_doc::help(&MANUAL, TABLE)),
        Some(Print::Man) => print!("{}", options_doc::man(&MANUAL, TABLE)),
        Some(Print::Version) => println!("upcrun (Furlong) {}", env!("CARGO_PKG_VERSION")),
        Some(Print::Info) => print_info(request)?,
        None => return run_program(request),
    }
    Ok(exit::OK)
}

fn run_program(request: &Request) -> Result<i32, Refusal> {
    let path = program::find(&request.program[0]).map_err(|text| (exit::NOT_FOUND, text))?;
    let compiled = compiled_as(&path, &request.program)?;
    let plan = make_plan(request, &compiled)?;
    debugger::check(request).map_err(|text| (exit::NOT_FOUND, text))?;
    limits::check(&plan).map_err(|text| (exit::SYSTEM, text))?;
    if request.verbose || request.show {
        if !request.flags.is_empty() {
            say(format_args!("UPCRUN_FLAGS: {}", request.flags.join(" ")));
        }
        show_plan(&plan);
    }
    if request.show {
        return Ok(exit::OK);
    }
    start_and_watch(&path, request, &plan)
}

/// What upcc left in the program, or, behind a wrapper such as valgrind, in the first argument
/// that is a UPC program.
fn compiled_as(path: &Path, words: &[String]) -> Result<Compiled, Refusal> {
    let inspect = |path: &Path| {
        compiled::inspect(path)
            .map_err(|e| (exit::NOT_FOUND, format!("cannot read `{}`: {e}", path.display())))
    };
    let kind = inspect(path)?;
    if let Kind::Upc(compiled) = kind {
        return Ok(compiled);
    }
    for word in &words[1..] {
        if let Ok(Kind::Upc(compiled)) = compiled::inspect(Path::new(word)) {
            return Ok(compiled);
        }
    }
    match kind {
        Kind::Foreign => {
            let text = format!("`{}` is not a UPC program: upcc did not link it", words[0]);
            Err((exit::NOT_FOUND, text))
        }
        // A script may start a UPC program; what it starts will be checked by its runtime.
        _ => Ok(Compiled::default()),
    }
}

fn make_plan(request: &Request, compiled: &Compiled) -> Result<Plan, Refusal> {
    let threads = match (request.threads, compiled.static_threads) {
        (Some(n), Some(fixed)) if n != fixed => {
            let text = format!(
                "`{}` was compiled for {fixed} threads (upcc -T={fixed}), but {n} are asked for; \
                 compile it with -T={n}, or without -T to choose when it runs",
                request.program[0]
            );
            return Err((exit::USAGE, text));
        }
        (n, fixed) => n.or(fixed).unwrap_or(1),
    };
    let freeze = request.gdb.or(request.freeze);
    if let Some(thread) = freeze.filter(|thread| *thread >= threads) {
        let text = format!("there is no thread {thread} to debug: the job has {threads} threads");
        return Err((exit::USAGE, text));
    }
    let pthreads = request.pthreads.or(compiled.pthreads).unwrap_or(1);
    let cpus = match request.bind {
        true => bind::cpus().map_err(|text| (exit::SYSTEM, text))?,
        false => Vec::new(),
    };
    Ok(Plan {
        threads,
        heap: request.heap.or(compiled.heap).unwrap_or(0),
        quiet: request.quiet,
        polite: request.polite,
        freeze,
        apart: request.gdb.is_some(),
        backtrace: request.backtrace,
        processes: plan::deal(threads, pthreads, &cpus),
        cpus,
    })
}

fn show_plan(plan: &Plan) {
    let host = nix::unistd::gethostname().unwrap_or_default();
    let (threads, processes) = (plan.threads, plan.processes.len());
    let plural = |n: usize, one: &str, many: &str| match n {
        1 => format!("1 {one}"),
        _ => format!("{n} {many}"),
    };
    say(format_args!(
        "{} in {} on {}",
        plural(threads as usize, "thread", "threads"),
        plural(processes, "process", "processes"),
        host.to_string_lossy()
    ));
    for (i, process) in plan.processes.iter().enumerate() {
        let cpus: Vec<_> = process.cpus.iter().map(u32::to_string).collect();
        let cpus = match cpus.is_empty() {
            true => String::new(),
            false => format!(" on CPU {}", cpus.join(", ")),
        };
        say(format_args!("process {i}: {}{cpus}", process.shown()));
    }
}

fn start_and_watch(path: &Path, request: &Request, plan: &Plan) -> Result<i32, Refusal> {
    let system = |e: std::io::Error| (exit::SYSTEM, format!("a system call failed: {e}"));
    let signals = watch::catch_signals().map_err(system)?;
    descendants::adopt();
    let fate = fate::Fate::new(plan, request.quiet);
    let outputs = output::Outputs::new(plan.processes.len());
    let debugger = debugger::Debugger::new(request);
    let mut watch = watch::Watch::new(signals, fate, outputs, debugger).map_err(system)?;
    let starter = start::Starter::new(path, &request.program, plan).map_err(system)?;
    for process in 0..plan.processes.len() {
        let started = starter.start(process).and_then(|started| watch.add(started));
        if let Err(e) = started {
            watch.abandon();
            return Err(cannot_start(&request.program[0], process, plan, &e));
        }
    }
    drop(starter);
    watch.run().map_err(|e| {
        watch.abandon();
        system(e)
    })
}

fn cannot_start(name: &str, process: usize, plan: &Plan, e: &std::io::Error) -> Refusal {
    use std::io::ErrorKind::{NotFound, PermissionDenied};
    let total = plan.processes.len();
    if e.raw_os_error() == Some(libc::ENOEXEC) {
        let text = format!("`{name}` cannot run here: it is no program (a script needs `#!`)");
        return (exit::NOT_FOUND, text);
    }
    match e.kind() {
        // The file exists: what lacks is its interpreter or its loader.
        NotFound => (exit::NOT_FOUND, format!("`{name}` cannot run: its interpreter is missing")),
        PermissionDenied => (exit::NOT_FOUND, format!("`{name}` may not be executed: {e}")),
        _ => {
            let text = format!(
                "cannot start process {process} of {total}: {e}; -p puts several threads into each"
            );
            (exit::SYSTEM, text)
        }
    }
}

fn print_info(request: &Request) -> Result<(), Refusal> {
    let Some(name) = request.program.first() else {
        return Err((exit::USAGE, "which program?".to_string()));
    };
    let path: PathBuf = program::find(name).map_err(|text| (exit::NOT_FOUND, text))?;
    let compiled = compiled_as(&path, std::slice::from_ref(name))?;
    println!("program: {}", path.display());
    match compiled.static_threads {
        Some(n) => println!("threads: {n} (static)"),
        None => println!("threads: chosen when it runs (dynamic)"),
    }
    println!("translation units: {}", compiled.units);
    println!("ABI: {}", compiled.abi);
    if let Some(bytes) = compiled.heap {
        println!("shared heap per thread: {bytes} bytes");
    }
    if let Some(n) = compiled.pthreads {
        println!("pthreads per process: {n}");
    }
    Ok(())
}
