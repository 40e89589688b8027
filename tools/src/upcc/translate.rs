// SPDX-License-Identifier: BSD-3-Clause
//! Runs the translator on a stack that deep nesting does not exhaust, and shows what it says.

use super::{fail, Context, Failed};
use crate::exit;

/// Stack sizes to try, the largest first: a limit on address space may forbid it.
const STACKS: [usize; 3] = [512 << 20, 64 << 20, 8 << 20];

/// Emitted C for the preprocessed text of `path`.
pub fn translate(context: &Context, path: &str, text: Vec<u8>) -> Result<Vec<u8>, Failed> {
    let (text, encoding) = decode(text);
    let translated = on_big_stack(|| stub(context, &text))?;
    let mut emitted = Vec::with_capacity(translated.len() + 64);
    if !translated.starts_with("# ") {
        // Names the unit in messages and in debug information.
        emitted.extend_from_slice(format!("# 1 {}\n", quoted(path)).as_bytes());
    }
    emitted.append(&mut encode(translated, encoding));
    Ok(emitted)
}

fn stub(_context: &Context, text: &str) -> String {
    text.to_string()
}

fn on_big_stack<T: Send>(work: impl Fn() -> T + Sync) -> Result<T, Failed> {
    let work = &work;
    for stack in STACKS {
        let outcome = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, work);
            thread.map(|thread| thread.join()).ok()
        });
        match outcome {
            Some(Ok(value)) => return Ok(value),
            Some(Err(_)) => {
                let text = "error[E0901]: this is a mistake in upcc, not in your program; please \
                            report it together with the file that `upcc -E` makes of the source";
                return Err(fail(exit::INTERNAL, text));
            }
            None => {}
        }
    }
    Err(fail(exit::SYSTEM, "error: no memory for the translator's stack; raise `ulimit -v`"))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Encoding {
    Utf8,
    /// Some byte of the text is not UTF-8: every byte stands for the character of its number.
    Bytes,
}

/// The translator reads characters; C does not care what the bytes in its strings mean.
fn decode(text: Vec<u8>) -> (String, Encoding) {
    match String::from_utf8(text) {
        Ok(text) => (text, Encoding::Utf8),
        Err(e) => (e.as_bytes().iter().map(|&b| char::from(b)).collect(), Encoding::Bytes),
    }
}

fn encode(text: String, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.into_bytes(),
        Encoding::Bytes => text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect(),
    }
}

/// As a string in C.
fn quoted(path: &str) -> String {
    format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_utf8_survive() {
        for bytes in [&b"char *s = \"\xe9\xff\";"[..], "char *s = \"é\";".as_bytes()] {
            let (text, encoding) = decode(bytes.to_vec());
            assert_eq!(encode(text, encoding), bytes);
        }
    }

    #[test]
    fn a_panic_is_an_internal_error() {
        let result: Result<(), Failed> = on_big_stack(|| panic!("a test of panics"));
        assert_eq!(result, Err(Failed(exit::INTERNAL)));
    }
}
