// SPDX-License-Identifier: BSD-3-Clause
//! One input through all phases: translation, the drawing of diagnostics, explanations.

use furlong_compiler::diag::render::{render, RenderOptions};
use furlong_compiler::emit::Inst;
use furlong_compiler::{explain, translate, Options};

/// As upcc has it: no input of a fuzzer's size may need more.
pub const STACK: usize = 512 << 20;

/// How an input is translated, one bit or two for each question.
#[derive(Clone, Copy)]
pub struct Mode(pub u32);

impl Mode {
    fn options(self) -> Options {
        let is_set = |bit: u32| self.0 >> bit & 1 == 1;
        Options {
            threads: [None, None, Some(1), Some(3)][(self.0 & 3) as usize],
            plain_c: self.0 >> 8 & 31 == 0,
            file: "seed.upc".into(),
            optimise: is_set(2),
            debug: is_set(3),
            network: is_set(4) || is_set(17),
            inst: [Inst::Off, Inst::Remote, Inst::Off, Inst::All][(self.0 >> 17 & 3) as usize],
            check: self.0 >> 17 & 7 == 7,
            nopthreads: is_set(13),
            openmp: is_set(14),
            common: is_set(15),
            pic: is_set(16),
            lto: is_set(20),
        }
    }

    /// Are the user's files unreadable?
    fn is_blind(self) -> bool {
        self.0 >> 5 & 1 == 1
    }

    fn explains(self) -> bool {
        self.0 >> 6 & 3 == 0
    }
}

/// The emitted C of an input that is accepted. `start` is where the program's own part begins.
pub fn check(bytes: &[u8], start: usize, mode: Mode) -> Option<String> {
    let text = decode(bytes);
    let translation = translate(&text, &mode.options());
    let source = |_: &str| (!mode.is_blind()).then(|| text.clone());
    draw(&translation.diagnostics, &translation.lines, &text, &source);
    if mode.explains() {
        let own = decode(bytes.get(start..).unwrap_or_default());
        let explanation = explain::explain(&own, mode.options().threads);
        draw(&explanation.diagnostics, &explanation.lines, &explanation.text, &|_| None);
    }
    translation.c
}

fn draw(
    diagnostics: &furlong_compiler::diag::Diagnostics,
    lines: &furlong_compiler::span::LineMap,
    text: &str,
    source: &dyn Fn(&str) -> Option<String>,
) {
    for short in [false, true] {
        let options = RenderOptions { short, color: !short, ..RenderOptions::default() };
        render(diagnostics, lines, text, &options, source);
    }
}

/// As upcc does it: a text that is not UTF-8 is one of bytes.
fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => bytes.iter().map(|&b| char::from(b)).collect(),
    }
}

/// Runs `work` on a stack of the translator's size.
pub fn on_big_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    match thread.map(|thread| thread.join()) {
        Ok(Ok(value)) => value,
        _ => std::process::exit(101),
    }
}
