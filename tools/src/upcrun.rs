// SPDX-License-Identifier: BSD-3-Clause
//! The launcher: starts the processes of a job on all of its hosts, passes on what they print, and
//! sees all of them to their end. What it promises to the processes is in docs/launch.md; what a
//! UPC program does with shared memory it does not know.
//!
//! ```text
//! watch ──┬── crew ── processes                         on one host
//!         └── remote ── link ── agent ── crew ── ...    on each of several
//! ```

mod agent;
mod bind;
mod cards;
mod control;
mod crew;
mod debugger;
mod descendants;
mod fate;
mod hosts;
mod input;
mod limits;
mod lines;
mod link;
mod output;
mod plan;
mod poller;
mod program;
mod remote;
mod request;
mod signals;
mod sink;
mod start;
mod table;
mod trace;
mod transports;
mod watch;
mod wire;

use crate::compiled::{self, Compiled, Kind};
use crate::{exit, options_doc, text};
use crew::Crew;
use hosts::{Offer, Origin};
use plan::{Host, Net, Plan};
use remote::Remote;
use request::{Print, Request};
use std::io::Write;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use table::{MANUAL, TABLE};
use watch::Watch;
use wire::{Away, Task};

/// What carries messages between hosts if nothing else is asked for.
const TRANSPORT: &str = "ucx";
/// What starts a command on another host: no questions, for nobody would answer.
const RSH: &str = "ssh -x -o BatchMode=yes";
/// A host that has not answered by then is none.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(4500);
/// What says something about this host or login alone, and is not carried to others.
const STAYS: [&str; 9] = [
    "DISPLAY",
    "HOSTNAME",
    "SSH_AUTH_SOCK",
    "SSH_CLIENT",
    "SSH_CONNECTION",
    "SSH_TTY",
    "UPCRUN_FLAGS",
    "UPCRUN_RSH",
    "XDG_RUNTIME_DIR",
];

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

fn system(e: std::io::Error) -> Refusal {
    (exit::SYSTEM, format!("a system call failed: {e}"))
}

fn run(request: &Request) -> Result<i32, Refusal> {
    if request.agent {
        return agent::main();
    }
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
    if request.verbose || request.show {
        if !request.flags.is_empty() {
            say(format_args!("UPCRUN_FLAGS: {}", request.flags.join(" ")));
        }
        show_plan(&plan);
    }
    if request.show {
        return Ok(exit::OK);
    }
    let task = Task { program: path, words: request.program.clone(), plan, host: 0, away: None };
    start_and_watch(request, task, compiled)
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
    let offers = offers(request).map_err(|text| (exit::USAGE, text))?;
    let all = request.per_host.map(|most| most * offers.len() as u32);
    let threads = match (request.threads.or(all), compiled.static_threads) {
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
    let hosts = hosts::deal(&offers, threads).map_err(|text| (exit::USAGE, text))?;
    let is_here = is_here(request, &hosts);
    if request.gdb.is_some() && !is_here {
        let text = "-gdb is for threads on this host; -freeze has a thread on any host wait for a \
                    debugger that you attach there";
        return Err((exit::USAGE, text.to_string()));
    }
    let cpus = match request.bind && is_here {
        true => bind::cpus().map_err(|text| (exit::SYSTEM, text))?,
        false => Vec::new(),
    };
    Ok(Plan {
        threads,
        pthreads,
        heap: request.heap.or(compiled.heap).unwrap_or(0),
        quiet: request.quiet,
        polite: request.polite,
        tag: request.tag,
        trace: request.trace,
        freeze,
        apart: request.gdb.is_some(),
        backtrace: request.backtrace,
        processes: plan::deal(&hosts, pthreads),
        net: net(request, &hosts)?,
        hosts,
        bind: request.bind,
        cpus,
    })
}

/// The hosts that the user means, each with its most threads.
fn offers(request: &Request) -> Result<Vec<Offer>, String> {
    let mut offers = hosts::offers(&request.hosts, &own_name())?;
    if let Some(nodes) = request.nodes.filter(|_| request.hosts != Origin::Here) {
        if nodes as usize > offers.len() {
            return Err(format!("-N {nodes}: there are {} hosts only", offers.len()));
        }
        offers.truncate(nodes as usize);
    }
    if let Some(most) = request.per_host.filter(|_| request.hosts != Origin::Here) {
        offers.iter_mut().for_each(|offer| offer.slots = Some(most));
    }
    Ok(offers)
}

fn own_name() -> String {
    nix::unistd::gethostname().unwrap_or_default().to_string_lossy().into_owned()
}

fn is_own_name(name: &str) -> bool {
    let own = own_name();
    name == "localhost" || name == own || Some(name) == own.split('.').next()
}

/// Whether all processes are children of this one.
fn is_here(request: &Request, hosts: &[Host]) -> bool {
    let own = |host: &Host| request.rsh.is_none() && is_own_name(&host.name);
    request.hosts == Origin::Here || hosts.len() == 1 && own(&hosts[0])
}

fn net(request: &Request, hosts: &[Host]) -> Result<Net, Refusal> {
    let transport = request.transport.clone().unwrap_or(TRANSPORT.to_string());
    if hosts.len() > 1 && ["smp", "none"].contains(&transport.as_str()) {
        let text = format!("-transport {transport} is for one host; here are {}", hosts.len());
        return Err((exit::USAGE, text));
    }
    let loopback = matches!(request.hosts, Origin::Virtual(_)).then(|| "lo".to_string());
    let interface = request.interface.clone().or(loopback);
    Ok(Net { transport, interface, key: random().map_err(system)? })
}

fn random() -> std::io::Result<u64> {
    use std::io::Read;
    let mut bytes = [0; 8];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(u64::from_ne_bytes(bytes))
}

fn show_plan(plan: &Plan) {
    let plural = |n: usize, one: &str, many: &str| match n {
        1 => format!("1 {one}"),
        _ => format!("{n} {many}"),
    };
    say(format_args!(
        "{} in {} on {}",
        plural(plan.threads as usize, "thread", "threads"),
        plural(plan.processes.len(), "process", "processes"),
        match &plan.hosts[..] {
            [only] => only.name.clone(),
            hosts => format!("{} hosts, over {}", hosts.len(), plan.net.transport),
        }
    ));
    for i in 0..plan.processes.len() {
        let cpus: Vec<_> = plan.cpus_of(i).iter().map(u32::to_string).collect();
        let cpus = match cpus.is_empty() {
            true => String::new(),
            false => format!(" on CPU {}", cpus.join(", ")),
        };
        say(format_args!("process {i}: {}{cpus}", plan.shown(i)));
    }
}

fn start_and_watch(request: &Request, task: Task, compiled: Compiled) -> Result<i32, Refusal> {
    let is_here = is_here(request, &task.plan.hosts);
    let signals = signals::catch(!is_here).map_err(system)?;
    let debugger = debugger::Debugger::new(request);
    let mut watch = Watch::new(signals, task.plan.clone(), debugger).map_err(system)?;
    let started = match is_here {
        true => Crew::start(&task, watch.poller()).map(|crew| watch.add(watch::Host::Here(crew))),
        false => start_agents(request, task, compiled, &mut watch),
    };
    let outcome = started.and_then(|()| watch.run().map_err(system));
    if outcome.is_err() {
        descendants::kill_all();
    }
    outcome
}

fn start_agents(
    request: &Request,
    mut task: Task,
    compiled: Compiled,
    watch: &mut Watch,
) -> Result<(), Refusal> {
    let dir = std::env::current_dir().map_err(system)?;
    let env = std::env::vars_os().filter(|(name, _)| !STAYS.iter().any(|stays| name == stays));
    let env = env.map(|(name, value)| (name.into_vec(), value.into_vec())).collect();
    // A machine does not lose itself.
    let beats = !matches!(request.hosts, Origin::Virtual(_));
    task.away = Some(Away { dir, env, compiled, beats });
    let timeout = request.connect_timeout.unwrap_or(CONNECT_TIMEOUT);
    let rsh = request.rsh.clone().unwrap_or(text::words(RSH));
    for (number, host) in task.plan.hosts.clone().iter().enumerate() {
        let is_near = !beats || request.rsh.is_none() && is_own_name(&host.name);
        let rsh = if is_near { &[][..] } else { &rsh };
        let task = Task { host: number, ..task.clone() };
        let remote = Remote::start(task, rsh, timeout, watch.poller()).map_err(|e| {
            (exit::SYSTEM, format!("host {}: cannot start `{}`: {e}", host.name, rsh.join(" ")))
        })?;
        watch.add(watch::Host::There(remote));
    }
    Ok(())
}

fn print_info(request: &Request) -> Result<(), Refusal> {
    transports::list().iter().for_each(|line| println!("{line}"));
    let Some(name) = request.program.first() else { return Ok(()) };
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
