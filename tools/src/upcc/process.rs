// SPDX-License-Identifier: BSD-3-Clause
//! Running the C compiler: its messages pass through with the user's names in them, and a signal
//! that ends upcc ends it too.

use super::{fail, say, Context, Failed, Step};
use crate::exit;
use nix::sys::signal::{self, SaFlags, SigAction, SigHandler, SigSet, Signal};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread::JoinHandle;

/// The signal that upcc received, or 0, and the children to pass it to.
static RECEIVED: AtomicI32 = AtomicI32::new(0);
static CHILDREN: [AtomicI32; 2] = [AtomicI32::new(0), AtomicI32::new(0)];

const ENDING: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];

/// Lets a signal end the children, whose failure then ends upcc after its temporary files.
pub fn catch_signals() {
    extern "C" fn on_signal(number: i32) {
        // Relaxed: the only reader that matters runs later in the same thread.
        RECEIVED.store(number, Ordering::Relaxed);
        for child in &CHILDREN {
            let pid = child.load(Ordering::Relaxed);
            if pid > 0 {
                // SAFETY: kill is async-signal-safe and takes plain numbers.
                unsafe { libc::kill(pid, number) };
            }
        }
    }
    let action =
        SigAction::new(SigHandler::Handler(on_signal), SaFlags::SA_RESTART, SigSet::empty());
    for signal in ENDING {
        // SAFETY: the handler only stores a number and calls kill.
        let _ = unsafe { signal::sigaction(signal, &action) };
    }
}

/// Dies of the signal that was received, if any, as the shell and make expect.
pub fn repeat_signal() {
    let number = RECEIVED.load(Ordering::Relaxed);
    if let Ok(signal) = Signal::try_from(number) {
        // SAFETY: the default action is no handler.
        let _ = unsafe { signal::signal(signal, SigHandler::SigDfl) };
        let _ = signal::raise(signal);
    }
}

/// A run of the C compiler whose stderr is filtered.
pub struct Running {
    child: Child,
    slot: usize,
    stderr: JoinHandle<Vec<u8>>,
}

/// Starts `command`. Its messages are shown when it is finished, by [`Running::finish`].
pub fn start(context: &Context, mut command: Command) -> Result<Running, Failed> {
    show(context, &command);
    command.stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| cannot_run(&command, e))?;
    let slot = CHILDREN
        .iter()
        .position(|c| {
            c.compare_exchange(0, child.id() as i32, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        })
        .unwrap_or(CHILDREN.len());
    let mut pipe = child.stderr.take();
    let stderr = std::thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(pipe) = &mut pipe {
            // What could be read before an error is still worth showing.
            let _ = pipe.read_to_end(&mut text);
        }
        text
    });
    Ok(Running { child, slot, stderr })
}

impl Running {
    /// Writes `text` to the child's stdin and closes it. A child that is gone says so itself.
    pub fn feed(&mut self, text: &[u8]) {
        if let Some(mut stdin) = self.child.stdin.take() {
            let _ = stdin.write_all(text);
        }
    }

    /// All of the child's stdout.
    pub fn read(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        if let Some(mut stdout) = self.child.stdout.take() {
            let _ = stdout.read_to_end(&mut out);
        }
        out
    }

    /// Waits for the child, and shows its messages unless `quiet`. True if it succeeded.
    pub fn finish(self, quiet: bool) -> bool {
        let (is_done, messages) = self.wait();
        if !quiet {
            pass_messages(&messages);
        }
        is_done
    }

    /// Waits for the child: whether it succeeded, and its messages.
    pub fn wait(mut self) -> (bool, Vec<u8>) {
        let status = self.child.wait();
        if let Some(slot) = CHILDREN.get(self.slot) {
            slot.store(0, Ordering::Relaxed);
        }
        let messages = self.stderr.join().unwrap_or_default();
        (matches!(status, Ok(status) if status.success()), messages)
    }
}

/// Runs `command` to its end.
pub fn run(context: &Context, command: Command) -> Step {
    let running = start(context, command)?;
    match running.finish(false) {
        true => Ok(()),
        false => Err(Failed(exit::FAILED)),
    }
}

/// Becomes `command`.
pub fn replace(context: &Context, mut command: Command) -> Step {
    use std::os::unix::process::CommandExt;
    show(context, &command);
    let error = command.exec();
    Err(cannot_run(&command, error))
}

fn cannot_run(command: &Command, error: std::io::Error) -> Failed {
    let program = command.get_program().to_string_lossy();
    fail(exit::SYSTEM, format_args!("error: cannot run `{program}`: {error}"))
}

/// Under `-v`, prints the command.
fn show(context: &Context, command: &Command) {
    if context.command.verbose {
        let words: Vec<_> = std::iter::once(command.get_program())
            .chain(command.get_args())
            .map(|word| quoted(&word.to_string_lossy()))
            .collect();
        let _ = writeln!(std::io::stderr(), " {}", words.join(" "));
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Shows what the C compiler or the linker said. The user's `main` is `upcr_main` to them.
pub fn pass_messages(messages: &[u8]) {
    if messages.is_empty() {
        return;
    }
    let text = String::from_utf8_lossy(messages).replace("upcr_main", "main");
    let text = text.replace("upcr_of_c_", "").replace("upcr_size_", "");
    let _ = std::io::stderr().write_all(text.as_bytes());
    if is_internal(&text) {
        say("note: the C that upcc emitted did not compile; this is a mistake in upcc, please \
             report it together with the files that `upcc -save-temps` leaves");
    }
    if let Some(note) = about_private_variable(&text) {
        say(note);
    }
}

/// What the linker says about private variables needs a word in terms of UPC.
fn about_private_variable(text: &str) -> Option<String> {
    let is_data = |line: &str| {
        ["(.data", "(.bss", "(.tdata", "(.tbss", "(*ABS*"].iter().any(|s| line.contains(s))
    };
    text.lines().find_map(|line| {
        let is_twice = line.contains("multiple definition of");
        if line.contains("TLS definition") || line.contains("TLS reference") {
            return Some(
                "note: each UPC thread has its own copy of a variable that a UPC file defines; C \
                 files may not define it too, and cannot name it: pass its address to C, or give C \
                 a function that returns it"
                    .into(),
            );
        }
        let name = line.split_once('`')?.1.split('\'').next()?;
        (is_twice && is_data(line)).then(|| {
            format!(
                "note: several UPC files may define `{name}` if it has one size and at most one \
                 initialiser, and -fno-common is not given"
            )
        })
    })
}

/// An error, not a warning, about something that only emitted code names.
fn is_internal(text: &str) -> bool {
    text.lines().any(|line| {
        line.contains("error: ") && (line.contains("upcr_") || line.contains("internal compiler"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_only_where_a_shell_needs_it() {
        assert_eq!(quoted("-DX=1"), "-DX=1");
        assert_eq!(quoted("-DX=\"a b\""), "'-DX=\"a b\"'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }

    #[test]
    fn only_errors_about_emitted_names_are_internal() {
        assert!(is_internal("a.c:1:2: error: 'upcr_pts' undeclared"));
        assert!(!is_internal("a.c:1:2: error: 'x' undeclared"));
        assert!(!is_internal("a.c:1:2: warning: upcr_x"));
    }
}
