// SPDX-License-Identifier: BSD-3-Clause
//! Every way in which a job can end badly, many times over and in several mappings: the job is
//! gone in time, with the right message and exit code, and leaves nothing behind.
//!
//! Needs `make build`. ROBUST_ROUNDS sets the number of rounds (default 50).

use nix::sys::signal::{kill, signal, SigHandler, Signal};
use nix::unistd::Pid;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// A job must be gone this long after its end began: on one host, on several.
const DEADLINE: Duration = Duration::from_secs(1);
const DEADLINE_OF_HOSTS: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, Debug)]
struct Mapping {
    hosts: u32,
    threads: u32,
    pthreads: u32,
}

/// On several hosts each has as many threads.
const MAPPINGS: [Mapping; 5] = [
    Mapping { hosts: 1, threads: 3, pthreads: 1 },
    Mapping { hosts: 1, threads: 3, pthreads: 3 },
    Mapping { hosts: 1, threads: 5, pthreads: 2 },
    Mapping { hosts: 3, threads: 3, pthreads: 1 },
    Mapping { hosts: 2, threads: 8, pthreads: 2 },
];

fn built(path: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../build").join(path);
    assert!(path.exists(), "{} is missing: run `make build` first", path.display());
    path
}

/// The program of `inputs/ends.upc`, compiled once.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/inputs/ends.upc");
        let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ends");
        let status =
            Command::new(built("bin/upcc")).arg(source).arg("-o").arg(&output).status().unwrap();
        assert!(status.success(), "the test's program does not compile");
        output
    })
}

fn rounds() -> u32 {
    std::env::var("ROBUST_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(50)
}

/// A job that has started: every thread is past its first barrier.
struct Job {
    upcrun: Child,
    pids: Vec<Pid>,
    began: Instant,
    deadline: Duration,
}

impl Job {
    fn start(mapping: Mapping, how: &str, guilty: u32) -> Job {
        let Mapping { hosts, threads, pthreads } = mapping;
        let mut command = Command::new(built("bin/upcrun"));
        // A shell starts background commands with SIGINT ignored, which upcrun rightly keeps.
        // SAFETY: `signal` may be called between fork and exec.
        unsafe { command.pre_exec(|| Ok(signal(Signal::SIGINT, SigHandler::SigDfl).map(drop)?)) };
        let mut upcrun = command
            .args(["-n", &threads.to_string(), "-p", &pthreads.to_string()])
            .args(["-virtual-hosts", &hosts.to_string()])
            .arg(program())
            .args([how, &guilty.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(upcrun.stdout.take().unwrap()).lines();
        let mut pids = Vec::new();
        loop {
            match lines.next().expect("the program ended before it was ready").unwrap().as_str() {
                "ready" => break,
                pid => pids.push(Pid::from_raw(pid.parse().unwrap())),
            };
        }
        // Threads of one process say the same number one after the other.
        pids.dedup();
        let deadline = if hosts > 1 { DEADLINE_OF_HOSTS } else { DEADLINE };
        Job { upcrun, pids, began: Instant::now(), deadline }
    }

    /// Waits for the end; upcrun's exit code (none if a signal ended it) and its messages.
    fn finish(mut self) -> (Option<i32>, String) {
        let status = loop {
            if let Some(status) = self.upcrun.try_wait().unwrap() {
                break status;
            }
            assert!(self.began.elapsed() < self.deadline, "upcrun is still there");
            std::thread::sleep(Duration::from_millis(1));
        };
        while self.pids.iter().any(|pid| is_alive(*pid)) {
            assert!(self.began.elapsed() < self.deadline, "a process of the job is still there");
            std::thread::sleep(Duration::from_millis(1));
        }
        let mut messages = String::new();
        self.upcrun.stderr.take().unwrap().read_to_string(&mut messages).unwrap();
        (status.code(), without_ucx_abort(&messages))
    }
}

/// UCX before 1.14 aborts, with a line of its own, if its peer dies while its answer to the peer's
/// first message waits for the connection (its pull request 8175 removed the assertion). The job
/// is ending then, and nothing of ours can prevent that line.
fn without_ucx_abort(messages: &str) -> String {
    let is_ucx_abort = |line: &&str| {
        line.contains("UCP_WIREUP_MSG_ACK)' failed") && line.ends_with("REP message\n")
    };
    messages.split_inclusive('\n').filter(|line| !is_ucx_abort(line)).collect()
}

/// Zombies, which nobody but their parent can remove, count as gone.
fn is_alive(pid: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

fn shared_memory_files() -> BTreeSet<PathBuf> {
    let files = std::fs::read_dir("/dev/shm").into_iter().flatten();
    files.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect()
}

/// Ends jobs with `end`, and compares exit code and message with `expected`, which is asked for
/// the mapping and the guilty thread.
fn check(
    how: &str,
    end: impl Fn(&Job, usize),
    expected: impl Fn(Mapping, u32) -> (Option<i32>, String),
) {
    // One job at a time: the deadline is for a machine that is not flooded by other tests.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let before = shared_memory_files();
    for round in 0..rounds() {
        let mapping = MAPPINGS[round as usize % MAPPINGS.len()];
        let guilty = round % mapping.threads;
        let job = Job::start(mapping, how, guilty);
        end(&job, (guilty / mapping.pthreads) as usize);
        let found = job.finish();
        assert_eq!(found, expected(mapping, guilty), "{how}: round {round}, mapping {mapping:?}");
    }
    assert_eq!(shared_memory_files(), before);
}

fn by_itself(_: &Job, _: usize) {}

/// The threads that share a process with `thread`, in upcrun's words.
fn threads_of(Mapping { hosts, threads, pthreads }: Mapping, thread: u32) -> String {
    let first = thread / pthreads * pthreads;
    let shown = match pthreads.min(threads - first) {
        1 => format!("thread {first}"),
        count => format!("threads {first}-{}", first + count - 1),
    };
    match hosts {
        1 => shown,
        _ => format!("{shown} on virtual{}", thread / (threads / hosts)),
    }
}

#[test]
fn abort_in_a_thread() {
    check("abort", by_itself, |_, thread| {
        let text = format!("upcrun: thread {thread} received SIGABRT (signal 6, abort)\n");
        (Some(134), text)
    });
}

#[test]
fn segmentation_fault_in_a_thread() {
    check("segfault", by_itself, |_, thread| {
        let what = "SIGSEGV (signal 11, segmentation fault) at address 0x8";
        let text = format!("upcrun: thread {thread} received {what}\n");
        (Some(139), text)
    });
}

#[test]
fn exit_in_a_thread() {
    check("exit", by_itself, |_, thread| {
        (Some(3), format!("upcrun: thread {thread} called exit(3)\n"))
    });
}

#[test]
fn global_exit_in_a_thread() {
    check("global-exit", by_itself, |_, thread| {
        (Some(4), format!("upcrun: thread {thread} called upc_global_exit(4)\n"))
    });
}

#[test]
fn quiet_exit_in_a_thread() {
    check("_exit", by_itself, |mapping, thread| {
        let threads = threads_of(mapping, thread);
        (Some(1), format!("upcrun: {threads} ended early with exit code 0\n"))
    });
}

#[test]
fn kill_of_a_process() {
    let end = |job: &Job, process: usize| kill(job.pids[process], Signal::SIGKILL).unwrap();
    check("wait", end, |mapping, thread| {
        let threads = threads_of(mapping, thread);
        (Some(137), format!("upcrun: {threads} killed by SIGKILL (signal 9, kill)\n"))
    });
}

#[test]
fn kill_of_upcrun() {
    let end = |job: &Job, _: usize| {
        kill(Pid::from_raw(job.upcrun.id() as i32), Signal::SIGKILL).unwrap();
    };
    check("wait", end, |_, _| (None, String::new()));
}

#[test]
fn interrupt() {
    let end = |job: &Job, _: usize| {
        kill(Pid::from_raw(job.upcrun.id() as i32), Signal::SIGINT).unwrap();
    };
    check("wait", end, |_, _| {
        (Some(130), "upcrun: ended by SIGINT (signal 2, interrupt)\n".to_string())
    });
}
