// SPDX-License-Identifier: BSD-3-Clause
//! Commands that cannot hold up their caller: after a while they are killed, with all of their
//! process group.

use nix::sys::signal::{killpg, Signal};
use nix::unistd::Pid;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::mpsc::{channel, Receiver};
use std::time::{Duration, Instant};

/// What a killed command's outputs may take to end.
const LAST_WORDS: Duration = Duration::from_millis(500);
const POLL: Duration = Duration::from_millis(10);

/// What a command has printed if it succeeded; else why it did not: what it said last, if anything.
pub fn run(command: &mut Command, limit: Duration) -> Result<String, String> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command.spawn().map_err(|e| format!("`{name}` cannot run: {e}"))?;
    let (out, err) = (collect(child.stdout.take()), collect(child.stderr.take()));
    let deadline = Instant::now() + limit;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if Instant::now() < deadline => std::thread::sleep(POLL),
            _ => break None,
        }
    };
    if status.is_none() {
        let _ = killpg(Pid::from_raw(child.id() as i32), Signal::SIGKILL);
        let _ = child.wait();
    }
    let text = |from: Receiver<String>| from.recv_timeout(LAST_WORDS).unwrap_or_default();
    let (out, err) = (text(out), text(err));
    match status {
        Some(status) if status.success() => Ok(out),
        Some(status) => Err(match err.lines().find(|line| !line.trim().is_empty()) {
            Some(line) => line.to_string(),
            None => format!("`{name}` ended with {status}"),
        }),
        None => Err(format!("`{name}` had not ended after {} s", limit.as_secs())),
    }
}

fn collect(from: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut from) = from {
            let _ = from.read_to_end(&mut bytes);
        }
        let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(text: &str) -> Result<String, String> {
        run(Command::new("sh").args(["-c", text]), Duration::from_secs(1))
    }

    #[test]
    fn outputs_and_reasons_come_back() {
        assert_eq!(shell("echo yes"), Ok("yes\n".to_string()));
        assert_eq!(shell("echo no >&2; exit 3"), Err("no".to_string()));
        assert_eq!(shell("exit 3"), Err("`sh` ended with exit status: 3".to_string()));
    }

    #[test]
    fn what_does_not_end_is_given_up() {
        assert_eq!(shell("sleep 1000"), Err("`sh` had not ended after 1 s".to_string()));
        assert_eq!(shell("sleep 1000 & sleep 1000"), Err("`sh` had not ended after 1 s".into()));
    }
}
