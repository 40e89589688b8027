// SPDX-License-Identifier: BSD-3-Clause
//! Long chains cost time in proportion to their length, and sums and lists no
//! stack: programs write other programs, and those know no measure. Where time
//! or memory grew with the square, these tests would not end.

use furlong_compiler::{translate, Options};

const LINKS: usize = 50_000;
/// Too small for one frame per link.
const SMALL_STACK: usize = 4 << 20;
/// What upcc runs on: conditionals nest to the right, and some phases follow them down.
const LARGE_STACK: usize = 512 << 20;

fn translates(expression: String, stack: usize) {
    program_translates(
        format!("shared [2] int x[10*THREADS];\nint f(int a) {{ return {expression}; }}\n"),
        stack,
    );
}

fn program_translates(source: String, stack: usize) {
    let options = Options { network: true, ..Options::default() };
    let translator = std::thread::Builder::new().stack_size(stack);
    let done = translator.spawn(move || translate(&source, &options).c.is_some());
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

#[test]
fn assignments() {
    translates(chain(|i| format!("x[{}] = ", i % 10), "") + "0", LARGE_STACK);
}

#[test]
fn steps() {
    translates(format!("((x + 1){}, 0)", "--".repeat(LINKS)), LARGE_STACK);
}

#[test]
fn members() {
    let members = chain(|i| format!("int m{i};"), "");
    let anonymous = chain(|i| format!("struct {{ int n{i}; }};"), "");
    let uses = chain(|i| format!("s.n{i}"), " + ");
    let source =
        format!("shared struct {{ {members} {anonymous} }} s; int f(void) {{ return {uses}; }}");
    program_translates(source, SMALL_STACK);
}
