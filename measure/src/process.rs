// SPDX-License-Identifier: BSD-3-Clause
//! Runs one command in a session of its own, within a time limit, and says everything about its
//! end: output, code or signal, what hung, and what it left behind. Knows nothing of tests.

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// A job must be gone this long after its first process ended.
const GRACE: Duration = Duration::from_secs(1);
/// Limits are at most so many times as long for commands that wait for CPUs.
const MOST_LATENESS: f64 = 10.0;
/// A pipe is closed this long after its last process ended, on a machine with more to do than it can.
const PIPE_GRACE: Duration = Duration::from_secs(10);
/// More output than this is a runaway, not a result.
const MOST_OUTPUT: u64 = 64 << 20;

#[derive(Clone)]
pub struct Command {
    pub argv: Vec<OsString>,
    dir: PathBuf,
    env: Vec<(String, OsString)>,
    stdin: Vec<u8>,
    limit: Duration,
    cpus: Vec<usize>,
}

pub struct Output {
    pub end: End,
    pub stdout: String,
    pub stderr: String,
    pub elapsed: Duration,
    /// Processes of the session that were still there after the grace period (now killed).
    pub left_behind: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum End {
    Code(i32),
    Signal(i32),
    /// Not finished within the limit; one line for each process that was still there.
    TimedOut(Vec<String>),
    NotStarted(String),
}

impl Command {
    pub fn new(program: impl AsRef<OsStr>, dir: &Path) -> Command {
        Command {
            argv: vec![program.as_ref().to_owned()],
            dir: dir.to_owned(),
            env: Vec::new(),
            stdin: Vec::new(),
            limit: Duration::from_secs(60),
            cpus: Vec::new(),
        }
    }

    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Command {
        self.argv.push(arg.as_ref().to_owned());
        self
    }

    pub fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Command {
        self.argv.extend(args.into_iter().map(|a| a.as_ref().to_owned()));
        self
    }

    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Command {
        self.env.push((name.into(), value.as_ref().to_owned()));
        self
    }

    pub fn stdin(mut self, text: &str) -> Command {
        self.stdin = text.as_bytes().to_vec();
        self
    }

    pub fn limit_secs(mut self, secs: u64) -> Command {
        self.limit = Duration::from_secs(secs);
        self
    }

    /// Lets the command and its children run on these CPUs only.
    pub fn cpus(mut self, cpus: &[usize]) -> Command {
        self.cpus = cpus.to_vec();
        self
    }

    /// The command as one would type it, with paths below `root` made relative.
    pub fn shown(&self, root: &Path) -> String {
        let shown = |arg: &OsString| {
            let path = Path::new(arg);
            let text = path.strip_prefix(root).unwrap_or(path).display().to_string();
            let plain = |c: char| c.is_alphanumeric() || "-_=./+,:@%".contains(c);
            match text.is_empty() || !text.chars().all(plain) {
                true => format!("'{text}'"),
                false => text,
            }
        };
        self.argv.iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    pub fn run(&self) -> Output {
        let start = Instant::now();
        let mut child = match self.spawn() {
            Ok(child) => child,
            Err(e) => {
                let what = format!("{}: {e}", self.argv[0].to_string_lossy());
                return Output::new(End::NotStarted(what), start.elapsed());
            }
        };
        let session = child.id() as libc::pid_t;
        feed(child.stdin.take(), self.stdin.clone());
        let stdout = collect(child.stdout.take());
        let stderr = collect(child.stderr.take());
        let hung = match wait_until(session, start, self.limit) {
            true => None,
            false => Some(members(session)),
        };
        let elapsed = start.elapsed();
        if hung.is_some() {
            kill_session(session);
        }
        let status = child.wait();
        let left_behind = gone_within_grace(session);
        kill_session(session);
        let end = match (hung, status) {
            (Some(processes), _) => End::TimedOut(processes),
            (None, Ok(status)) => match status.code() {
                Some(code) => End::Code(code),
                None => End::Signal(status.signal().unwrap_or(0)),
            },
            (None, Err(e)) => End::NotStarted(e.to_string()),
        };
        let mut output = Output { left_behind, ..Output::new(end, elapsed) };
        for (name, pipe) in [("stdout", stdout), ("stderr", stderr)] {
            match pipe.recv_timeout(PIPE_GRACE) {
                Ok(bytes) if name == "stdout" => output.stdout = lossy(bytes),
                Ok(bytes) => output.stderr = lossy(bytes),
                Err(_) => output.left_behind.push(format!("  a process that holds {name} open")),
            }
        }
        output
    }

    fn spawn(&self) -> std::io::Result<Child> {
        let mut command = std::process::Command::new(&self.argv[0]);
        command.args(&self.argv[1..]).current_dir(&self.dir);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.env_remove("UPC_THREADS").env("LC_ALL", "C").env("NO_COLOR", "1");
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        let cpus = cpu_set(&self.cpus);
        // SAFETY: between fork and exec only system calls are made, on values prepared before.
        unsafe {
            command.pre_exec(move || {
                libc::setsid();
                // A harness that is killed ends its command: launchers then end their processes.
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
                // Shells start background commands with these ignored, and programs rightly keep
                // that; tests mean them to act.
                for number in [libc::SIGINT, libc::SIGQUIT, libc::SIGHUP] {
                    libc::signal(number, libc::SIG_DFL);
                }
                if let Some(set) = &cpus {
                    libc::sched_setaffinity(0, std::mem::size_of_val(set), set);
                }
                Ok(())
            });
        }
        command.spawn()
    }
}

impl Output {
    fn new(end: End, elapsed: Duration) -> Output {
        let (stdout, stderr, left_behind) = (String::new(), String::new(), Vec::new());
        Output { end, stdout, stderr, elapsed, left_behind }
    }

    pub fn ok(&self) -> bool {
        self.end == End::Code(0) && self.left_behind.is_empty()
    }
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            End::Code(code) => write!(f, "exit code {code}"),
            End::Signal(signal) => write!(f, "killed by signal {signal}"),
            End::NotStarted(why) => write!(f, "could not start: {why}"),
            End::TimedOut(processes) => {
                write!(f, "timed out; killed while there were:\n{}", processes.join("\n"))
            }
        }
    }
}

fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

fn cpu_set(cpus: &[usize]) -> Option<libc::cpu_set_t> {
    if cpus.is_empty() {
        return None;
    }
    // SAFETY: an all-zero cpu_set_t is the empty set, and CPU_SET checks its range.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        for &cpu in cpus {
            libc::CPU_SET(cpu, &mut set);
        }
        Some(set)
    }
}

fn feed(pipe: Option<std::process::ChildStdin>, text: Vec<u8>) {
    let Some(mut pipe) = pipe else { return };
    if text.is_empty() {
        return;
    }
    // A child that ends without reading must not stop the harness: an error here is no news.
    std::thread::spawn(move || drop(pipe.write_all(&text)));
}

fn collect(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<Vec<u8>> {
    let (tx, rx) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            let _ = pipe.take(MOST_OUTPUT).read_to_end(&mut bytes);
        }
        let _ = tx.send(bytes);
    });
    rx
}

/// True if the first process of the session ended within the limit; it is not reaped yet.
fn wait_until(session: libc::pid_t, start: Instant, limit: Duration) -> bool {
    // SAFETY: plain system calls; the descriptor is owned at once.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, session, 0) } as i32;
    if fd < 0 {
        return true;
    }
    let fd = unsafe { OwnedFd::from_raw_fd(fd) };
    let mut deadline = start + limit;
    loop {
        let left = deadline.saturating_duration_since(Instant::now()).as_millis() as i32;
        let mut poll = libc::pollfd { fd: fd.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        match unsafe { libc::poll(&mut poll, 1, left) } {
            0 => {
                deadline = start + limit.mul_f64(lateness(session));
                if Instant::now() >= deadline {
                    return false;
                }
            }
            n if n > 0 => return true,
            _ => continue,
        }
    }
}

/// How many times as long as on an idle machine the session's processes take: the time in which they
/// had a CPU or waited for one, by that in which they had it. A limit tells what hangs from what is
/// slow; how slow, the machine's other work decides.
fn lateness(session: libc::pid_t) -> f64 {
    let tasks = pids(session)
        .into_iter()
        .flat_map(|pid| std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten())
        .flatten()
        .filter_map(|task| std::fs::read_to_string(task.path().join("schedstat")).ok());
    let (had, waited) = tasks.fold((0.0, 0.0), |(had, waited): (f64, f64), text| {
        let mut ns = text.split_whitespace().map(|n| n.parse().unwrap_or(0.0));
        (had + ns.next().unwrap_or(0.0), waited + ns.next().unwrap_or(0.0))
    });
    match had > 0.0 {
        true => (1.0 + waited / had).min(MOST_LATENESS),
        false => 1.0, // the kernel keeps no such times
    }
}

/// Waits for the session to empty; whoever is still there after the grace period is named.
fn gone_within_grace(session: libc::pid_t) -> Vec<String> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        let left = members(session);
        if left.is_empty() || start.elapsed() > GRACE.mul_f64(lateness(session)) {
            return left;
        }
        std::thread::sleep(pause);
        pause *= 2;
    }
}

fn kill_session(session: libc::pid_t) {
    // SAFETY: the session was made for this command; nothing else can be in it.
    unsafe { libc::kill(-session, libc::SIGKILL) };
    for pid in pids(session) {
        unsafe { libc::kill(pid, libc::SIGKILL) };
    }
}

/// One line for each live process of the session: what it is and in what it waits.
fn members(session: libc::pid_t) -> Vec<String> {
    let line = |pid: libc::pid_t| {
        let read = |what: &str| std::fs::read(format!("/proc/{pid}/{what}")).unwrap_or_default();
        let command = String::from_utf8_lossy(&read("cmdline")).replace('\0', " ");
        let place = String::from_utf8_lossy(&read("wchan")).into_owned();
        let threads = std::fs::read_dir(format!("/proc/{pid}/task")).map_or(0, |dir| dir.count());
        format!("  process {pid} ({threads} threads, waits in {place}): {}", command.trim())
    };
    pids(session).into_iter().map(line).collect()
}

fn pids(session: libc::pid_t) -> Vec<libc::pid_t> {
    let Ok(proc) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = proc.flatten().filter_map(|e| e.file_name().to_str()?.parse().ok());
    pids.filter(|&pid| session_of(pid) == Some(session)).collect()
}

/// `/proc/PID/stat`: pid (name) state parent group session …; a zombie counts as gone.
fn session_of(pid: libc::pid_t) -> Option<libc::pid_t> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    let session = fields.nth(2)?.parse().ok()?;
    (state != "Z").then_some(session)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str) -> Command {
        Command::new("sh", Path::new("/")).args(["-c", script])
    }

    #[test]
    fn output_and_code() {
        let output = sh("cat; echo no >&2; exit 3").stdin("yes\n").run();
        assert_eq!(output.end, End::Code(3));
        assert_eq!((output.stdout.as_str(), output.stderr.as_str()), ("yes\n", "no\n"));
        assert!(output.left_behind.is_empty());
    }

    #[test]
    fn what_hangs_is_killed_and_named() {
        let output = sh("sleep 1000 & sleep 1001").limit_secs(1).run();
        let End::TimedOut(processes) = output.end else { panic!("{}", output.end) };
        assert!(processes.iter().any(|p| p.contains("sleep 1001")), "{processes:?}");
        assert!(output.elapsed < Duration::from_secs(100));
    }

    #[test]
    fn a_limit_is_longer_for_what_waits_for_cpus() {
        // Four loops on one CPU, each with a second of work (ten digits of nanoseconds).
        let work = "while read had rest </proc/$$/schedstat && [ ${#had} -lt 10 ]; do :; done";
        let loops = format!("for n in 1 2 3 4; do sh -c '{work}' & done; wait");
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let (_, allowed) = status.split_once("Cpus_allowed_list:").unwrap();
        let digits: String = allowed.trim().chars().take_while(char::is_ascii_digit).collect();
        let output = sh(&loops).limit_secs(2).cpus(&[digits.parse().unwrap()]).run();
        assert_eq!(output.end, End::Code(0));
        assert!(output.elapsed > Duration::from_secs(2));
    }

    #[test]
    fn what_is_left_behind_is_named() {
        let output = sh("sleep 1002 >/dev/null 2>&1 & exit 0").run();
        assert_eq!(output.end, End::Code(0));
        assert!(output.left_behind[0].contains("sleep 1002"), "{:?}", output.left_behind);
    }

    /// Not a test of its own: what the next one runs, and kills.
    #[test]
    #[ignore]
    fn runs_a_command_for_long() {
        sh("exec sleep 1003").run();
    }

    #[test]
    fn a_harness_that_is_killed_leaves_no_command() {
        let mut harness = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "process::tests::runs_a_command_for_long"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let deadline = Instant::now() + Duration::from_secs(30);
        let until = |what: &str, holds: &mut dyn FnMut() -> bool| {
            while !holds() {
                assert!(Instant::now() < deadline, "{what}");
                std::thread::sleep(Duration::from_millis(10));
            }
        };
        let mut commands = Vec::new();
        until("no command starts", &mut || {
            commands = commands_of(harness.id());
            !commands.is_empty()
        });
        harness.kill().unwrap();
        harness.wait().unwrap();
        until("the command goes on", &mut || commands.iter().all(|&pid| session_of(pid).is_none()));
    }

    /// The children of a process that sleep.
    fn commands_of(parent: u32) -> Vec<libc::pid_t> {
        let threads =
            std::fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
        let children =
            threads.filter_map(|t| std::fs::read_to_string(t.path().join("children")).ok());
        let pids: Vec<libc::pid_t> = children
            .flat_map(|list| {
                list.split_whitespace().filter_map(|p| p.parse().ok()).collect::<Vec<_>>()
            })
            .collect();
        let sleeps = |pid: &libc::pid_t| {
            std::fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name == "sleep\n")
        };
        pids.into_iter().filter(sleeps).collect()
    }

    #[test]
    fn a_missing_program_is_no_panic() {
        let output = Command::new("/no/such/program", Path::new("/")).run();
        assert!(matches!(output.end, End::NotStarted(_)));
    }
}
