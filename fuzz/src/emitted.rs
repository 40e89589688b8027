// SPDX-License-Identifier: BSD-3-Clause
//! Emitted C that the C compiler refuses although the translator had nothing against the program.
//!
//! Mistakes in plain C are left to the C compiler, at the user's lines and in the user's terms: a
//! finding is only what it says first, if that is about text that the user has not written.

use std::io::Write;
use std::process::{Command, Stdio};

/// The C compilers that judge, those of them that there are: what one lets pass the other may not.
const COMPILERS: [&str; 3] = ["cc", "clang-19", "clang"];

/// What C compilers say of `c`, the translation of `input`, that is a mistake of the translator.
pub fn complaint(input: &[u8], c: &str) -> Option<String> {
    COMPILERS.iter().find_map(|cc| complaint_of(cc, input, c))
}

fn complaint_of(cc: &str, input: &[u8], c: &str) -> Option<String> {
    let mut cc = Command::new(cc)
        .args(["-x", "cpp-output", "-fsyntax-only", "-w", "-fno-diagnostics-show-caret", "-"])
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let (mut stdin, text) = (cc.stdin.take()?, c.as_bytes().to_vec());
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&text);
    });
    let output = cc.wait_with_output().ok()?;
    let _ = writer.join();
    let text = String::from_utf8_lossy(&output.stderr);
    text.lines()
        .find(|l| l.contains(" error: "))
        .filter(|line| is_ours(line, &String::from_utf8_lossy(input)))
        .map(String::from)
}

fn is_ours(line: &str, input: &str) -> bool {
    // A call of MYTHREAD is the user's mistake; what a name is said to resemble means nothing, and
    // a record's name is ours, but not its members.
    if line.contains("called object") {
        return false;
    }
    let known = line.split_once("; did you mean").map_or(line, |(line, _)| line);
    let known = known.replace("upcr_record", "");
    let mut names = known.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    line.starts_with("<furlong>")
        || names.any(|name| {
            (name.starts_with("upcr_") || name == "__extension__") && !input.contains(name)
        })
}

/// The complaint without its place and names: findings of one kind are one finding.
pub fn signature(complaint: &str) -> String {
    let message = complaint.split_once(" error: ").map_or(complaint, |(_, message)| message);
    let is_quote = |c: char| matches!(c, '\'' | '`');
    let words: Vec<&str> = message.split(is_quote).step_by(2).collect();
    let name: String =
        words.concat().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    format!("emitted-{}", name.trim_matches('-').chars().take(60).collect::<String>())
}
