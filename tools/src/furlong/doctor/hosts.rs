// SPDX-License-Identifier: BSD-3-Clause
//! Whether other hosts can take part in jobs: each is asked by a probe that is started there as
//! upcrun would start its agent, and then tries to reach others.

use super::probe::{self, END, HELLO};
use super::{good, note, problem, Finding, State};
use crate::exit::{self, Refusal};
use crate::furlong::request::Request;
use crate::furlong::say;
use crate::launch::places::{on_host, Places};
use crate::launch::plan::Host;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How long a host may take to answer, as of upcrun.
const ANSWER: Duration = Duration::from_millis(4500);
/// What all connections of a host may take together.
const REACH: Duration = Duration::from_secs(10);
/// How often the user hears what is waited for.
const PROGRESS: Duration = Duration::from_secs(2);
/// Followers in the list of hosts that each host tries to reach.
const NEIGHBOURS: usize = 8;
/// Clocks differ by more than the way of a message takes.
const CLOCK_SECONDS: f64 = 2.0;

/// A running probe.
struct Probe {
    host: String,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    errors: Receiver<String>,
}

/// What a probe has said of its host.
#[derive(Default)]
struct Said {
    version: String,
    clock: f64,
    id: String,
    port: String,
    /// Interface and address.
    addresses: Vec<(String, String)>,
}

/// A probe that has said what its host is; else why there is none.
type Greeting = Result<(Probe, Said), String>;

/// The hosts that the user names.
pub fn named(request: &Request) -> Result<Vec<String>, Refusal> {
    if request.hosts.is_none() {
        return match request.parts.iter().any(|part| part == "hosts") {
            true => Err((exit::USAGE, "which hosts? Name them with -hosts or -hostfile".into())),
            false => Ok(Vec::new()),
        };
    }
    let offers = request.places.offers().map_err(|text| (exit::USAGE, text))?;
    Ok(offers.into_iter().map(|offer| offer.name).collect())
}

/// One finding, or more, for each host.
pub fn findings(request: &Request, hosts: &[String]) -> Vec<Finding> {
    let limit = request.places.connect_timeout.unwrap_or(ANSWER);
    let (mut findings, mut alive) = (Vec::new(), Vec::new());
    for (host, greeting) in hosts.iter().zip(greetings(request, hosts, limit)) {
        match greeting {
            Ok((probe, said)) => {
                findings.extend(judge(host, &said));
                alive.push((probe, said));
            }
            Err(why) => findings.push(lost(host, &why, limit)),
        }
    }
    let is_own = |(_, said): &(Probe, Said)| said.version == env!("CARGO_PKG_VERSION");
    let (mut equal, others): (Vec<_>, Vec<_>) = alive.into_iter().partition(is_own);
    findings.extend(reach(&mut equal));
    for (probe, _) in equal.into_iter().chain(others) {
        end(probe);
    }
    findings
}

/// Of all hosts, which are asked at the same time.
fn greetings(request: &Request, hosts: &[String], limit: Duration) -> Vec<Greeting> {
    let (sender, receiver) = channel();
    let deadline = Instant::now() + limit;
    for (i, host) in hosts.iter().cloned().enumerate() {
        let (sender, places) = (sender.clone(), request.places.clone());
        std::thread::spawn(move || {
            // Until all greetings are there, somebody receives them.
            let _ = sender.send((i, greeting(&places, &host, deadline)));
        });
    }
    let mut all: Vec<Option<Greeting>> = hosts.iter().map(|_| None).collect();
    while let Some(missing) = all.iter().position(Option::is_none) {
        match receiver.recv_timeout(PROGRESS) {
            Ok((i, greeting)) => all[i] = Some(greeting),
            Err(_) if request.quiet => {}
            Err(_) => {
                let answered = all.iter().flatten().count();
                let (host, count) = (&hosts[missing], hosts.len());
                say(format_args!("waiting for {host} ({answered} of {count} have answered)"));
            }
        }
    }
    all.into_iter().flatten().collect()
}

fn greeting(places: &Places, host: &str, deadline: Instant) -> Greeting {
    let mut probe = start(places, host, false)?;
    match listen(&probe, deadline)? {
        Some(said) => Ok((probe, said)),
        None => {
            let (code, why) = why_ended(&mut probe);
            // The shell's word for a command that is not there: its own search may find another.
            if code != Some(exit::NOT_FOUND) {
                return Err(why);
            }
            let mut probe = start(places, host, true)?;
            match listen(&probe, deadline)? {
                Some(said) => Ok((probe, said)),
                None => Err(why_ended(&mut probe).1),
            }
        }
    }
}

/// What the probe says of its host; nothing if it ends before it has said all.
fn listen(probe: &Probe, deadline: Instant) -> Result<Option<Said>, String> {
    let mut said = Said::default();
    while let Some(line) = next_line(probe, deadline)? {
        if said.take(&line) {
            return Ok(Some(said));
        }
    }
    Ok(None)
}

/// Starts a probe on the host; by its name alone if that is to be searched for there.
fn start(places: &Places, host: &str, search: bool) -> Result<Probe, String> {
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let tool = if search { "furlong".to_string() } else { own.to_string_lossy().into_owned() };
    let as_host = Host { name: host.to_string(), first: 0, count: 1 };
    let probe = vec![tool, "probe".to_string()];
    let words = match places.is_virtual() || places.is_near(&as_host) {
        true => probe,
        false => on_host(&places.rsh(), host, &probe),
    };
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| format!("`{}` cannot run: {e}", words[0]))?;
    let missing = || "no pipe".to_string();
    let input = child.stdin.take().ok_or_else(missing)?;
    let lines = lines_of(child.stdout.take().ok_or_else(missing)?);
    let errors = lines_of(child.stderr.take().ok_or_else(missing)?);
    Ok(Probe { host: host.to_string(), child, input, lines, errors })
}

fn lines_of(from: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(from).split(b'\n').map_while(Result::ok) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
        }
    });
    receiver
}

/// The next line of a probe; none at its end. Without a word if it says nothing in time.
fn next_line(probe: &Probe, deadline: Instant) -> Result<Option<String>, String> {
    let left = deadline.saturating_duration_since(Instant::now());
    match probe.lines.recv_timeout(left) {
        Ok(line) => Ok(Some(line)),
        Err(RecvTimeoutError::Disconnected) => Ok(None),
        Err(RecvTimeoutError::Timeout) => {
            kill(&probe.child);
            Err(String::new())
        }
    }
}

/// Exit code, and what it said last.
fn why_ended(probe: &mut Probe) -> (Option<i32>, String) {
    kill(&probe.child);
    let code = probe.child.wait().ok().and_then(|status| status.code());
    let last = probe.errors.iter().filter(|line| !line.trim().is_empty()).last();
    let ended = || format!("the command ended with exit code {}", code.unwrap_or(-1));
    (code, last.map_or_else(ended, |line| line.trim().to_string()))
}

fn kill(child: &Child) {
    use nix::sys::signal::{killpg, Signal};
    let _ = killpg(nix::unistd::Pid::from_raw(child.id() as i32), Signal::SIGKILL);
}

impl Said {
    /// Whether all is said.
    fn take(&mut self, line: &str) -> bool {
        if let Some(version) = line.strip_prefix(HELLO) {
            self.version = version.trim().to_string();
        }
        if self.version.is_empty() {
            return false; // A shell's greeting.
        }
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["time", seconds] => {
                self.clock = seconds.parse().unwrap_or(0.0) - probe::now();
            }
            ["id", id] => self.id = id.to_string(),
            ["port", port] => self.port = port.to_string(),
            ["address", name, address] => {
                self.addresses.push((name.to_string(), address.to_string()));
            }
            [END] => return true,
            _ => {}
        }
        false
    }
}

/// A host that has answered.
fn judge(host: &str, said: &Said) -> Vec<Finding> {
    let own = env!("CARGO_PKG_VERSION");
    let mut findings = vec![match said.version == own {
        true => good(format!("{host} answers, with version {own}")),
        false => problem(
            format!("{host} has version {}, and this is {own}", said.version),
            format!("install the same version in the same folder on {host}"),
        ),
    }];
    if said.clock.abs() > CLOCK_SECONDS {
        let way = if said.clock > 0.0 { "ahead" } else { "behind" };
        findings.push(note(
            format!("the clock of {host} is {:.0} s {way}", said.clock.abs()),
            "jobs do not mind, but make and logs do; run an NTP client on all hosts",
        ));
    }
    findings
}

/// A host that has not answered; `why` is empty if it said nothing in time.
fn lost(host: &str, why: &str, limit: Duration) -> Finding {
    let advice = [
        ("ermission denied", "give it a key that needs no password: ssh-keygen, ssh-copy-id HOST"),
        ("ost key", "log in once by hand, `ssh HOST`, to accept its key"),
        ("resolve", "correct the name, or make it known (/etc/hosts, DNS)"),
        ("refused", "start sshd there, or name another way with -rsh"),
        ("not found", "install Furlong there in the same folder as here, or in PATH"),
        ("o such file", "install Furlong there in the same folder as here, or in PATH"),
        ("there is no command `probe`", "an older Furlong is there: install the same version"),
    ];
    let known = advice.iter().find(|(part, _)| why.contains(part)).map(|(_, advice)| *advice);
    let advice = known.unwrap_or("try `ssh HOST true`: it must end at once and ask nothing");
    let text = match why.is_empty() {
        true => format!("{host} does not answer within {} s", limit.as_secs_f32()),
        false => format!("{host} cannot be reached: {why}"),
    };
    problem(text, advice.replace("HOST", host))
}

/// Has each host connect to its followers in the list.
fn reach(probes: &mut [(Probe, Said)]) -> Vec<Finding> {
    let count = probes.len();
    let asked: Vec<String> = (0..count)
        .map(|i| {
            let others = (1..=NEIGHBOURS.min(count - 1)).map(|step| &probes[(i + step) % count]);
            others.map(|(probe, said)| requests(&probe.host, said)).collect()
        })
        .collect();
    for ((probe, _), text) in probes.iter_mut().zip(&asked) {
        // The loss of a probe is seen in its silence.
        let _ = probe.input.write_all(format!("{text}{END}\n").as_bytes());
    }
    let deadline = Instant::now() + REACH;
    let mut findings = Vec::new();
    for (i, (probe, _)) in probes.iter().enumerate() {
        if count > 1 {
            let mut answers = Vec::new();
            while let Ok(Some(line)) = next_line(probe, deadline) {
                if line == END {
                    break;
                }
                answers.push(line);
            }
            findings.extend(connections(&probe.host, &asked[i], &answers));
        }
    }
    findings
}

fn requests(host: &str, said: &Said) -> String {
    let one = |(interface, address): &(String, String)| {
        format!("reach {host} {} {} {interface} {address}\n", said.id, said.port)
    };
    said.addresses.iter().map(one).collect()
}

/// What the answers say of a host's connections to others.
fn connections(host: &str, asked: &str, answers: &[String]) -> Vec<Finding> {
    let mut others: Vec<&str> = asked.lines().filter_map(|line| line.split(' ').nth(1)).collect();
    others.dedup();
    let of = |word: &str, other: &str| -> Vec<String> {
        let start = format!("{word} {other} ");
        answers.iter().filter_map(|line| line.strip_prefix(&start)).map(str::to_string).collect()
    };
    let mut findings: Vec<Finding> = Vec::new();
    for other in &others {
        let (reached, missed) = (of("reached", other), of("missed", other));
        let tell = |missed: &[String]| {
            let parts = missed.iter().map(|text| text.replacen(' ', ": ", 1));
            parts.collect::<Vec<_>>().join("; ")
        };
        match (&reached[..], &missed[..]) {
            ([], []) => findings.push(problem(
                format!("{host} does not say whether it reaches {other}"),
                "its connection was lost; try again",
            )),
            ([], missed) => findings.push(problem(
                format!("{host} does not reach {other} ({})", tell(missed)),
                "let hosts connect to each other by TCP, at any port: a firewall is between them",
            )),
            ([first, ..], [_, ..]) => findings.push(note(
                format!("{host} reaches {other} by {first}, but not by all ({})", tell(&missed)),
                format!("if jobs fail to start, name the one to use: -interface {first}"),
            )),
            _ => {}
        }
    }
    let is_bad = findings.iter().any(|finding| finding.state == State::Problem);
    if !is_bad && !others.is_empty() {
        findings.push(good(format!("{host} reaches {}", others.join(", "))));
    }
    findings
}

fn end(mut probe: Probe) {
    drop(probe.input);
    kill(&probe.child);
    let _ = probe.child.wait();
}
