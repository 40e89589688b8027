// SPDX-License-Identifier: BSD-3-Clause
//! Long chains cost time in proportion to their length, and sums and lists no
//! stack: programs write other programs, and those know no measure.

use furlong_compiler::{translate, Options};

const LINKS: usize = 50_000;
/// Too small for one frame per link.
const SMALL_STACK: usize = 4 << 20;
/// What upcc runs on: conditionals nest to the right, and some phases follow them down.
const LARGE_STACK: usize = 512 << 20;

fn translates(expression: String, stack: usize) {
    let source =
        format!("shared [2] int x[10*THREADS];\nint f(int a) {{ return {expression}; }}\n");
    let translator = std::thread::Builder::new().stack_size(stack);
    let done = translator.spawn(move || translate(&source, &Options::default()).c.is_some());
    assert!(done.expect("a thread starts").join().expect("no panic"));
}

fn chain(link: impl Fn(usize) -> String, between: &str) -> String {
    (0..LINKS).map(link).collect::<Vec<_>>().join(between)
}

#[test]
fn sums() {
    translates(chain(|i| format!("x[{}]", i % 10), " + "), SMALL_STACK);
}

#[test]
fn commas() {
    translates(chain(|i| format!("x[{}] = {i}", i % 10), ", "), SMALL_STACK);
}

#[test]
fn conditionals() {
    translates(chain(|i| format!("a == {i} ? x[{}] : ", i % 10), "") + "0", LARGE_STACK);
}
