// SPDX-License-Identifier: BSD-3-Clause
//! The launcher of OpenMP programs. On one host it becomes the program; over several it starts a
//! process on each, with the library that makes their memory one.

mod atomics;
mod objects;
mod request;
pub(crate) mod table;

use crate::compiled::Mark;
use crate::exit::{self, Refusal};
use crate::launch::bind;
use crate::launch::debugger::Debugger;
use crate::launch::hosts::Offer;
use crate::launch::plan::{self, Host, Plan};
use crate::launch::wire::Task;
use crate::launch::{self, agent, program};
use crate::machine::{self, OVER_HOSTS};
use crate::text;
use nix::sys::resource::{getrlimit, Resource, RLIM_INFINITY};
use request::Request;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use table::{MANUAL, TABLE};

const NAME: &str = "omprun";
const THREADS: &str = "OMP_NUM_THREADS";
const CHECK: &str = "FURLONG_OMP_CHECK";
const CHECK_ON_ONE_HOST: &str = "-check compares what hosts have written, and there is one; on this \
     machine make each thread a host: `omprun -check -t 1 -virtual-hosts 4 ./prog`. ThreadSanitizer \
     (ompcc -fsanitize=thread) knows the order of threads only that they make without OpenMP, and \
     reports right programs as well";
/// The limit of stacks of a program that has none, over several hosts.
const STACK: u64 = 1 << 30;

/// Runs omprun with the arguments after its name, and returns its exit code.
pub fn main(args: Vec<String>) -> i32 {
    let outcome = request::parse(&args, |name| std::env::var(name).ok())
        .map_err(|text| exit::usage(NAME, text))
        .and_then(|request| run(&request));
    exit::code(NAME, outcome)
}

fn run(request: &Request) -> Result<i32, Refusal> {
    if request.conduct.agent {
        return agent::main();
    }
    match request.conduct.print {
        Some(print) => print.print(&MANUAL, TABLE),
        None => return run_program(request),
    }
    Ok(exit::OK)
}

fn run_program(request: &Request) -> Result<i32, Refusal> {
    let is_elf = |path: &Path| objects::is_elf(path);
    // Files that name hosts are looked for where the user is.
    let offers = request.places.offers().map_err(|text| (exit::USAGE, text))?;
    request.conduct.enter()?;
    let path = program::find(&request.program[0], "a program", is_elf)
        .map_err(|text| (exit::NOT_FOUND, text))?;
    let mut plan = make_plan(request, &offers)?;
    if plan.hosts.len() > 1 {
        check(request, &path).map_err(|text| (exit::NOT_FOUND, text))?;
    }
    if plan.hosts.len() == 1 && request.check {
        return Err((exit::USAGE, CHECK_ON_ONE_HOST.to_string()));
    }
    launch::bind(&request.places, &mut plan, request.conduct.show)?;
    if let Some(name) = user_binding(request).filter(|_| request.conduct.report_bindings) {
        exit::say(NAME, format_args!("threads are bound as {name} says"));
    }
    if request.conduct.verbose || request.conduct.show {
        launch::show_plan(&plan);
    }
    if request.conduct.show {
        return Ok(exit::OK);
    }
    let is_watched = is_watched(&plan) || request.conduct.waits_for_end();
    if request.places.is_here(&plan.hosts) && !is_watched {
        return Err(become_program(request, &path, &plan));
    }
    let mark = Mark::of_any(&path).map_err(launch::system)?;
    let words = request.program.clone();
    let task = Task { program: path, words, mark, plan, host: 0, below: Vec::new(), away: None };
    let run = |task| launch::run(&request.places, task, Debugger::default());
    request.conduct.reported(task, run)
}

/// Whether the launcher has something to do while the program runs on this host.
fn is_watched(plan: &Plan) -> bool {
    plan.stats.is_some() || plan.timeout.is_some() || plan.passes_output()
}

/// Nothing is gained by staying between the program and its user.
fn become_program(request: &Request, path: &Path, plan: &Plan) -> Refusal {
    let error = Command::new(path)
        .arg0(text::os(&request.program[0]))
        .args(request.program[1..].iter().map(|word| text::os(word)))
        .envs(plan.settings.iter().map(|(name, value)| (name, text::os(value))))
        .envs(bind::openmp(plan))
        .exec();
    (exit::NOT_FOUND, format!("`{}` cannot run: {error}", request.program[0]))
}

fn make_plan(request: &Request, offers: &[Offer]) -> Result<Plan, Refusal> {
    let threads = threads(request, offers)?;
    let of_host = |(number, offer): (usize, &Offer)| Host {
        name: offer.name.clone(),
        first: number as u32 * threads,
        count: threads,
    };
    let hosts: Vec<Host> = offers.iter().enumerate().map(of_host).collect();
    let several = hosts.len() > 1;
    let conduct = request.conduct.plan(NAME);
    let is_bound_by_user = user_binding(request).is_some();
    Ok(Plan {
        threads: threads * hosts.len() as u32,
        pthreads: threads,
        stats: request.stats,
        settings: settings(request, threads * hosts.len() as u32, several),
        spread: several.then(stack_limit),
        plain: !several,
        bind: conduct.bind.filter(|_| !is_bound_by_user),
        report_bindings: conduct.report_bindings && !is_bound_by_user,
        processes: plan::deal(&hosts, threads),
        net: request.places.net(&hosts)?,
        hosts,
        ..conduct
    })
}

/// A variable by which the user has OpenMP bind threads.
fn user_binding(request: &Request) -> Option<&'static str> {
    let is_set = |name: &&str| {
        std::env::var_os(name).is_some() || request.exported.iter().any(|(set, _)| set == name)
    };
    ["OMP_PLACES", "OMP_PROC_BIND"].into_iter().find(is_set)
}

/// Of each host.
fn threads(request: &Request, offers: &[Offer]) -> Result<u32, Refusal> {
    let slots_of = |offer: &Offer| offer.slots.filter(|_| request.places.slots_are_limits());
    let slots = offers.iter().filter_map(slots_of).min();
    let cpus = || std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
    let threads = request.threads.or(slots).unwrap_or_else(cpus);
    match offers.iter().find(|offer| slots_of(offer).is_some_and(|slots| slots < threads)) {
        Some(offer) => {
            let text = format!("-t {threads}: {} takes {} only", offer.name, slots.unwrap_or(0));
            Err((exit::USAGE, text))
        }
        None => Ok(threads),
    }
}

/// What the OpenMP runtime is told: the threads of a region are those of all hosts.
fn settings(request: &Request, threads: u32, several: bool) -> Vec<(String, String)> {
    let mut settings = request.exported.clone();
    if several || request.threads.is_some() {
        let levels = [threads.to_string()].into_iter().chain(request.inner_threads.clone());
        settings.push((THREADS.to_string(), levels.collect::<Vec<_>>().join(",")));
    }
    if request.check {
        settings.push((CHECK.to_string(), "1".to_string()));
    }
    settings
}

fn stack_limit() -> u64 {
    match getrlimit(Resource::RLIMIT_STACK) {
        Ok((soft, _)) if soft != RLIM_INFINITY => soft,
        _ => STACK,
    }
}

/// Whether the program can run over several hosts; else why not.
fn check(request: &Request, path: &Path) -> Result<(), String> {
    let name = &request.program[0];
    if !objects::is_elf(path) {
        return Err(format!(
            "`{name}` is no program but perhaps a script; over several hosts omprun must start the \
             program itself (one that libtool has linked: `libtool --mode=execute omprun ...`)"
        ));
    }
    fits_hosts(name, machine::of(path).unwrap_or(machine::OWN))?;
    let libraries = objects::libraries(path)?;
    if !libraries.iter().any(|library| objects::is_openmp(library)) {
        return Err(format!("`{name}` is no OpenMP program: it is not linked with libgomp"));
    }
    if let Some(library) = libraries.iter().find(|library| objects::is_sanitizer(library)) {
        return Err(format!(
            "`{name}` needs `{}`, which takes a part of the memory that all hosts share: run it on \
             one host, or compile it without -fsanitize",
            library.display()
        ));
    }
    if request.inline_atomics {
        return Ok(());
    }
    let own = libraries.into_iter().filter(|library| !objects::is_of_system(library));
    std::iter::once(path.to_path_buf()).chain(own).try_for_each(|file| refuse_atomics(&file))
}

fn fits_hosts(name: &str, machine: &str) -> Result<(), String> {
    match machine == OVER_HOSTS {
        true => Ok(()),
        false => Err(format!(
            "`{name}` is for {machine}: OpenMP programs run over several hosts on {OVER_HOSTS} only; \
             run it on one host, without -hosts, -hostfile and -virtual-hosts"
        )),
    }
}

fn refuse_atomics(file: &Path) -> Result<(), String> {
    let shown = file.display();
    let found = atomics::find(file).map_err(|e| format!("cannot look into `{shown}`: {e}"))?;
    let Some(first) = found.first() else { return Ok(()) };
    let others = match found.len() - 1 {
        0 => String::new(),
        1 => " and one other function".to_string(),
        n => format!(" and {n} other functions"),
    };
    Err(format!(
        "`{shown}` has atomic instructions, in {first}{others}: other hosts' threads would not see \
         them as atomic. Compile it with ompcc (without -one-host), link the compiler's libraries \
         dynamically (no -static-libgfortran), and write asm statements and libraries of your own \
         without them; or say -inline-atomics, if threads of one host alone need them"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_of_an_allocation_do_not_limit_threads() {
        let of_host = |words: [&str; 5], env: &[(&str, &str)]| {
            let env = |name: &str| env.iter().find(|(n, _)| *n == name).map(|(_, v)| v.to_string());
            let request = request::parse(&words.map(String::from), env).unwrap();
            threads(&request, &request.places.offers().unwrap()).map_err(|(code, _)| code)
        };
        let slurm = [("SLURM_JOB_NODELIST", "n[1-2]"), ("SLURM_TASKS_PER_NODE", "1(x2)")];
        assert_eq!(of_host(["-N", "2", "-t", "3", "./p"], &slurm), Ok(3));
        assert_eq!(of_host(["-hosts", "a:1,b:1", "-t", "3", "./p"], &[]), Err(exit::USAGE));
    }

    #[test]
    fn over_hosts_programs_of_other_machines_are_refused() {
        let text = fits_hosts("./p", "arm64").unwrap_err();
        assert!(text.contains("`./p` is for arm64") && text.contains("on x86-64 only"), "{text}");
        assert_eq!(fits_hosts("./p", "x86-64"), Ok(()));
    }
}
