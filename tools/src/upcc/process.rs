// SPDX-License-Identifier: BSD-3-Clause
//! Running the C compiler: its messages pass through with the user's names in them, and a signal
//! that ends upcc ends it too.

use super::diagnostics::{self, Format};
use super::{fail, messages, say, Context, Failed, Step};
use crate::launch::{descendants, signals};
use crate::text::shell_word;
use crate::{exit, temp};
use nix::errno::Errno;
use nix::sys::signal::{self, SaFlags, SigAction, SigHandler, SigSet, Signal};
use nix::sys::wait::{waitid, Id, WaitPidFlag};
use nix::unistd::Pid;
use std::io::{Read, Write};
use std::os::fd::IntoRawFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// The C compilers that run. Whoever holds the lock keeps others from being started.
static CHILDREN: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

fn children() -> MutexGuard<'static, Vec<Pid>> {
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where the handler of signals writes their numbers.
static RECEIVED: AtomicI32 = AtomicI32::new(-1);

/// Has a thread wait for signals that are to end upcc, which so end it at once, whatever it is
/// doing. Signals that upcc was started to ignore (nohup) stay ignored. None is blocked: children
/// would inherit that.
pub fn catch_signals() {
    extern "C" fn on_signal(number: i32) {
        let (to, number) = (RECEIVED.load(Ordering::Relaxed), number as u8);
        // SAFETY: write is async-signal-safe, and the byte is there.
        unsafe { libc::write(to, std::ptr::from_ref(&number).cast(), 1) };
    }
    descendants::adopt();
    let Ok((mut from, to)) = UnixStream::pair() else { return };
    // Relaxed: no handler is installed yet. The descriptor stays open for them.
    RECEIVED.store(to.into_raw_fd(), Ordering::Relaxed);
    let waiting = std::thread::Builder::new().spawn(move || {
        let mut number = [0];
        if from.read_exact(&mut number).is_ok() {
            Signal::try_from(i32::from(number[0])).map(end_by)
        } else {
            Ok(())
        }
    });
    // Without the thread the signals keep their default action.
    if waiting.is_err() {
        return;
    }
    let handler = SigHandler::Handler(on_signal);
    let action = SigAction::new(handler, SaFlags::SA_RESTART, SigSet::empty());
    let ending = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];
    for signal in ending.into_iter().filter(|signal| !signals::is_ignored(*signal)) {
        // SAFETY: the handler only reads a number and calls write.
        let _ = unsafe { signal::sigaction(signal, &action) };
    }
}

/// Ends the children, which remove what they were writing, removes what upcc was writing, and dies
/// of the signal, as the shell and make expect.
fn end_by(signal: Signal) {
    // Never released: no other child starts.
    let children = children();
    for child in children.iter() {
        let _ = signal::kill(*child, signal);
    }
    for child in children.iter() {
        // The main thread may be waiting, too: the child is left to it.
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT;
        while waitid(Id::Pid(*child), flags) == Err(Errno::EINTR) {}
    }
    // The compiler proper would take the end of the pipe for that of the program.
    descendants::kill_all();
    temp::remove_unfinished();
    die_of(signal);
}

/// Ends as if nothing had been done about the signal.
pub fn die_of(signal: Signal) {
    // SAFETY: the default action is no handler.
    let _ = unsafe { signal::signal(signal, SigHandler::SigDfl) };
    let _ = signal::raise(signal);
}

/// A run of the C compiler whose stderr is filtered.
pub struct Running {
    child: Child,
    stderr: JoinHandle<Vec<u8>>,
}

/// Starts `command`. Its messages are shown when it is finished, by [`Running::finish`].
pub fn start(context: &Context, mut command: Command) -> Result<Running, Failed> {
    show(context, &command);
    command.stderr(Stdio::piped());
    let mut child = {
        let mut children = children();
        let child = command.spawn().map_err(|e| cannot_run(&command, e))?;
        children.push(pid(&child));
        child
    };
    let mut pipe = child.stderr.take();
    let reader = std::thread::Builder::new().spawn(move || {
        let mut text = Vec::new();
        if let Some(pipe) = &mut pipe {
            // What could be read before an error is still worth showing.
            let _ = pipe.read_to_end(&mut text);
        }
        text
    });
    match reader {
        Ok(stderr) => Ok(Running { child, stderr }),
        Err(e) => {
            let _ = child.kill();
            let _ = child.wait();
            children().retain(|other| *other != pid(&child));
            Err(fail(
                exit::SYSTEM,
                format_args!("error: cannot start a thread: {e} (is `ulimit -u` too low?)"),
            ))
        }
    }
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
    pub fn finish(self, context: &Context, quiet: bool) -> bool {
        let (is_done, messages) = self.wait();
        if !quiet {
            tell(context, &messages);
        }
        is_done
    }

    /// As [`Self::finish`], for a child that has read `emitted`.
    pub fn finish_emitted(self, context: &Context, emitted: &[u8]) -> bool {
        let (is_success, messages) = self.wait();
        if !messages.is_empty() {
            let emitted = String::from_utf8_lossy(emitted);
            let source_of = |name: &str| {
                std::fs::read(name).ok().map(|text| String::from_utf8_lossy(&text).into_owned())
            };
            let messages = String::from_utf8_lossy(&messages);
            let messages = messages::in_source(&messages, &emitted, source_of);
            tell(context, messages::in_users_words(&messages).as_bytes());
        }
        is_success
    }

    /// Waits for the child: whether it succeeded, and its messages.
    pub fn wait(mut self) -> (bool, Vec<u8>) {
        let status = self.child.wait();
        children().retain(|child| *child != pid(&self.child));
        let messages = self.stderr.join().unwrap_or_default();
        (matches!(status, Ok(status) if status.success()), messages)
    }
}

fn pid(child: &Child) -> Pid {
    Pid::from_raw(child.id() as i32)
}

/// Runs `command` to its end.
pub fn run(context: &Context, command: Command) -> Step {
    let running = start(context, command)?;
    match running.finish(context, false) {
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
            .map(|word| shell_word(&word.to_string_lossy()))
            .collect();
        let _ = writeln!(std::io::stderr(), " {}", words.join(" "));
    }
}

/// Shows what the C compiler said, or keeps it for the form that was asked for. What cannot be read
/// as a message is shown, unless it only goes with one.
fn tell(context: &Context, messages: &[u8]) {
    if context.command.format == Format::Text {
        return pass_messages(messages);
    }
    let found = diagnostics::of_c(&String::from_utf8_lossy(messages));
    if found.is_empty() {
        pass_messages(messages);
    }
    context.messages.borrow_mut().extend(found);
}

/// Shows what the C compiler or the linker said. The user's `main` is `upcr_main` to them.
pub fn pass_messages(messages: &[u8]) {
    if messages.is_empty() {
        return;
    }
    let text = String::from_utf8_lossy(messages).replace("upcr_main", "main");
    let disagreement = about_layouts(&text);
    let text = ["upcr_of_c_", "upcr_size_", "upcr_at_", "upcr_initialised_", "upcr_layout_"]
        .iter()
        .fold(text, |text, prefix| text.replace(prefix, ""));
    let _ = std::io::stderr().write_all(text.as_bytes());
    if text.contains("signal terminated program") {
        say("note: a signal has ended a part of the C compiler: perhaps a limit of the shell \
             (`ulimit -a`), or too little memory");
    } else if is_internal(&text) {
        say("note: the C that upcc emitted did not compile; this is a mistake in upcc, please \
             report it together with the files that `upcc -save-temps` leaves");
    }
    if let Some(note) = disagreement.or_else(|| about_private_variable(&text)) {
        say(note);
    }
}

/// What the linker says about units that declare a shared object differently.
fn about_layouts(text: &str) -> Option<String> {
    let name = text.split_once("definition of `upcr_layout_")?.1.split('\'').next()?;
    Some(format!(
        "note: these files disagree about the shared `{name}`: the size of its elements, or its block \
         size"
    ))
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
                 files may not define it too, and cannot name it: pass its address to C, give C a \
                 function that returns it, or compile all with -nopthreads, which makes it C's"
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
    fn only_errors_about_emitted_names_are_internal() {
        assert!(is_internal("a.c:1:2: error: 'upcr_pts' undeclared"));
        assert!(!is_internal("a.c:1:2: error: 'x' undeclared"));
        assert!(!is_internal("a.c:1:2: warning: upcr_x"));
    }
}
