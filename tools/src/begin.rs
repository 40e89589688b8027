// SPDX-License-Identifier: BSD-3-Clause
//! How tools begin: with the limits of the shell, which they survive or name.

use crate::exit;
use crate::launch::signals;
use crate::text;
use nix::sys::resource::{getrlimit, Resource};
use nix::sys::signal::{sigaction, SaFlags, SigAction, SigHandler, SigSet, Signal};

/// With less, a tool's own calls end in a segmentation fault.
const STACK_LEAST_KB: u64 = 128;

/// Runs the tool `name`, and ends the process with its exit code.
pub fn tool(name: &'static str, main: fn(Vec<String>) -> i32) -> ! {
    exit::set_tool(name);
    let code = match stack() {
        Ok(()) => {
            hear_file_limit();
            main(std::env::args_os().skip(1).map(|word| text::from_os(&word)).collect())
        }
        Err(refusal) => exit::code(name, Err(refusal)),
    };
    std::process::exit(code)
}

fn stack() -> Result<(), exit::Refusal> {
    match getrlimit(Resource::RLIMIT_STACK) {
        Ok((soft, _)) if soft < STACK_LEAST_KB << 10 => Err((
            exit::SYSTEM,
            format!(
                "stacks are limited to {} KB, and at least {STACK_LEAST_KB} KB are needed; run \
                 `ulimit -s 8192`",
                soft >> 10
            ),
        )),
        _ => Ok(()),
    }
}

extern "C" fn ignore(_: i32) {}

/// A write beyond `ulimit -f` fails with EFBIG, which has words, instead of killing the tool. As the
/// signal has a handler, programs that the tool starts get their own end again.
fn hear_file_limit() {
    if signals::is_ignored(Signal::SIGXFSZ) {
        return;
    }
    let action = SigAction::new(SigHandler::Handler(ignore), SaFlags::SA_RESTART, SigSet::empty());
    // SAFETY: the handler does nothing.
    let _ = unsafe { sigaction(Signal::SIGXFSZ, &action) };
}
