// SPDX-License-Identifier: BSD-3-Clause
//! The launcher of UPC programs: what they want of a job, by options and by what upcc left in them.

mod equivalents;
mod request;
pub(crate) mod table;

use crate::compiled::{self, Compiled, Kind, Mark};
use crate::exit::{self, Refusal};
use crate::launch::bind::{self, Binding, Level};
use crate::launch::debugger::{self, Debugger};
use crate::launch::hosts::Offer;
use crate::launch::places::count;
use crate::launch::plan::{self, Plan};
use crate::launch::wire::Task;
use crate::launch::{self, agent, hosts, program, topology, transports};
use crate::outln;
use crate::text;
pub use equivalents::settings;
use request::Request;
use std::path::{Path, PathBuf};
use table::{MANUAL, TABLE};

const NAME: &str = "upcrun";

/// Runs upcrun with the arguments after its name, and returns its exit code.
pub fn main(args: Vec<String>) -> i32 {
    let outcome = request::parse(&args, |name| std::env::var(name).ok())
        .map_err(|text| exit::usage(NAME, text))
        .and_then(|request| run(&request));
    exit::code(NAME, outcome)
}

fn say(text: impl std::fmt::Display) {
    exit::say(NAME, text);
}

fn run(request: &Request) -> Result<i32, Refusal> {
    let conduct = &request.conduct;
    if conduct.agent {
        return agent::main();
    }
    if !conduct.quiet {
        request.remarks.iter().for_each(say);
    }
    match conduct.print {
        Some(print) => print.print(&MANUAL, TABLE),
        None if request.info => print_info(request)?,
        None => return run_program(request),
    }
    Ok(exit::OK)
}

fn run_program(request: &Request) -> Result<i32, Refusal> {
    // Files that name hosts are looked for where the user is.
    let offers = request.places.offers().map_err(|text| (exit::USAGE, text))?;
    request.conduct.enter()?;
    let path = find(&request.program[0])?;
    let compiled = compiled_as(&path, &request.program)?;
    let mut plan = make_plan(request, &offers, &compiled)?;
    debugger::check(&request.debugger).map_err(|text| (exit::NOT_FOUND, text))?;
    launch::bind(&request.places, &mut plan, request.conduct.show)?;
    if request.conduct.verbose || request.conduct.show {
        let flags = text::words(&request.flags);
        if !flags.is_empty() {
            say(format_args!("UPCRUN_FLAGS: {}", flags.join(" ")));
        }
        launch::show_plan(&plan);
    }
    if request.conduct.show {
        return Ok(exit::OK);
    }
    let task = Task {
        program: path,
        words: request.program.clone(),
        mark: Mark::Upc(compiled),
        plan,
        host: 0,
        below: Vec::new(),
        away: None,
    };
    let debugger = Debugger::new(&request.debugger);
    request.conduct.reported(task, |task| launch::run(&request.places, task, debugger))
}

fn find(name: &str) -> Result<PathBuf, Refusal> {
    let is_upc = |path: &Path| matches!(compiled::inspect(path), Ok(Kind::Upc(_)));
    program::find(name, "a UPC program", is_upc).map_err(|text| (exit::NOT_FOUND, text))
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
        if let Ok(Kind::Upc(compiled)) = compiled::inspect(Path::new(&text::os(word))) {
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

/// The number of threads that neither the user nor the program says.
fn default_threads(request: &Request, offers: &[Offer]) -> Result<u32, String> {
    match (request.siblings, hosts::slots(offers)) {
        (1, Some(slots)) => count("-n", &slots.to_string()),
        (1, None) => Ok(1),
        (siblings, _) => Err(format!(
            "another launcher has started {siblings} of this upcrun, each for a job of its own; let \
             it start the program itself (`srun --mpi=pmix`, `mpirun`), or start one upcrun, with -n; \
             where so many jobs are meant, -n says how many threads each has"
        )),
    }
}

fn make_plan(request: &Request, offers: &[Offer], compiled: &Compiled) -> Result<Plan, Refusal> {
    let asked = match request.threads {
        None => request.places.threads_of(offers).map_err(|text| (exit::USAGE, text))?,
        n => n,
    };
    let threads = match (asked, compiled.static_threads) {
        (Some(n), Some(fixed)) if n != fixed => {
            let text = format!(
                "`{}` was compiled for {fixed} threads (upcc -T={fixed}), but {n} are asked for; \
                 compile it with -T={n}, or without -T to choose when it runs",
                request.program[0]
            );
            return Err((exit::USAGE, text));
        }
        (Some(n), _) | (None, Some(n)) => n,
        (None, None) => default_threads(request, offers).map_err(|text| (exit::USAGE, text))?,
    };
    let freeze = request.debugger.thread.or(request.freeze);
    if let Some(thread) = freeze.filter(|thread| *thread >= threads) {
        let text = format!("there is no thread {thread} to debug: the job has {threads} threads");
        return Err((exit::USAGE, text));
    }
    let pthreads = request.pthreads.or(compiled.pthreads).unwrap_or(1);
    if compiled.wants_one_thread() && pthreads > 1 {
        let text = format!(
            "`{}` was compiled for one UPC thread in each process (upcc -nopthreads, which \
             -fopenmp and -pthread imply), but {pthreads} are asked for (-p); leave out -p, or \
             compile it without those options",
            request.program[0]
        );
        return Err((exit::USAGE, text));
    }
    let hosts = request.places.deal(offers, threads).map_err(|text| (exit::USAGE, text))?;
    let is_here = request.places.is_here(&hosts);
    if request.debugger.thread.is_some() && !is_here {
        let text = "-gdb is for threads on this host; -freeze has a thread on any host wait for a \
                    debugger that you attach there";
        return Err((exit::USAGE, text.to_string()));
    }
    let conduct = request.conduct.plan(NAME);
    let own_threads = compiled.wants_one_thread();
    Ok(Plan {
        threads,
        pthreads,
        own_threads,
        limits_teams: true,
        bind: if own_threads { bind_of_teams(request, conduct.bind) } else { conduct.bind },
        heap: request.heap.or(compiled.heap).unwrap_or(0),
        trace: request.trace,
        stats: request.stats,
        freeze,
        freeze_on_error: request.freeze_on_error,
        apart: request.debugger.thread.is_some(),
        processes: plan::deal(&hosts, pthreads),
        net: request.places.net(&hosts)?,
        hosts,
        settings: request.exported.clone(),
        ..conduct
    })
}

/// The binding of processes with threads of their own. What OMP_PROC_BIND binds, it binds within
/// the CPUs of a process, so that the processes need CPUs of their own.
fn bind_of_teams(request: &Request, wanted: Option<Binding>) -> Option<Binding> {
    let conduct = &request.conduct;
    let share = bind::wanted(Some(Level::Share), conduct.map_by);
    if conduct.bind_threads {
        return share;
    }
    match request.binds_teams {
        _ if wanted.is_none_or(|bind| bind.is_asked) => return wanted,
        None => return wanted,
        Some(false) => return None,
        Some(true) => {}
    }
    match topology::machine() {
        Ok(_) => share,
        Err(why) => {
            say(format_args!("remark: all processes bind their threads to the same CPUs: {why}"));
            wanted
        }
    }
}

fn print_info(request: &Request) -> Result<(), Refusal> {
    transports::list().iter().for_each(|line| outln!("{line}"));
    let Some(name) = request.program.first() else { return Ok(()) };
    let path = find(name)?;
    let compiled = compiled_as(&path, std::slice::from_ref(name))?;
    outln!("program: {}", path.display());
    match compiled.static_threads {
        Some(n) => outln!("threads: {n} (static)"),
        None => outln!("threads: chosen when it runs (dynamic)"),
    }
    outln!("translation units: {}", compiled.units);
    outln!("ABI: {}", compiled.abi);
    if compiled.wants_one_thread() {
        outln!("UPC threads per process: 1 (-nopthreads)");
    }
    if let Some(bytes) = compiled.heap {
        outln!("shared heap per thread: {bytes} bytes");
    }
    if let Some(n) = compiled.pthreads {
        outln!("pthreads per process: {n}");
    }
    Ok(())
}
