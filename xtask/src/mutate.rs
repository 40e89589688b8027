// SPDX-License-Identifier: BSD-3-Clause
//! Damaged programs: a few tokens of a test program are deleted, doubled, exchanged or replaced,
//! always in the same way for the same number. upcc may accept or refuse what comes out; it must
//! not crash, hang, or call it an internal error.

use crate::case;
use crate::config::Config;
use crate::process::{Command, End};
use crate::program::transcript;
use crate::suite::{Test, Verdict};
use std::path::PathBuf;

const DEFAULT_COUNT: usize = 300;
/// Damaged programs for each test: one test must not be too short to be worth a worker.
const BATCH: usize = 20;

/// What a random token is replaced with.
const WORDS: &[&str] = &[
    "shared",
    "strict",
    "relaxed",
    "[*]",
    "[]",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "*",
    ";",
    ",",
    ":",
    "THREADS",
    "MYTHREAD",
    "upc_forall",
    "upc_barrier",
    "upc_notify",
    "upc_fence",
    "sizeof",
    "upc_blocksizeof",
    "upc_localsizeof",
    "0",
    "1",
    "-1",
    "99999999999999999999",
    "typedef",
    "struct",
    "union",
    "enum",
    "static",
    "extern",
    "const",
    "void",
    "int",
    "double",
    "x",
    "&",
    "++",
    "=",
    "?",
    ".",
    "->",
    "if",
    "else",
    "for",
    "return",
    "goto",
    "_Generic",
    "__typeof__",
    "\"text\"",
    "'c'",
    "...",
    "#pragma upc strict\n",
];

pub fn tests(config: &Config) -> Vec<Test> {
    let corpus = corpus(config);
    let count = config.count.unwrap_or(DEFAULT_COUNT);
    let batch = |first: usize| {
        let corpus = corpus.clone();
        let name = format!("mutate/{first}");
        Test::new(name.clone(), move |config| {
            let mut numbers = first..(first + BATCH).min(count);
            numbers.try_for_each(|number| check(config, &name, &corpus, number)).into()
        })
    };
    if corpus.is_empty() {
        return vec![Test::new("mutate", |_| Verdict::Skip("there are no programs".into()))];
    }
    (0..count).step_by(BATCH).map(batch).collect()
}

/// Programs that are in one file, or find their headers from where they stand.
fn corpus(config: &Config) -> Vec<PathBuf> {
    let dirs = ["tests/conform", "tests/run", "examples"];
    dirs.iter().flat_map(|dir| case::find(&config.root.join(dir), &["upc"])).collect()
}

fn check(config: &Config, name: &str, corpus: &[PathBuf], number: usize) -> Result<(), String> {
    let mut random =
        Random(0x9e3779b97f4a7c15 ^ (number as u64 + 1).wrapping_mul(0xd1342543de82ef95));
    let original = &corpus[random.below(corpus.len())];
    let text = std::fs::read(original).map_err(|e| e.to_string())?;
    let damaged = damage(&String::from_utf8_lossy(&text), &mut random);
    let scratch = config.scratch(&format!("{name}/{number}"));
    let (file, out) = (scratch.join("damaged.upc"), scratch.join("out.c"));
    std::fs::write(&file, damaged).map_err(|e| e.to_string())?;
    let folder = original.parent().unwrap_or(&config.root);
    let translate = Command::new(&config.upcc, folder)
        .args(["-I.", "-trans", "-o"])
        .arg(&out)
        .arg(&file)
        .limit_secs(10);
    let output = translate.run();
    if matches!(output.end, End::Code(0 | 1)) && !output.stderr.contains("internal error") {
        let _ = std::fs::remove_dir_all(&scratch);
        return Ok(());
    }
    let again = translate.shown(&config.root);
    let folder = config.shown(folder);
    let what = format!("{} of {}", output.end, config.shown(original));
    Err(format!("{what}\n{}again: (cd {folder} && {again})", transcript(&output)))
}

/// One to four changes, each at a random token.
fn damage(text: &str, random: &mut Random) -> String {
    let mut tokens = tokens(text);
    for _ in 0..1 + random.below(4) {
        if tokens.is_empty() {
            break;
        }
        let at = random.below(tokens.len());
        let other = random.below(tokens.len());
        match random.below(6) {
            0 => drop(tokens.drain(at..(at + 1 + random.below(5)).min(tokens.len()))),
            1 => tokens.insert(other, tokens[at].clone()),
            2 => tokens.swap(at, other),
            3 => tokens.truncate(at),
            4 => tokens.insert(at, format!(" {} ", WORDS[random.below(WORDS.len())])),
            _ => tokens[at] = format!(" {} ", WORDS[random.below(WORDS.len())]),
        }
    }
    tokens.concat()
}

/// Words, numbers and single characters; blanks stay with what they follow.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut in_word = false;
    for c in text.chars() {
        let is_word = c.is_alphanumeric() || c == '_';
        match tokens.last_mut() {
            Some(last) if c.is_whitespace() || (is_word && in_word) => last.push(c),
            _ => tokens.push(c.into()),
        }
        in_word = is_word;
    }
    tokens
}

/// xorshift: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}
