// SPDX-License-Identifier: BSD-3-Clause
//! Workers: processes that take every n-th input each. One that dies leaves behind which input it
//! was at, and what it said; another goes on after that.

use crate::check::{check, on_big_stack, Mode, STACK};
use crate::emitted::complaint;
use crate::mutate::{Input, Mutator};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// CPU time that one input may take.
const MAX_SECONDS: u64 = 8;
/// Memory that one input may take, beside the stack.
const MAX_BYTES: u64 = 1 << 30;

/// Which inputs there are, and which of those that are accepted go to the C compiler.
#[derive(Clone, Debug)]
pub struct Plan {
    pub root: PathBuf,
    pub seed: u64,
    pub first: u64,
    pub end: u64,
    pub step: u64,
    /// One of so many; 0: none.
    pub emitted: u64,
}

/// What came of one input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    Refused,
    Accepted,
    /// The C compiler's complaint.
    Emitted(String),
    /// The worker's last words.
    Died(String),
}

/// CPU seconds of this process at which its present input becomes a hang.
static DEADLINE: AtomicU64 = AtomicU64::new(u64::MAX);

/// Ends this process when an input takes too long or too much.
pub fn limit() {
    let most = MAX_BYTES + STACK as u64 + (256 << 20);
    let memory = libc::rlimit { rlim_cur: most, rlim_max: most };
    // SAFETY: setrlimit reads the structure.
    unsafe { libc::setrlimit(libc::RLIMIT_AS, &memory) };
    std::thread::spawn(|| loop {
        std::thread::sleep(Duration::from_millis(200));
        // Relaxed: the number is all that is passed.
        if cpu_seconds() >= DEADLINE.load(Ordering::Relaxed) {
            eprintln!("an input takes more than {MAX_SECONDS} seconds");
            std::process::abort();
        }
    });
}

fn cpu_seconds() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: clock_gettime writes the structure.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as u64
}

fn checked(input: &Input) -> Option<String> {
    DEADLINE.store(cpu_seconds() + MAX_SECONDS + 1, Ordering::Relaxed);
    let c = check(&input.bytes, input.start, Mode(input.mode));
    DEADLINE.store(u64::MAX, Ordering::Relaxed);
    c
}

/// What a worker process does: a line for each of its inputs.
pub fn work(plan: Plan, mutator: Mutator) {
    limit();
    on_big_stack(move || {
        let mut stdout = std::io::stdout();
        for number in (plan.first..plan.end).step_by(plan.step as usize) {
            let input = mutator.input(number);
            let c = checked(&input);
            let is_sampled = plan.emitted > 0 && number % plan.emitted == 0;
            let line = match c {
                None => "refused\n".to_string(),
                Some(c) => match is_sampled.then(|| complaint(&input.bytes, &c)).flatten() {
                    Some(complaint) => format!("emitted {complaint}\n"),
                    None => "accepted\n".to_string(),
                },
            };
            if stdout.write_all(line.as_bytes()).is_err() {
                return;
            }
        }
    });
}

/// What a worker process does that repeats one input.
pub fn repeat(input: Input, with_emitted: bool) {
    limit();
    on_big_stack(move || {
        let complaint =
            checked(&input).filter(|_| with_emitted).and_then(|c| complaint(&input.bytes, &c));
        if let Some(complaint) = complaint {
            println!("emitted {complaint}");
        }
    });
}

/// The inputs of `plan`, by one worker after the other, until `told` says no.
pub fn oversee(plan: &Plan, told: &mut dyn FnMut(u64, Outcome) -> bool) -> Result<(), String> {
    let mut number = plan.first;
    while number < plan.end {
        let mut child = command()?
            .args(["worker", "--root"])
            .arg(&plan.root)
            .args(["--seed", &plan.seed.to_string(), "--first", &number.to_string()])
            .args(["--inputs", &plan.end.to_string(), "--step", &plan.step.to_string()])
            .args(["--emitted", &plan.emitted.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| format!("no worker starts: {e}"))?;
        let lines = child.stdout.take().map(|out| BufReader::new(out).lines());
        for line in lines.into_iter().flatten().map_while(Result::ok) {
            let outcome = match line.split_once(' ') {
                Some((_, complaint)) => Outcome::Emitted(complaint.into()),
                None if line == "accepted" => Outcome::Accepted,
                None => Outcome::Refused,
            };
            if !told(number, outcome) {
                let _ = child.kill();
                let _ = child.wait();
                return Ok(());
            }
            number += plan.step;
        }
        let mut words = String::new();
        child.stderr.take().map(|mut err| err.read_to_string(&mut words));
        let status = child.wait().map_err(|e| format!("a worker is lost: {e}"))?;
        if !status.success() {
            if number == plan.first && words.contains("programs in tests") {
                return Err(words);
            }
            if !told(number, Outcome::Died(format!("{words}{status}"))) {
                return Ok(());
            }
            number += plan.step;
        }
    }
    Ok(())
}

/// This program once more.
pub fn command() -> Result<Command, String> {
    let program = std::env::current_exe().map_err(|e| format!("this program is lost: {e}"))?;
    Ok(Command::new(program))
}
